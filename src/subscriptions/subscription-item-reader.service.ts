import { group } from "../kernel/group-by.ts";
import type { SubscriptionItemRecord, SubscriptionRepository, UnitRecord } from "./subscription.repository.ts";
import type { UnitChange } from "./usage.series.ts";

/** An item of a subscription, with the changes of its units. */
export interface MeteredItem extends SubscriptionItemRecord {
  record: UnitChange[];
  quota: UnitChange[];
}

/** What subscriptions consist of. */
export class SubscriptionContentsService {
  constructor(private readonly subscriptions: SubscriptionRepository) {}

  /** All items that a subscription has or had, in order, with the changes of their units. */
  async itemsOf(vendorId: number, subscriptionId: number): Promise<MeteredItem[]> {
    const items = await this.subscriptions.itemsOf(vendorId, subscriptionId);
    const units = await this.subscriptions.unitsOf(
      vendorId,
      items.map(({ id }) => id),
    );
    const byItem = group(units, ({ itemId }) => itemId);
    return items.map((item) => {
      const own = byItem.get(item.id) ?? [];
      return { ...item, record: seriesOf(own, "RECORD"), quota: seriesOf(own, "QUOTA") };
    });
  }
}

const seriesOf = (units: readonly UnitRecord[], series: UnitRecord["series"]): UnitChange[] =>
  units.filter((unit) => unit.series === series).map(({ at, change }) => ({ at, change }));
