import { toAmount, sumAmounts } from "../kernel/amounts.ts";
import { itemAt } from "../kernel/required-values.ts";
import type { OfferService } from "../products/offer.service.ts";
import type { SubscriptionItemRecord, SubscriptionRecord, SubscriptionRepository } from "./subscription.repository.ts";
import { prepaidQuotaOf } from "./usage.series.ts";
import { planTypes } from "../products/price-plans/price.plan-types.ts";

/** Allows units of usage anew in each period. Those of accounts are carried over by themselves. */
export class SubscriptionQuotasService {
  constructor(
    private readonly deps: {
      subscriptionRepository: SubscriptionRepository;
      offers: OfferService;
      now: Date;
    },
  ) {}

  /**
   * Applies the quotas of items to a period that starts at an instant: prepaid as many units as are bought, postpaid as
   * many as were allowed until then. Changes of the quota since that instant are part of the period already.
   */
  async grantPeriodQuotas(
    vendorId: number,
    { currentPeriodStart: previousPeriodStart }: Pick<SubscriptionRecord, "currentPeriodStart">,
    items: readonly SubscriptionItemRecord[],
    start: Date,
  ): Promise<void> {
    const offers = items.map(({ priceId, nextPriceId, optionIds }) => ({ priceId: nextPriceId ?? priceId, optionIds }));
    const sold = await this.deps.offers.findSold(vendorId, offers);
    const metered = items.flatMap((item, index) => {
      const { terms } = itemAt(sold, index);
      return planTypes[terms.type].quota === "PER_PERIOD" ? [{ item, terms }] : [];
    });
    const ids = metered.map(({ item }) => item.id);
    const quotas = (await this.deps.subscriptionRepository.unitsOf(vendorId, ids)).filter(
      ({ series }) => series === "QUOTA",
    );
    const changes = metered.map(({ item, terms }) => {
      const itemQuotas = quotas.filter(({ itemId }) => itemId === item.id);
      const alreadyGranted = sumAmounts(itemQuotas.filter(({ at }) => at >= start).map((one) => one.change));
      const previouslyGranted = sumAmounts(
        itemQuotas.filter(({ at }) => at >= previousPeriodStart && at < start).map((one) => one.change),
      );
      const isPrepaid = terms.claim.methodType === "PRE";
      const change = isPrepaid
        ? toAmount(prepaidQuotaOf(terms, item.quantity)).minus(alreadyGranted)
        : previouslyGranted;
      return { itemId: item.id, series: "QUOTA" as const, at: start, change, actor: "SYSTEM" as const };
    });
    await this.deps.subscriptionRepository.addUnits(
      vendorId,
      changes.filter(({ change }) => change.gt(0)).map((change) => ({ ...change, createdAt: this.deps.now })),
    );
  }
}
