import type { Actor } from "../../schema/vocabulary.ts";
import { amountOf, plain, sum, type Amount } from "../kernel/amounts.ts";
import { invalidField, unknownReference } from "../kernel/refusals.ts";
import type { OfferService } from "../products/offer.service.ts";
import type { PlanTerms } from "../products/price-plans/price.terms.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import type { MeteredItem, SubscriptionContentsService } from "./subscription-item-reader.service.ts";
import type { SubscriptionChangesService } from "./changes/subscription-item-writer.service.ts";
import { cyclePeriod, type Period } from "./subscription.period.ts";
import type { SubscriptionRecord, SubscriptionRepository } from "./subscription.repository.ts";
import { cycleNumberAt } from "./subscription.schedule.ts";
import type { SubscriptionService } from "./subscription.service.ts";
import { checkUnits, type MeteredType, type UnitChange } from "./usage.series.ts";

/** Units that were used of a metered item. */
export interface Usage {
  itemCode: string;
  /** How many more were used, below zero to correct it; where the last or the largest counts, how many there are. */
  change: Amount;
  /** When they were used; now unless told. */
  at?: Date | null;
  note?: string | null;
  actor: Actor;
}

type PricedItem = MeteredItem & { terms: PlanTerms };
/** An item whose plan meters units. */
type UnitItem = PricedItem & { terms: { type: MeteredType } };

/** Keeps the units of metered items: those that are used, and that no more are used than allowed. */
export class SubscriptionUnitsService {
  constructor(
    private readonly repository: SubscriptionRepository,
    private readonly subscriptions: SubscriptionService,
    private readonly changes: SubscriptionChangesService,
    private readonly contents: SubscriptionContentsService,
    private readonly vendors: VendorService,
    private readonly offers: OfferService,
    private readonly now: Date,
  ) {}

  /**
   * Records units that were used.
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, SUBSCRIPTION_ITEM_NOT_FOUND, INVALID_ARGUMENT,
   * QUOTA_EXCEEDED, UNITS_BELOW_ZERO.
   */
  async record(vendorId: number, id: number, usage: Usage): Promise<void> {
    const record = await this.changes.running(vendorId, id);
    await this.keep(vendorId, record, await this.metered(vendorId, record, usage.itemCode), usage);
  }

  /** Says how many units of an item are in use from now on, such as accounts. @throws as `record`. */
  async set(vendorId: number, id: number, { units, ...usage }: Omit<Usage, "change" | "at"> & { units: number }) {
    const record = await this.changes.running(vendorId, id);
    const item = await this.metered(vendorId, record, usage.itemCode);
    if (item.terms.type !== "UNIT_BASED")
      throw invalidField(
        "itemCode",
        "must name an item whose plan counts units over time; record the usage of others.",
      );
    const change = amountOf(units).minus(sum(item.record.map((one) => one.change)));
    if (!change.eq(0)) await this.keep(vendorId, record, item, { ...usage, change });
  }

  /** How many units are allowed of an item at an instant; without a quota none are told. */
  quotaAt(record: SubscriptionRecord, item: PricedItem, at: Date): Amount {
    const carries = item.terms.type === "UNIT_BASED";
    const counted = item.quota.filter((one) => one.at <= at && (carries || one.at >= record.currentPeriodStart));
    return sum(counted.map(({ change }) => change));
  }

  /** @throws a Refusal QUOTA_EXCEEDED where less would be allowed than is used, UNITS_BELOW_ZERO. */
  refuseOverrun(record: SubscriptionRecord, item: PricedItem, quota: UnitChange): void {
    const period = { start: record.currentPeriodStart, end: record.currentPeriodEnd };
    check(item as UnitItem, { record: item.record, quota: [...item.quota, quota] }, period);
  }

  private async metered(vendorId: number, record: SubscriptionRecord, code: string): Promise<UnitItem> {
    const item = (await this.contents.itemsOf(vendorId, record.id)).find((one) => one.code === code);
    if (item?.activatedAt == null || item.removedAt !== null)
      throw unknownReference("SUBSCRIPTION_ITEM_NOT_FOUND", "itemCode", "item of the subscription", "code");
    const [sold] = await this.offers.sold(vendorId, [item]);
    const { terms } = sold!;
    if (terms.type !== "UNIT_BASED" && terms.type !== "USAGE_BASED")
      throw invalidField("itemCode", "must name an item whose plan meters units.");
    return { ...item, terms } as UnitItem;
  }

  private async keep(vendorId: number, record: SubscriptionRecord, item: UnitItem, usage: Usage): Promise<void> {
    if (item.terms.type === "UNIT_BASED" && !usage.change.eq(usage.change.round(0)))
      throw invalidField("units", "must be a whole number: the plan counts accounts.");
    const at = usage.at ?? this.now;
    const { zoneId } = await this.vendors.terms(vendorId);
    const period = this.periodOf(record, item, at, zoneId);
    const used = [...item.record, { at, change: usage.change }];
    check(item, { record: used, quota: item.quota }, period);
    const { actor, note = null } = usage;
    const change = { itemId: item.id, series: "RECORD" as const, at, change: usage.change, actor, note };
    await this.repository.addUnits(vendorId, [{ ...change, createdAt: this.now }]);
    const facts = { itemCode: item.code, change: plain(usage.change), at };
    await this.subscriptions.tell(vendorId, record, "recordUnits", { actor, reason: note, facts });
  }

  /** The period that an instant lies in, as far as it is not charged yet. */
  private periodOf(record: SubscriptionRecord, item: UnitItem, at: Date, zoneId: string): Period {
    const { currentPeriodStart: start, currentPeriodEnd: end, cycleAnchor, chargedCycle } = record;
    if (at > this.now) throw invalidField("at", "must not be in the future.");
    const isPostpaid = record.claimMethodType === "POST";
    const open = isPostpaid ? cyclePeriod(cycleAnchor, record, chargedCycle + 1, zoneId).start : start;
    if (at < open || at < item.activatedAt!)
      throw invalidField("at", "must lie in a period of the item that has begun and is not charged yet.");
    return at >= start
      ? { start, end }
      : cyclePeriod(cycleAnchor, record, cycleNumberAt(cycleAnchor, record, at, zoneId), zoneId);
  }
}

function check({ terms }: UnitItem, series: Parameters<typeof checkUnits>[1], period: Period): void {
  const { claim, recurring } = terms;
  const rules = { methodType: claim.methodType, aggregate: recurring?.aggregateUsageType ?? null };
  checkUnits(terms.type, series, period, rules);
}
