import type { RecurringInterval } from "../../../schema/vocabulary.ts";
import { roundAmount } from "../../kernel/amounts.ts";
import { invalidField } from "../../kernel/refusals.ts";
import type { OfferService } from "../../products/offer.service.ts";
import { toPaymentCurrency, convertPrice } from "../../products/price-plans/price.currency.ts";
import type { VendorService } from "../../vendors/vendor.service.ts";
import type { SubscriptionItemWriterService } from "./subscription-item-writer.service.ts";
import type { SubscriptionItemReaderService } from "../subscription-item-reader.service.ts";
import type { RequestOrigin } from "../subscription-transitions.service.ts";
import type { SubscriptionService } from "../subscription.service.ts";

const MAX_SCALE = 6;

/** Changes how often subscriptions are charged. */
export class SubscriptionIntervalService {
  constructor(
    private readonly deps: {
      subscriptions: SubscriptionService;
      subscriptionItemWriter: SubscriptionItemWriterService;
      subscriptionItemReader: SubscriptionItemReaderService;
      vendors: VendorService;
      offers: OfferService;
    },
  ) {}

  /**
   * Changes the billing interval from the end of the current period, each product with its plan for that interval. The
   * current interval withdraws a scheduled change.
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, INVALID_ARGUMENT if a product has no such plan.
   */
  async changeInterval(
    vendorId: number,
    id: number,
    { interval, intervalCount, ...origin }: RequestOrigin & { interval: RecurringInterval; intervalCount: number },
  ): Promise<void> {
    const record = await this.deps.subscriptionItemWriter.lockRunning(vendorId, id);
    const isUnchanged = record.interval === interval && record.intervalCount === intervalCount;
    const terms = await this.deps.vendors.billingTerms(vendorId);
    const money = toPaymentCurrency(terms, record.currency);
    const items = (await this.deps.subscriptionItemReader.itemsOf(vendorId, id)).filter(
      ({ activatedAt, removedAt }) => activatedAt !== null && removedAt === null,
    );
    const topLevelItems = items.filter(({ parentItemId }) => parentItemId === null);
    // The current interval leaves changes of plans alone if no change of the interval was scheduled.
    for (const item of isUnchanged && record.nextInterval === null ? [] : topLevelItems) {
      const plan = isUnchanged
        ? null
        : await this.deps.offers.findPlanByCycle(vendorId, item.priceId, { interval, intervalCount });
      if (plan === undefined) {
        const message = `${item.code} has no plan of the same kind that is charged every ${intervalCount} ${interval}; create one, or remove the item first.`;
        throw invalidField("interval", message);
      }
      const price = plan && roundAmount(convertPrice(money, plan.terms.price, plan.terms.currencyPrice), MAX_SCALE);
      await this.deps.subscriptionItemWriter.setNextPlan(
        vendorId,
        item.id,
        plan && price && { priceId: plan.plan.id, price },
      );
    }
    const next = isUnchanged
      ? { nextInterval: null, nextIntervalCount: null }
      : { nextInterval: interval, nextIntervalCount: intervalCount };
    const saved = await this.deps.subscriptions.saveWithDates(vendorId, { ...record, ...next });
    await this.deps.subscriptions.recordEvent(vendorId, saved, "changeInterval", {
      ...origin,
      facts: { interval, intervalCount },
    });
  }
}
