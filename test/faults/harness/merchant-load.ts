import { setTimeout as sleep } from "node:timers/promises";
import type { RawData } from "../../support/raw-data.ts";
import {
  customerBody,
  keyedRequest,
  createFaultFixture,
  orderBody,
  sendRequest,
  type LoggedRequest,
  type FaultFixture,
} from "./fault-client.ts";

/** Merchants at work at the same time. */
const MERCHANT_COUNT = 6;

/** How long a request with a key is repeated before the client gives up. */
const RETRY_TIMEOUT_MS = 30_000;

/**
 * Merchants who register customers and orders, report failures and payments, and write down each request and answer.
 * A request with a key is sent again until it is answered, as a careful client does; one without is sent once.
 */
export class MerchantLoad {
  readonly log: LoggedRequest[] = [];
  private stopping = false;
  private merchants: Promise<void>[] = [];

  /** `address` is called for each attempt: a restarted gateway listens elsewhere. */
  constructor(private readonly address: () => string) {}

  /** Opens a shop for each merchant, and starts all of them. */
  async start(): Promise<void> {
    const shops = await Promise.all(Array.from({ length: MERCHANT_COUNT }, () => createFaultFixture(this.address())));
    this.merchants = shops.map((shop) => this.runMerchant(shop));
  }

  /** Lets all merchants finish. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.merchants);
  }

  /** The requests accepted so far. */
  get acceptedCount(): number {
    return this.log.filter(({ acknowledged }) => acknowledged).length;
  }

  /** How long the slowest answer took. */
  get slowestMs(): number {
    return Math.max(...this.log.map(({ slowestMs }) => slowestMs ?? 0));
  }

  /** Waits until so many more requests were accepted: only then is the gateway surely at work. */
  async waitForProgress(requests: number, patienceMs = RETRY_TIMEOUT_MS): Promise<void> {
    const goal = this.acceptedCount + requests;
    for (const deadline = Date.now() + patienceMs; this.acceptedCount < goal; await sleep(5)) {
      if (Date.now() > deadline) throw new Error(`Only ${this.acceptedCount} of ${goal} requests were taken.`);
    }
  }

  private async runMerchant(shop: FaultFixture): Promise<void> {
    for (let round = 0; !this.stopping; round++) {
      // An outage is answered at once, and an immediate repeat would only make it worse.
      if (!(await this.runOrderLifecycle(shop, round))) await sleep(20);
    }
  }

  /** The life of an order, as far as it gets. Returns whether everything succeeded. */
  private async runOrderLifecycle(shop: FaultFixture, round: number): Promise<boolean> {
    const withKey = round % 2 === 0;
    const post = (path: string, body: object) =>
      this.sendUntilAnswered(withKey ? keyedRequest(path, body) : { method: "POST", path, body });
    if (!(await post("/cover/customer", customerBody()))) return false;
    const order = await post("/cover/order", orderBody(shop));
    if (!order) return false;
    const failure = { subscriptionId: shop.subscriptionId, orderId: order.id };
    if (!(await post("/cover/recovery", { ...failure, errorCode: "51" }))) return false;
    // Different details make it another failure, not a repeat of the first report.
    if (!(await post("/cover/recovery", { ...failure, errorCode: "91", errorMessage: "issuer down" }))) return false;
    if (round % 3 > 0) return true;
    return Boolean(await this.sendUntilAnswered({ method: "PATCH", path: `/cover/order/success/${String(order.id)}` }));
  }

  /** Sends a request; one with a key is repeated until it is answered. */
  private async sendUntilAnswered(request: Omit<LoggedRequest, "attempts">): Promise<RawData> {
    const entry: LoggedRequest = { ...request, attempts: [] };
    this.log.push(entry);
    for (const deadline = Date.now() + RETRY_TIMEOUT_MS; ; await sleep(25)) {
      const sentAt = Date.now();
      const answer = await sendRequest(this.address(), entry);
      entry.attempts.push(answer);
      entry.slowestMs = Math.max(entry.slowestMs ?? 0, Date.now() - sentAt);
      if (answer.status === 200 || answer.status === 201) return (entry.acknowledged = answer.body);
      const shouldRetry = answer.status === undefined || answer.status === 503 || answer.status === 409;
      if (!shouldRetry || !entry.key || Date.now() > deadline) return undefined;
    }
  }
}
