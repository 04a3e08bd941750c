import { and, eq, isNull } from "drizzle-orm";
import { events } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { servicesOn } from "../graphql/services.ts";
import type { Calendar } from "./calendar.ts";
import type { SubscriptionDraft } from "./rows/subscription-draft.ts";

/** Some hours ago, in days. */
const TODAY = 0.1;
const actor = "MANAGER" as const;

/** What the merchant changed of some running subscriptions today: what comes of it shows until their period is over. */
export class Changes {
  private toLengthen: SubscriptionDraft | undefined;
  private toCut: SubscriptionDraft | undefined;

  constructor(private readonly calendar: Calendar) {}

  /** A running subscription that may be one of those. */
  offer(subscription: SubscriptionDraft, plan: string): void {
    if (plan === "RoastLog1") this.toLengthen ??= subscription;
    if (plan === "CafeSeat1") this.toCut ??= subscription;
  }

  /** Makes the changes through the services, once everything has its numbers. */
  async keep(handle: Handle, vendorId: number): Promise<void> {
    const at = this.calendar.ago(TODAY);
    const { subscriptionIntervals, subscriptionChanges } = servicesOn(handle, at);
    const { toLengthen, toCut } = this;
    if (toLengthen)
      await subscriptionIntervals.change(vendorId, toLengthen.id, { interval: "YEAR", intervalCount: 1, actor });
    if (toCut) {
      const [{ values }] = toCut.items as [SubscriptionDraft["items"][number]];
      const change = { itemCode: values.code, quota: values.quantity - 2, actor };
      await subscriptionChanges.changeQuota(vendorId, toCut.id, change);
    }
    await handle
      .update(events)
      .set({ postedAt: at })
      .where(and(eq(events.vendorId, vendorId), isNull(events.postedAt)));
  }
}
