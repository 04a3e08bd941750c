import { groupBy } from "../kernel/group-by.ts";
import type { SubscriptionItemRecord, SubscriptionRepository, UnitRecord } from "./subscription.repository.ts";
import type { UnitDelta } from "./usage.series.ts";

/** An item of a subscription, with the changes of its units. */
export interface ItemWithUnits extends SubscriptionItemRecord {
  usage: UnitDelta[];
  quota: UnitDelta[];
}

/** Reads the items of subscriptions. */
export class SubscriptionItemReaderService {
  constructor(
    private readonly deps: {
      subscriptionRepository: SubscriptionRepository;
    },
  ) {}

  /** All items that a subscription has or had, in order, with the changes of their units. */
  async itemsOf(vendorId: number, subscriptionId: number): Promise<ItemWithUnits[]> {
    const items = await this.deps.subscriptionRepository.itemsOf(vendorId, subscriptionId);
    const units = await this.deps.subscriptionRepository.unitsOf(
      vendorId,
      items.map(({ id }) => id),
    );
    const byItem = groupBy(units, ({ itemId }) => itemId);
    return items.map((item) => {
      const itemUnits = byItem.get(item.id) ?? [];
      return { ...item, usage: toUnitSeries(itemUnits, "RECORD"), quota: toUnitSeries(itemUnits, "QUOTA") };
    });
  }
}

const toUnitSeries = (units: readonly UnitRecord[], series: UnitRecord["series"]): UnitDelta[] =>
  units.filter((unit) => unit.series === series).map(({ at, change }) => ({ at, change }));
