import type { Handle } from "../database/client.ts";
import { createServices } from "../graphql/services.ts";
import type { DemoCalendar } from "./calendar.ts";
import type { SubscriptionDraft } from "./rows/subscription-draft.ts";

/** The changes were made 2.4 hours ago. */
const CHANGED_DAYS_AGO = 0.1;
const changeActor = "MANAGER" as const;

/** Schedules changes to some running subscriptions. They are pending until the current period ends. */
export class ScheduledChanges {
  private subscriptionForNewInterval: SubscriptionDraft | undefined;
  private subscriptionForLowerQuota: SubscriptionDraft | undefined;

  constructor(private readonly calendar: DemoCalendar) {}

  /** Selects the first subscription of certain plans for a change. */
  considerSubscription(subscription: SubscriptionDraft, plan: string): void {
    if (plan === "RoastLog1") this.subscriptionForNewInterval ??= subscription;
    if (plan === "CafeSeat1") this.subscriptionForLowerQuota ??= subscription;
  }

  /** Makes the changes through the services. The subscriptions must be saved already. */
  async save(handle: Handle, vendorId: number): Promise<void> {
    const at = this.calendar.daysAgo(CHANGED_DAYS_AGO);
    const { subscriptionIntervals, subscriptionItemChanges } = createServices(handle, at);
    const { subscriptionForNewInterval, subscriptionForLowerQuota } = this;
    if (subscriptionForNewInterval)
      await subscriptionIntervals.changeInterval(vendorId, subscriptionForNewInterval.id, {
        interval: "YEAR",
        intervalCount: 1,
        actor: changeActor,
      });
    if (subscriptionForLowerQuota) {
      const [{ values }] = subscriptionForLowerQuota.items as [SubscriptionDraft["items"][number]];
      const change = { itemCode: values.code, quota: values.quantity - 2, actor: changeActor };
      await subscriptionItemChanges.changeQuota(vendorId, subscriptionForLowerQuota.id, change);
    }
  }
}
