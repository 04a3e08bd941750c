import { sql } from "drizzle-orm";
import { servicesOn, type Services } from "../../src/graphql/context.ts";
import type { HowPaid } from "../../src/orders/subscription-order.service.ts";
import type { RequestOptions, TestGateway } from "./gateway.ts";
import { Shelf } from "./shelf.ts";

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
}
