import { sql } from "drizzle-orm";
import { servicesOn, type Services } from "../../src/graphql/services.ts";
import type { HowPaid } from "../../src/subscriptions/subscription-payment.service.ts";
import type { RequestOptions, TestGateway } from "./test-gateway.ts";
import { monthly, refusalOf, Shelf } from "./test-catalogue.ts";

/** A customer who subscribes. Orders are paid as the module of payments would: their lines move, and their subscriptions hear of it. */
export class Subscriber {
  readonly shelf: Shelf;
  customerId = 0;

  constructor(
    readonly gateway: TestGateway,
    readonly options?: RequestOptions,
    readonly vendorId = gateway.vendor.id,
  ) {
    this.shelf = new Shelf(gateway, options);
  }

  /** Work on the services in one transaction, at the time of the test's clock. */
  work<T>(work: (services: Services) => Promise<T>): Promise<T> {
    return this.gateway.database.transaction((handle) => work(servicesOn(handle, this.gateway.clock.now())));
  }

  async customer(): Promise<number> {
    const { createCustomer } = await this.gateway.data(
      "mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { databaseId } } }",
      { input: { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" } },
      this.options,
    );
    this.customerId = createCustomer.customer.databaseId;
    return this.customerId;
  }

  /** A service with one plan: the codes that an order takes. */
  async offer(plan: object, product: object = {}): Promise<{ productCode: string; priceCode: string }> {
    const made = await this.shelf.product({ type: "SOFTWARE", name: "Journal", ...product });
    const { code: priceCode } = await this.shelf.plan(made.databaseId, { type: "FLAT", price: "10000", ...plan });
    return { productCode: made.code, priceCode };
  }

  async order(items: readonly object[], input: object = {}, selection = "databaseId"): Promise<any> {
    if (this.customerId === 0) await this.customer();
    const { createOrder } = await this.gateway.data(
      `mutation ($input: CreateOrderInput!) { createOrder(input: $input) { order { ${selection} } } }`,
      { input: { customerId: String(this.customerId), items, ...input } },
      this.options,
    );
    return createOrder.order;
  }

  async pay(orderId: number, how: HowPaid = {}): Promise<void> {
    await this.work(async ({ orderItems, subscriptionOrders }) => {
      await orderItems.moveWhole(this.vendorId, orderId, { trigger: "payOrder", actor: how.actor ?? "CUSTOMER" });
      await subscriptionOrders.paid(this.vendorId, orderId, how);
    });
  }

  /** A stored payment method of the customer. */
  async method(): Promise<number> {
    const rows = (await this.gateway.database.handle.execute(sql`
      insert into payment_methods (vendor_id, customer_id, payment_info, method, gateway, created_at)
      values (${this.vendorId}::bigint, ${this.customerId}::bigint, 'Card 4242', 'CARD', 'HOUSE', now()) returning id`)) as Iterable<{
      id: string;
    }>;
    return Number([...rows][0]!.id);
  }

  /** Orders and pays, and answers the numbers of the subscriptions that were born. */
  async subscribe(items: readonly object[], input: object = {}): Promise<number[]> {
    const { databaseId } = await this.order(items, input);
    await this.pay(databaseId, { methodId: await this.method() });
    const { order } = await this.gateway.data(
      "query ($id: ID!) { order(id: $id) { subscriptions { databaseId } } }",
      { id: String(databaseId) },
      this.options,
    );
    return order.subscriptions.map((one: { databaseId: number }) => one.databaseId);
  }

  async read(id: number, selection: string): Promise<any> {
    const query = `query ($id: ID!) { subscription(id: $id) { ${selection} } }`;
    return (await this.gateway.data(query, { id: String(id) }, this.options)).subscription;
  }

  /** A mutation with one input, about a subscription. */
  send(name: string, id: number, input: object = {}, selection = "subscription { status }") {
    return this.shelf.send(name, { subscriptionId: String(id), ...input }, selection);
  }

  /** The payload of a mutation that must succeed. */
  async done(name: string, id: number, input: object = {}, selection = "subscription { status }"): Promise<any> {
    const { data, errors } = await this.send(name, id, input, selection);
    if (errors) throw new Error(`${name} failed: ${JSON.stringify(errors)}`);
    return data[name];
  }

  /** What a mutation is refused with. */
  async refused(name: string, id: number, input: object = {}, selection?: string): Promise<string[]> {
    return refusalOf(await this.send(name, id, input, selection));
  }

  /** What is charged next. */
  async preview(id: number): Promise<any> {
    const query = `query ($id: ID!) { previewSubscriptionCharge(subscriptionId: $id) { date amount currency periodStart periodEnd
      calculateStartDate calculateEndDate lines { type name itemCode quantity unitPrice amount usedCount unitCount usageFormula } } }`;
    return (await this.gateway.data(query, { id: String(id) }, this.options)).previewSubscriptionCharge;
  }

  /** Moves the clock to an instant, and lets happen what happens by itself until then; charges succeed unless told. */
  async until(instant: string, outcome: "paid" | "failed" = "paid"): Promise<void> {
    const { clock } = this.gateway;
    for (;;) {
      const next = await this.nextDue(new Date(instant));
      if (next === null) break;
      if (next > clock.now()) clock.set(next);
      await this.work(({ subscriptionEnding }) => subscriptionEnding.actOnDue(this.vendorId, 10));
      await this.renew(outcome);
    }
    clock.set(instant);
  }

  /** Charges what is due now, as a worker would. Answers the numbers of the orders. */
  async renew(outcome: "paid" | "failed" = "paid"): Promise<number[]> {
    const lease = new Date(this.gateway.clock.now().getTime() + 60_000);
    const orders = await this.work(async ({ subscriptionRenewals, renewalOrders }) => {
      const made: { id: number; subscriptionId: number; isPaid: boolean }[] = [];
      for (const record of await subscriptionRenewals.due(this.vendorId, 10)) {
        const claimed = await subscriptionRenewals.claim(this.vendorId, record, lease);
        const { id, amount } = await renewalOrders.make(this.vendorId, claimed);
        made.push({ id, subscriptionId: record.id, isPaid: amount.eq(0) });
      }
      return made;
    });
    for (const { id, subscriptionId } of orders.filter(({ isPaid }) => !isPaid)) {
      if (outcome === "paid") await this.pay(id, { actor: "SYSTEM" });
      else
        await this.work(({ subscriptionRenewals }) =>
          subscriptionRenewals.failed(this.vendorId, subscriptionId, id, "51"),
        );
    }
    return orders.map(({ id }) => id);
  }

  private async nextDue(until: Date): Promise<Date | null> {
    const rows = (await this.gateway.database.handle.execute(sql`
      select least(act_at, case when status in ('ACTIVE', 'QUEUEING', 'PENDING_PAUSE', 'PENDING_CANCEL') then next_payment_date end) as due
      from subscriptions where vendor_id = ${this.vendorId}::bigint and status not in ('CANCELED', 'EXPIRED')
      order by 1 nulls last limit 1`)) as Iterable<{ due: string | null }>;
    const due = [...rows][0]?.due;
    return due != null && new Date(due) <= until ? new Date(due) : null;
  }
}

/** A subscriber of a new vendor. */
async function subscriberAt(gateway: TestGateway, now: string): Promise<Subscriber> {
  gateway.clock.set(now);
  const { id, token } = await gateway.openVendor();
  return new Subscriber(gateway, { token }, id);
}

/** A subscription of April, 30 days, at 30000 a month. */
export async function subscriptionOfApril(gateway: TestGateway, plan: object = {}, quantity = 1, product: object = {}) {
  const subscriber = await subscriberAt(gateway, "2026-04-01T00:00:00Z");
  const offer = await subscriber.offer({ recurring: monthly, price: "30000", ...plan }, product);
  const [id] = await subscriber.subscribe([{ ...offer, minimumQuantity: quantity }]);
  const [{ code }] = (await subscriber.read(id!, "items { code }")).items;
  return { subscriber, id: id!, code: code as string, offer };
}

/** What became of a change of a subscription. */
export const settled =
  "refundableAmount order { databaseId type amount items { type amount quantity orderedProductName } }";
