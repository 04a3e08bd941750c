import { sql } from "drizzle-orm";
import { createServices, type Services } from "../../src/graphql/services.ts";
import type { PaymentDetails } from "../../src/subscriptions/subscription-payment.service.ts";
import type { MutationName, Payload, PayloadSelection, Selected, SelectionOf } from "./answers.ts";
import type { GraphQLResponse, RequestOptions, TestGateway } from "./test-gateway.ts";
import { everyMonth, graphqlRefusalOf, TestCatalogue } from "./test-catalogue.ts";

/**
 * A customer who subscribes. Orders are paid as the payments module would: their lines change state, and their
 * subscriptions are informed.
 */
export class TestSubscriber {
  readonly catalogue: TestCatalogue;
  customerId = 0;

  constructor(
    readonly gateway: TestGateway,
    readonly options?: RequestOptions,
    readonly vendorId = gateway.vendor.id,
  ) {
    this.catalogue = new TestCatalogue(gateway, options);
  }

  /** Calls the services in one transaction, at the time of the test clock. */
  withServices<T>(work: (services: Services) => Promise<T>): Promise<T> {
    return this.gateway.database.transaction((handle) => work(createServices(handle, this.gateway.clock.now())));
  }

  async createCustomer(): Promise<number> {
    const { createCustomer } = await this.gateway.queryData(
      "mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { databaseId } } }",
      { input: { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" } },
      this.options,
    );
    this.customerId = createCustomer.customer.databaseId;
    return this.customerId;
  }

  /** A service with one plan: the codes that an order takes. */
  async createOffer(plan: object, product: object = {}): Promise<{ productCode: string; priceCode: string }> {
    const made = await this.catalogue.createProduct({ type: "SOFTWARE", name: "Journal", ...product });
    const { code: priceCode } = await this.catalogue.createPlan(made.databaseId, {
      type: "FLAT",
      price: "10000",
      ...plan,
    });
    return { productCode: made.code, priceCode };
  }

  async createOrder(items: readonly object[], input: object = {}) {
    if (this.customerId === 0) await this.createCustomer();
    const { createOrder } = await this.gateway.queryData(
      `mutation ($input: CreateOrderInput!) { createOrder(input: $input) { order { databaseId } } }`,
      { input: { customerId: String(this.customerId), items, ...input } },
      this.options,
    );
    return createOrder.order;
  }

  async payOrder(orderId: number, how: PaymentDetails = {}): Promise<void> {
    await this.withServices(async ({ orderRecords, orderItems, subscriptionPayments }) => {
      await orderItems.transitionOrder(this.vendorId, orderId, { trigger: "payOrder", actor: how.actor ?? "CUSTOMER" });
      await subscriptionPayments.applyPayment(this.vendorId, await orderRecords.byId(this.vendorId, orderId), how);
    });
  }

  /** A stored payment method of the customer. */
  async storePaymentMethod(): Promise<number> {
    const rows = (await this.gateway.database.handle.execute(sql`
      insert into payment_methods (vendor_id, customer_id, payment_info, method, gateway, created_at)
      values (${this.vendorId}::bigint, ${this.customerId}::bigint, 'Card 4242', 'CARD', 'HOUSE', now()) returning id`)) as Iterable<{
      id: string;
    }>;
    return Number([...rows][0]!.id);
  }

  /** Orders and pays, and returns the numbers of the activated subscriptions. */
  async subscribe(items: readonly object[], input: object = {}): Promise<number[]> {
    const { databaseId } = await this.createOrder(items, input);
    await this.payOrder(databaseId, { methodId: await this.storePaymentMethod() });
    const { order } = await this.gateway.queryData(
      "query ($id: ID!) { order(id: $id) { subscriptions { databaseId } } }",
      { id: String(databaseId) },
      this.options,
    );
    return order!.subscriptions.map((one) => one.databaseId);
  }

  async readSubscription<S extends SelectionOf<"Subscription">>(
    id: number,
    selection: S,
  ): Promise<Selected<"Subscription", S>> {
    const query = `query ($id: ID!) { subscription(id: $id) { ${selection} } }`;
    return (await this.gateway.queryRawData(query, { id: String(id) }, this.options)).subscription;
  }

  /** A mutation with one input, about a subscription. */
  sendMutation<N extends MutationName, S extends PayloadSelection<N> = PayloadSelection<N> & "subscription { status }">(
    name: N,
    id: number,
    input: object = {},
    selection?: S,
  ): Promise<GraphQLResponse<Record<N, Payload<N, S>>>> {
    const completeInput = { subscriptionId: String(id), ...input };
    return this.catalogue.sendRawMutation(name, completeInput, selection ?? "subscription { status }");
  }

  /** The payload of a mutation that must succeed. */
  async runMutation<
    N extends MutationName,
    S extends PayloadSelection<N> = PayloadSelection<N> & "subscription { status }",
  >(name: N, id: number, input: object = {}, selection?: S): Promise<Payload<N, S>> {
    const { data, errors } = await this.sendMutation(name, id, input, selection);
    if (errors) throw new Error(`${name} failed: ${JSON.stringify(errors)}`);
    return data![name];
  }

  /** The refusal of a mutation. */
  async refusalOfMutation(
    name: MutationName,
    id: number,
    input: object = {},
    selection = "subscription { status }",
  ): Promise<string[]> {
    return graphqlRefusalOf(
      await this.catalogue.sendRawMutation(name, { subscriptionId: String(id), ...input }, selection),
    );
  }

  /** The next charge. */
  async previewCharge(id: number) {
    const query = `query ($id: ID!) { previewSubscriptionCharge(subscriptionId: $id) { date amount currency periodStart periodEnd
      calculateStartDate calculateEndDate lines { type name itemCode quantity unitPrice amount usedCount unitCount usageFormula } } }`;
    return (await this.gateway.queryData(query, { id: String(id) }, this.options)).previewSubscriptionCharge;
  }

  /** Moves the clock to an instant, and runs all work that is due until then. Charges succeed by default. */
  async advanceTo(instant: string, outcome: "paid" | "failed" = "paid"): Promise<void> {
    const { clock } = this.gateway;
    for (;;) {
      const next = await this.nextDue(new Date(instant));
      if (next === null) break;
      if (next > clock.now()) clock.setTo(next);
      await this.withServices(({ subscriptionStop }) => subscriptionStop.applyDueTransitions(this.vendorId, 10));
      await this.renewDue(outcome);
    }
    clock.setTo(instant);
  }

  /** Charges what is due now, as a worker would. Returns the numbers of the orders. */
  async renewDue(outcome: "paid" | "failed" = "paid"): Promise<number[]> {
    const lease = new Date(this.gateway.clock.now().getTime() + 60_000);
    const orders = await this.withServices(async ({ subscriptionRenewals, renewalOrders }) => {
      const made: { id: number; subscriptionId: number; isPaid: boolean }[] = [];
      for (const record of await subscriptionRenewals.lockDue(this.vendorId, 10)) {
        const claimed = await subscriptionRenewals.claimRenewal(this.vendorId, record, lease);
        const { id, amount } = await renewalOrders.createRenewalOrder(this.vendorId, claimed);
        made.push({ id, subscriptionId: record.id, isPaid: amount.eq(0) });
      }
      return made;
    });
    for (const { id, subscriptionId } of orders.filter(({ isPaid }) => !isPaid)) {
      if (outcome === "paid") await this.payOrder(id, { actor: "SYSTEM" });
      else
        await this.withServices(({ subscriptionRenewals }) =>
          subscriptionRenewals.markUnpaid(this.vendorId, subscriptionId, id, "51"),
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
async function createSubscriberAt(gateway: TestGateway, now: string): Promise<TestSubscriber> {
  gateway.clock.setTo(now);
  const { id, token } = await gateway.openVendor();
  return new TestSubscriber(gateway, { token }, id);
}

/** A subscription of April, 30 days, at 30000 a month. */
export async function createAprilSubscription(
  gateway: TestGateway,
  plan: object = {},
  quantity = 1,
  product: object = {},
) {
  const subscriber = await createSubscriberAt(gateway, "2026-04-01T00:00:00Z");
  const offer = await subscriber.createOffer({ recurring: everyMonth, price: "30000", ...plan }, product);
  const [id] = await subscriber.subscribe([{ ...offer, minimumQuantity: quantity }]);
  const [item] = (await subscriber.readSubscription(id!, "items { code }")).items;
  return { subscriber, id: id!, code: item!.code, offer };
}

/** The result of a change of a subscription. */
export const changeSelection =
  "refundableAmount order { databaseId type amount items { type amount quantity orderedProductName } }";
