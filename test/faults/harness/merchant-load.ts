import { setTimeout as sleep } from "node:timers/promises";
import { customerBody, keyed, openShop, orderBody, send, type Entry, type Shop } from "./fault-client.ts";

/** Merchants at work at the same time. */
const MERCHANTS = 6;

/** How long a request with a key is sent again before the client gives up. */
const GIVE_UP_MS = 30_000;

/**
 * Merchants who register customers and orders, report failures and payments, and write down each request and answer.
 * A request with a key is sent again until it is answered, as a careful client does; one without is sent once.
 */
export class Load {
  readonly log: Entry[] = [];
  private stopping = false;
  private merchants: Promise<void>[] = [];

  /** `address` is asked anew for each try: a gateway that was started again listens elsewhere. */
  constructor(private readonly address: () => string) {}

  /** Opens a shop for each merchant, and sets all of them to work. */
  async start(): Promise<void> {
    const shops = await Promise.all(Array.from({ length: MERCHANTS }, () => openShop(this.address())));
    this.merchants = shops.map((shop) => this.work(shop));
  }

  /** Lets everybody finish. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.merchants);
  }

  /** What was taken so far. */
  get taken(): number {
    return this.log.filter(({ acknowledged }) => acknowledged).length;
  }

  /** How long the slowest answer took. */
  get slowestMs(): number {
    return Math.max(...this.log.map(({ waitedMs }) => waitedMs ?? 0));
  }

  /** Waits until so many more requests were taken: only then is the gateway surely at work. */
  async progress(requests: number, patienceMs = GIVE_UP_MS): Promise<void> {
    const goal = this.taken + requests;
    for (const deadline = Date.now() + patienceMs; this.taken < goal; await sleep(5)) {
      if (Date.now() > deadline) throw new Error(`Only ${this.taken} of ${goal} requests were taken.`);
    }
  }

  private async work(shop: Shop): Promise<void> {
    for (let turn = 0; !this.stopping; turn++) {
      // An outage is answered at once, and to ask again at once would only make it worse.
      if (!(await this.story(shop, turn))) await sleep(20);
    }
  }

  /** The life of an order, as far as it comes: whether all went well. */
  private async story(shop: Shop, turn: number): Promise<boolean> {
    const withKey = turn % 2 === 0;
    const post = (path: string, body: any) => this.tell(withKey ? keyed(path, body) : { method: "POST", path, body });
    if (!(await post("/cover/customer", customerBody()))) return false;
    const order = await post("/cover/order", orderBody(shop));
    if (!order) return false;
    const failure = { subscriptionId: shop.subscriptionId, orderId: order.id };
    if (!(await post("/cover/recovery", { ...failure, errorCode: "51" }))) return false;
    // In other words it is another failure, not the first one told again.
    if (!(await post("/cover/recovery", { ...failure, errorCode: "91", errorMessage: "issuer down" }))) return false;
    if (turn % 3 > 0) return true;
    return Boolean(await this.tell({ method: "PATCH", path: `/cover/order/success/${String(order.id)}` }));
  }

  /** Sends a request, by its key until it is answered. */
  private async tell(request: Omit<Entry, "tries">): Promise<any> {
    const entry: Entry = { ...request, tries: [] };
    this.log.push(entry);
    for (const deadline = Date.now() + GIVE_UP_MS; ; await sleep(25)) {
      const asked = Date.now();
      const answer = await send(this.address(), entry);
      entry.tries.push(answer);
      entry.waitedMs = Math.max(entry.waitedMs ?? 0, Date.now() - asked);
      if (answer.status === 200 || answer.status === 201) return (entry.acknowledged = answer.body);
      const again = answer.status === undefined || answer.status === 503 || answer.status === 409;
      if (!again || !entry.key || Date.now() > deadline) return undefined;
    }
  }
}
