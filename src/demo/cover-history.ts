import type { Handle } from "../database/client.ts";
import { createServices, type Services } from "../graphql/services.ts";
import { toAmount } from "../kernel/amounts.ts";
import type { RecoveryVendor } from "../recovery/covers/cover.facts.ts";
import type { DemoCalendar } from "./calendar.ts";
import { payers, type DemoPayer } from "./cover-payers.ts";

/** Partner id of the open renewal that the README's example recovers. */
export const OPEN_RENEWAL_ID = "renewal-open";

/**
 * Builds two months of registered orders and covers through the services that merchants use. The clock of each call is
 * set to the call's time.
 */
export class CoverHistory {
  constructor(
    private readonly handle: Handle,
    private readonly calendar: DemoCalendar,
  ) {}

  async create(vendor: RecoveryVendor): Promise<void> {
    const { id } = vendor;
    const product = await this.servicesDaysAgo(61).coverProducts.register(id, {
      name: "House blend, 500 g",
      partnerProductId: "beans-500",
    });
    const plan = await this.servicesDaysAgo(61).coverPrices.register(id, {
      name: "Every month",
      productId: product.id,
      price: toAmount(18_900),
      partnerPriceId: "beans-500-monthly",
      recurringInterval: "MONTH",
    });
    for (const [index, payer] of payers.entries()) await this.createForPayer(vendor, plan.id, payer, index);
  }

  private async createForPayer(
    vendor: RecoveryVendor,
    priceId: number,
    payer: DemoPayer,
    index: number,
  ): Promise<void> {
    const { outcome, ...contact } = payer;
    const customer = await this.servicesDaysAgo(60).coverCustomers.register(vendor.id, {
      ...contact,
      partnerCustomerId: `member-${index + 1}`,
    });
    const order = (daysAgo: number, name: string, fields: object) =>
      this.servicesDaysAgo(daysAgo).coverOrders.register(vendor, {
        customerId: customer.id,
        amount: toAmount(18_900),
        items: [{ priceId, quantity: 1 }],
        partnerOrderId: name,
        ...fields,
      });
    const first = await order(60, `first-${index + 1}`, { paymentDate: this.daysAgo(60) });
    const { id: subscriptionId } = await this.servicesDaysAgo(60).coverSubscriptions.register(vendor.id, {
      customerId: customer.id,
      partnerSubscriptionId: `membership-${index + 1}`,
      currentPeriodStart: this.daysAgo(30),
      currentPeriodEnd: this.daysAgo(0),
      recurringInterval: "MONTH",
      recurringIntervalCount: 1,
      initialOrderId: first.id,
    });
    await order(30, `renewal-1-${index + 1}`, { subscriptionId, paymentDate: this.daysAgo(30) });
    if (outcome === "open") {
      await order(0, OPEN_RENEWAL_ID, { subscriptionId });
      return;
    }
    const renewal = `renewal-2-${index + 1}`;
    if (outcome === "paid") {
      await order(2, renewal, { subscriptionId, paymentDate: this.daysAgo(2) });
      return;
    }
    const failed = await order(outcome.failedDaysAgo, renewal, {
      subscriptionId,
      paymentFailed: true,
      errorCode: outcome.code,
    });
    for (const day of outcome.retriedDaysAgo)
      await this.servicesDaysAgo(day).covers.startOrContinue(vendor, {
        subscriptionId,
        orderId: failed.id,
        errorCode: outcome.code,
      });
    if (outcome.paidDaysAgo !== undefined)
      await this.servicesDaysAgo(outcome.paidDaysAgo).coverOrderTransitions.markPaid(vendor.id, failed.id, {});
    if (outcome.canceledDaysAgo !== undefined)
      await this.servicesDaysAgo(outcome.canceledDaysAgo).coverSubscriptions.cancel(vendor.id, subscriptionId);
  }

  private daysAgo(days: number): Date {
    return this.calendar.daysAgo(days);
  }

  /** Services whose clock is some days before the present. */
  private servicesDaysAgo(daysAgo: number): Services {
    return createServices(this.handle, this.daysAgo(daysAgo));
  }
}
