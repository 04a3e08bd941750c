import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { testCards, cardInput } from "../support/test-payments.ts";
import type { RawData } from "../support/raw-data.ts";
import type { CellMerchant } from "./cell-merchant.ts";

const REQUEST_LIMIT_MS = 30_000;
const PAUSE_MS = 50;
/** Refusals after which the outcome is open: the same key finds it. */
const OPEN = new Set(["UNAVAILABLE", "INTERNAL_ERROR", "REQUEST_IN_PROGRESS", "IDEMPOTENCY_KEY_IN_USE"]);

/** What a merchant sells. */
export interface Offer {
  customerId: string;
  productCode: string;
  priceCode: string;
}

/** Creates a customer and a product that is sold once. */
export async function createOffer(merchant: CellMerchant): Promise<Offer> {
  const { customer } = await merchant.mutate(
    "createCustomer",
    { name: "Lee Ji-ho", email: "jiho@example.com", phone: "010-8765-4321" },
    "customer { databaseId }",
  );
  const { product } = await merchant.mutate(
    "createProduct",
    { type: "BOX", name: "Mug" },
    "product { databaseId code }",
  );
  const { pricePlan } = await merchant.mutate(
    "createPricePlan",
    { productId: String(product.databaseId), type: "ONE_TIME", price: "9900", plan: { name: "Once" } },
    "pricePlan { code }",
  );
  return { customerId: String(customer.databaseId), productCode: product.code, priceCode: pricePlan.code };
}

/** Orders, payments and customers of a merchant, each under an idempotency key and sent again until it is answered. */
export class ClusterLoad {
  /** Codes of orders that were answered with 201. */
  readonly orders: string[] = [];
  /** Numbers of orders whose payment was answered as SUCCEEDED. */
  readonly paidOrderIds: number[] = [];
  /** Requests without an answer, or answered with 5xx. */
  failures = 0;
  /** The longest time that an answer took. */
  slowestMs = 0;
  private readonly stopping = new AbortController();
  private fault: Error | undefined;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly merchant: CellMerchant,
    private readonly offer: Offer,
  ) {}

  /** Starts so many callers, of whom each has one request under way. */
  start(callers: number): void {
    this.running = Promise.all(Array.from({ length: callers }, () => this.call())).catch((error: unknown) => {
      this.fault = error instanceof Error ? error : new Error(String(error));
    });
  }

  /** Ends the callers. @throws what one of them was refused. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    if (this.fault) throw this.fault;
  }

  /** Waits until so many more orders were paid. */
  async waitForPayments(count: number): Promise<void> {
    const goal = this.paidOrderIds.length + count;
    for (const deadline = Date.now() + 180_000; this.paidOrderIds.length < goal; await sleep(10))
      if (this.fault) throw this.fault;
      else if (Date.now() > deadline) throw new Error("The cell does not serve again.");
  }

  private async call(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const { customerId, productCode, priceCode } = this.offer;
      const items = [{ productCode, priceCode }];
      const created = await this.mutateUntilAnswered("createOrder", { customerId, items }, "order { databaseId code }");
      if (!created) continue;
      const { databaseId, code } = created.order;
      this.orders.push(code);
      const payment = { orderId: String(databaseId), method: "CARD", card: cardInput(testCards.approved) };
      const paid = await this.mutateUntilAnswered("payOrder", payment, "payment { state }");
      if (paid?.payment.state === "SUCCEEDED") this.paidOrderIds.push(databaseId);
    }
  }

  /** Sends a mutation under one key until its outcome is known. @throws if it is refused: nothing in it is wrong. */
  private async mutateUntilAnswered(name: string, input: object, selection: string): Promise<RawData> {
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`;
    const key = { "idempotency-key": randomUUID() };
    while (!this.stopping.signal.aborted) {
      const startedAt = performance.now();
      const { status, body } = await this.merchant
        .send(query, { input }, key, AbortSignal.timeout(REQUEST_LIMIT_MS))
        .catch(
          // The connection was lost, or the time was up.
          () => ({ status: 0, body: undefined }),
        );
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
      const refusal = body?.errors?.[0]?.extensions.code as string | undefined;
      if (status === 200 && refusal === undefined) return body.data[name];
      if (status !== 0 && !OPEN.has(refusal ?? "")) throw new Error(JSON.stringify(body));
      this.failures++;
      await sleep(PAUSE_MS);
    }
    return undefined;
  }
}
