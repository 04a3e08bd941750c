import type { Handle } from "../database/client.ts";
import { servicesOn, type Services } from "../graphql/services.ts";
import { amountOf } from "../kernel/amounts.ts";
import type { ScenarioVendor } from "../recovery/covers/cover.facts.ts";
import type { Calendar } from "./calendar.ts";
import { payers, type Payer } from "./cover-payers.ts";

/** The renewal that the README recovers. */
export const OPEN_ORDER = "renewal-open";

/** Two months of a coffee club, told through the services that merchants use, at the times at which they would have. */
export class CoverHistory {
  constructor(
    private readonly handle: Handle,
    private readonly calendar: Calendar,
  ) {}

  async tell(vendor: ScenarioVendor): Promise<void> {
    const { id } = vendor;
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
    return this.calendar.ago(days);
  }

  /** The services as they were some days ago. */
  private on(daysAgo: number): Services {
    return servicesOn(this.handle, this.ago(daysAgo));
  }
}
