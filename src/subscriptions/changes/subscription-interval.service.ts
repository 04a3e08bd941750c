import type { RecurringInterval } from "../../../schema/vocabulary.ts";
import { rounded } from "../../kernel/amounts.ts";
import { invalidField } from "../../kernel/refusals.ts";
import type { OfferService } from "../../products/offer.service.ts";
import { moneyOf, priceIn } from "../../products/price-plans/price.currency.ts";
import type { VendorService } from "../../vendors/vendor.service.ts";
import type { SubscriptionChangesService } from "./subscription-item-writer.service.ts";
import type { SubscriptionContentsService } from "../subscription-item-reader.service.ts";
import type { Asked } from "../subscription-transitions.service.ts";
import type { SubscriptionService } from "../subscription.service.ts";

const ALL_DECIMALS = 6;

/** Changes how often subscriptions are charged. */
export class SubscriptionIntervalService {
  constructor(
    private readonly subscriptions: SubscriptionService,
    private readonly changes: SubscriptionChangesService,
    private readonly contents: SubscriptionContentsService,
    private readonly vendors: VendorService,
    private readonly offers: OfferService,
  ) {}

  /**
   * From the end of the period under way it is charged in another interval, each product by its plan for that. The interval
   * that it has withdraws a change.
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, INVALID_ARGUMENT where a product has no such plan.
   */
  async change(
    vendorId: number,
    id: number,
    { interval, intervalCount, ...asked }: Asked & { interval: RecurringInterval; intervalCount: number },
  ): Promise<void> {
    const record = await this.changes.running(vendorId, id);
    const isKept = record.interval === interval && record.intervalCount === intervalCount;
    const terms = await this.vendors.terms(vendorId);
    const money = moneyOf(terms, record.currency);
    const items = (await this.contents.itemsOf(vendorId, id)).filter(
      ({ activatedAt, removedAt }) => activatedAt !== null && removedAt === null,
    );
    const charged = items.filter(({ parentItemId }) => parentItemId === null);
    // The interval that it has leaves changes of plans alone where no other interval was to come.
    for (const item of isKept && record.nextInterval === null ? [] : charged) {
      const plan = isKept ? null : await this.offers.planOfCycle(vendorId, item.priceId, { interval, intervalCount });
      if (plan === undefined) {
        const message = `${item.code} has no plan of the same kind that is charged every ${intervalCount} ${interval}; make one, or remove it first.`;
        throw invalidField("interval", message);
      }
      const price = plan && rounded(priceIn(money, plan.terms.price, plan.terms.currencyPrice), ALL_DECIMALS);
      await this.changes.setNextPlan(vendorId, item.id, plan && { priceId: plan.plan.id, price: price! });
    }
    const next = isKept
      ? { nextInterval: null, nextIntervalCount: null }
      : { nextInterval: interval, nextIntervalCount: intervalCount };
    const changed = await this.subscriptions.settle(vendorId, { ...record, ...next });
    await this.subscriptions.tell(vendorId, changed, "changeInterval", {
      ...asked,
      facts: { interval, intervalCount },
    });
  }
}
