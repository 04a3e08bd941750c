import { sql } from "drizzle-orm";
import type { Database, Handle } from "../database/client.ts";
import { repositoriesOn, servicesOn, type Services } from "../graphql/context.ts";
import type { SandboxFill } from "../http/sandbox.ts";
import { amountOf } from "../kernel/amounts.ts";
import type { Clock } from "../kernel/clock.ts";
import { invariant } from "../kernel/errors.ts";
import { ApiKeyRepository } from "../vendors/api-key.repository.ts";
import { ApiKeyService, hashToken } from "../vendors/api-key.service.ts";
import type { ScenarioVendor } from "../recovery/cover.case.ts";
import { payers, type Payer } from "./payers.ts";

/** Any number will do, as long as every version of the gateway uses the same one. */
const DEMO_LOCK = 7_264_587_402;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const PLACE = { zoneId: "Asia/Seoul", currency: "KRW", country: "KR" };

/** The renewal that the README recovers. */
const OPEN_ORDER = "renewal-open";

/**
 * Fills a database with a sandbox vendor whose history is always the same, counted back from the present hour.
 * Where the demo token is known already, it only finds the vendor again.
 */
export async function seedDemo(database: Database, clock: Clock, token: string): Promise<SandboxFill> {
  return database.transaction(async (handle) => {
    // Two gateways may start at once on a new database: one tells the history, the other finds it.
    await handle.execute(sql`select pg_advisory_xact_lock(${DEMO_LOCK}::bigint)`);
    const known = await new ApiKeyRepository(handle).live(hashToken(token));
    const vendorId = known?.vendor.id ?? (await new History(handle, clock.now()).tell(token));
    const order = await repositoriesOn(handle).coverOrders.byPartnerId(vendorId, OPEN_ORDER);
    invariant(order?.subscriptionId, "the demo vendor has its open renewal");
    return { token, open: { subscriptionId: order.subscriptionId, orderId: order.id } };
  });
}

/** Two months of a coffee club, told through the services that merchants use, at the times at which they would have. */
class History {
  private readonly present: number;

  constructor(
    private readonly handle: Handle,
    now: Date,
  ) {
    this.present = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  }

  async tell(token: string): Promise<number> {
    const { vendors } = this.on(90);
    const id = await vendors.open({
      name: "Seoul Coffee Club (demo)",
      ...PLACE,
      sandbox: true,
    });
    await new ApiKeyService(new ApiKeyRepository(this.handle), this.ago(90)).adopt(id, "demo", token);
    const vendor = { id, ...PLACE };
    const product = await this.on(61).coverProducts.register(id, {
      name: "House blend, 500 g",
      partnerProductId: "beans-500",
    });
    const plan = await this.on(61).coverPrices.register(id, {
      name: "Every month",
      productId: product.id,
      price: amountOf(18_900),
      partnerPriceId: "beans-500-monthly",
      recurringInterval: "MONTH",
    });
    for (const [index, payer] of payers.entries()) await this.tellOf(vendor, plan.id, payer, index);
    return id;
  }

  private async tellOf(vendor: ScenarioVendor, priceId: number, payer: Payer, index: number): Promise<void> {
    const { story, ...person } = payer;
    const customer = await this.on(60).coverCustomers.register(vendor.id, {
      ...person,
      partnerCustomerId: `member-${index + 1}`,
    });
    const order = (daysAgo: number, name: string, rest: object) =>
      this.on(daysAgo).coverOrders.register(vendor, {
        customerId: customer.id,
        amount: amountOf(18_900),
        items: [{ priceId, quantity: 1 }],
        partnerOrderId: name,
        ...rest,
      });
    const first = await order(60, `first-${index + 1}`, { paymentDate: this.ago(60) });
    const { id: subscriptionId } = await this.on(60).coverSubscriptions.register(vendor.id, {
      customerId: customer.id,
      partnerSubscriptionId: `membership-${index + 1}`,
      currentPeriodStart: this.ago(30),
      currentPeriodEnd: this.ago(0),
      recurringInterval: "MONTH",
      recurringIntervalCount: 1,
      initialOrderId: first.id,
    });
    await order(30, `renewal-1-${index + 1}`, { subscriptionId, paymentDate: this.ago(30) });
    if (story === "open") {
      await order(0, OPEN_ORDER, { subscriptionId });
      return;
    }
    const renewal = `renewal-2-${index + 1}`;
    if (story === "paid") {
      await order(2, renewal, { subscriptionId, paymentDate: this.ago(2) });
      return;
    }
    const failed = await order(story.failedDaysAgo, renewal, {
      subscriptionId,
      paymentFailed: true,
      errorCode: story.code,
    });
    for (const day of story.retriedDaysAgo)
      await this.on(day).covers.start(vendor, { subscriptionId, orderId: failed.id, errorCode: story.code });
    if (story.paidDaysAgo !== undefined)
      await this.on(story.paidDaysAgo).orderMoves.markPaid(vendor.id, failed.id, false);
    if (story.canceledDaysAgo !== undefined)
      await this.on(story.canceledDaysAgo).coverSubscriptions.cancel(vendor.id, subscriptionId);
  }

  private ago(days: number): Date {
    return new Date(this.present - days * DAY_MS);
  }

  /** The services as they were some days ago. */
  private on(daysAgo: number): Services {
    return servicesOn(this.handle, this.ago(daysAgo));
  }
}
