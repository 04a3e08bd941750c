import { setTimeout as sleep } from "node:timers/promises";
import { customerBody } from "./fault-client.ts";
import { TOKEN } from "./gateway-process.ts";

const CALLERS = 4;
const headers = { "secret-token": TOKEN, "content-type": "application/json" };
const COUNT = { query: "{ orders(first: 1) { totalCount } }" };

/** What a caller does in turn: writes of customers and orders, lists over REST, a count over GraphQL. */
const requests: readonly (() => { path: string; body?: object })[] = [
  () => ({ path: "/api/v1/cover/customer", body: customerBody() }),
  () => ({ path: "/api/v1/customers?size=2" }),
  () => ({ path: "/api/v1/orders", body: orderBody }),
  () => ({ path: "/graphql", body: COUNT }),
];

/** An order of the demo's first customer, of a product that cannot run out. */
const orderBody = {
  customerId: 1,
  items: [{ productCode: "product_LatteClas", priceCode: "price_LatteCla1" }],
};

/** Callers that send requests one after the other, until they are stopped. */
export class RollingLoad {
  /** How often each status was answered; the text of an error where no answer came. */
  readonly statuses = new Map<number | string, number>();
  /** The ids of the orders that were created. */
  readonly orderIds: number[] = [];
  private readonly stopping = new AbortController();
  private readonly callers: Promise<unknown>;

  constructor(private readonly address: string) {
    this.callers = Promise.all(Array.from({ length: CALLERS }, (_, caller) => this.run(caller)));
  }

  /** Stops after the requests in progress. @returns the number of requests. */
  async stop(): Promise<number> {
    this.stopping.abort();
    await this.callers;
    return [...this.statuses.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The number of orders, as the API counts them. */
  async countOrders(): Promise<number> {
    const answer = await fetch(`${this.address}/graphql`, { headers, method: "POST", body: JSON.stringify(COUNT) });
    return ((await answer.json()) as { data: { orders: { totalCount: number } } }).data.orders.totalCount;
  }

  private async run(caller: number): Promise<void> {
    for (let turn = caller; !this.stopping.signal.aborted; turn++) {
      const status = await this.send(turn).catch((error: unknown) => String(error));
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
      await sleep(2);
    }
  }

  private async send(turn: number): Promise<number> {
    const { path, body } = requests[turn % requests.length]!();
    const answer = await fetch(this.address + path, {
      headers,
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (path === "/api/v1/orders" && answer.status === 201)
      this.orderIds.push((JSON.parse(text) as { orderId: number }).orderId);
    return answer.status;
  }
}
