import type { Actor } from "../../schema/vocabulary.ts";
import { toAmount, toPlainString, sumAmounts, type Amount } from "../kernel/amounts.ts";
import { invalidField, unknownReference } from "../kernel/refusals.ts";
import { firstOf, required } from "../kernel/required-values.ts";
import type { OfferService } from "../products/offer.service.ts";
import type { PlanTerms } from "../products/price-plans/price.terms.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import type { ItemWithUnits, SubscriptionItemReaderService } from "./subscription-item-reader.service.ts";
import type { SubscriptionItemWriterService } from "./changes/subscription-item-writer.service.ts";
import { billingPeriodOf, type BillingPeriod } from "./subscription.period.ts";
import type { SubscriptionRecord, SubscriptionRepository } from "./subscription.repository.ts";
import { cycleNumberAt } from "./subscription.schedule.ts";
import type { SubscriptionService } from "./subscription.service.ts";
import { validateUnits, type UnitDelta } from "./usage.series.ts";
import { isMeteredType, planTypes, type MeteredType } from "../products/price-plans/price.plan-types.ts";

/** Units that were used of a metered item. */
export interface Usage {
  itemCode: string;
  /** The additional usage, negative to correct it; if the last or the largest counts, the new number. */
  change: Amount;
  /** The time of the usage. Defaults to now. */
  at?: Date | null;
  note?: string | null;
  actor: Actor;
}

type ItemWithTerms = ItemWithUnits & { terms: PlanTerms };
/** An item whose plan meters units. */
type MeteredPlanItem = ItemWithTerms & { terms: { type: MeteredType } };

/** Keeps the units of metered items: those that are used, and that no more are used than allowed. */
export class SubscriptionUnitsService {
  constructor(
    private readonly deps: {
      subscriptionRepository: SubscriptionRepository;
      subscriptions: SubscriptionService;
      subscriptionItemWriter: SubscriptionItemWriterService;
      subscriptionItemReader: SubscriptionItemReaderService;
      vendors: VendorService;
      offers: OfferService;
      now: Date;
    },
  ) {}

  /**
   * Records units that were used.
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, SUBSCRIPTION_ITEM_NOT_FOUND, INVALID_ARGUMENT,
   * QUOTA_EXCEEDED, UNITS_BELOW_ZERO.
   */
  async recordUsage(vendorId: number, id: number, usage: Usage): Promise<void> {
    const record = await this.deps.subscriptionItemWriter.lockRunning(vendorId, id);
    await this.saveUsage(vendorId, record, await this.findMeteredItem(vendorId, record, usage.itemCode), usage);
  }

  /** Sets the number of units of an item in use from now on, such as accounts. @throws as `record`. */
  async setUnits(vendorId: number, id: number, { units, ...usage }: Omit<Usage, "change" | "at"> & { units: number }) {
    const record = await this.deps.subscriptionItemWriter.lockRunning(vendorId, id);
    const item = await this.findMeteredItem(vendorId, record, usage.itemCode);
    if (planTypes[item.terms.type].metered !== "ACCOUNTS")
      throw invalidField(
        "itemCode",
        "must be an item whose plan counts units over time; record the usage of other items.",
      );
    const change = toAmount(units).minus(sumAmounts(item.usage.map((one) => one.change)));
    if (!change.eq(0)) await this.saveUsage(vendorId, record, item, { ...usage, change });
  }

  /** The allowed units of an item at an instant; zero without a quota. */
  quotaAt(record: SubscriptionRecord, item: ItemWithTerms, at: Date): Amount {
    const carries = planTypes[item.terms.type].quota === "CARRIED_OVER";
    const counted = item.quota.filter((one) => one.at <= at && (carries || one.at >= record.currentPeriodStart));
    return sumAmounts(counted.map(({ change }) => change));
  }

  /** @throws a Refusal QUOTA_EXCEEDED where less would be allowed than is used, UNITS_BELOW_ZERO. */
  refuseQuotaBelowUsage(record: SubscriptionRecord, item: ItemWithTerms, quota: UnitDelta): void {
    const period = { start: record.currentPeriodStart, end: record.currentPeriodEnd };
    validateSeries(item as MeteredPlanItem, { record: item.usage, quota: [...item.quota, quota] }, period);
  }

  private async findMeteredItem(vendorId: number, record: SubscriptionRecord, code: string): Promise<MeteredPlanItem> {
    const item = (await this.deps.subscriptionItemReader.itemsOf(vendorId, record.id)).find((one) => one.code === code);
    if (item?.activatedAt == null || item.removedAt !== null)
      throw unknownReference("SUBSCRIPTION_ITEM_NOT_FOUND", "itemCode", "item of the subscription", "code");
    const sold = firstOf(await this.deps.offers.findSold(vendorId, [item]));
    const { terms } = sold;
    if (!isMeteredType(terms.type)) throw invalidField("itemCode", "must be an item whose plan meters units.");
    return { ...item, terms } as MeteredPlanItem;
  }

  private async saveUsage(
    vendorId: number,
    record: SubscriptionRecord,
    item: MeteredPlanItem,
    usage: Usage,
  ): Promise<void> {
    if (planTypes[item.terms.type].metered === "ACCOUNTS" && !usage.change.eq(usage.change.round(0)))
      throw invalidField("units", "must be a whole number: the plan counts accounts.");
    const at = usage.at ?? this.deps.now;
    const { zoneId } = await this.deps.vendors.billingTerms(vendorId);
    const period = this.openPeriodAt(record, item, at, zoneId);
    const usedChanges = [...item.usage, { at, change: usage.change }];
    validateSeries(item, { record: usedChanges, quota: item.quota }, period);
    const { actor, note = null } = usage;
    const change = { itemId: item.id, series: "RECORD" as const, at, change: usage.change, actor, note };
    await this.deps.subscriptionRepository.addUnits(vendorId, [{ ...change, createdAt: this.deps.now }]);
    const facts = { itemCode: item.code, change: toPlainString(usage.change), at };
    await this.deps.subscriptions.recordEvent(vendorId, record, "recordUnits", { actor, reason: note, facts });
  }

  /** The period that an instant lies in, as far as it is not charged yet. */
  private openPeriodAt(record: SubscriptionRecord, item: MeteredPlanItem, at: Date, zoneId: string): BillingPeriod {
    const { currentPeriodStart: start, currentPeriodEnd: end, cycleAnchor, chargedCycle } = record;
    if (at > this.deps.now) throw invalidField("at", "must not be in the future.");
    const isPostpaid = record.claimMethodType === "POST";
    const openFrom = isPostpaid ? billingPeriodOf(cycleAnchor, record, chargedCycle + 1, zoneId).start : start;
    if (at < openFrom || at < required(item.activatedAt, "activatedAt"))
      throw invalidField("at", "must be in a period of the item that has begun and is not charged yet.");
    return at >= start
      ? { start, end }
      : billingPeriodOf(cycleAnchor, record, cycleNumberAt(cycleAnchor, record, at, zoneId), zoneId);
  }
}

function validateSeries(
  { terms }: MeteredPlanItem,
  series: Parameters<typeof validateUnits>[1],
  period: BillingPeriod,
): void {
  const { claim, recurring } = terms;
  const rules = { methodType: claim.methodType, aggregate: recurring?.aggregateUsageType ?? null };
  validateUnits(terms.type, series, period, rules);
}
