import { and, eq, sql } from "drizzle-orm";
import { subscriptions, vendors, vendorSettings } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";
import { dueRowsOf, timestamp, type DueRows } from "../../database/due-rows.ts";
import { noticeHorizon } from "../../database/notice-horizon.ts";
import type { SubscriptionRecord } from "../subscription.repository.ts";

/**
 * Subscriptions whose next charge is as near as the vendor's notice of charges, and for which that notice was not claimed.
 * An imported one has notices of the charges that Recoup makes. An index leaves out those that were claimed.
 */
export const dueChargeNotices: DueRows = {
  table: subscriptions,
  isDue: (at) => sql`${subscriptions.status} in ('ACTIVE', 'PENDING_PAUSE', 'PENDING_CANCEL')
    and ${subscriptions.noticedChargeAt} is distinct from ${subscriptions.nextPaymentDate}
    and ${subscriptions.nextPaymentDate} > ${at}
    and (${subscriptions.chargesFrom} is null or ${subscriptions.chargesFrom} <= ${subscriptions.nextPaymentDate})`,
  ofOneVendor: (at, vendorId) => {
    const days = sql`${vendorSettings.notiBeforePaymentDays}`;
    const condition = sql`${vendorSettings.notiBeforePayment}`;
    return sql`${subscriptions.nextPaymentDate} < ${noticeHorizon({ vendors, vendorSettings }, vendorId, { at, days, condition })}`;
  },
};

/** Queries for the subscriptions whose customers are to be notified of something ahead. */
export class SubscriptionNoticeRepository {
  constructor(private readonly db: Handle) {}

  /**
   * Claims notices of charges, the next charge first: no further claim returns the same charge. Rows that another worker has
   * locked are skipped.
   */
  async claimCharges(vendorId: number, now: Date, limit: number): Promise<SubscriptionRecord[]> {
    const due = await this.db
      .select()
      .from(subscriptions)
      .where(dueRowsOf(dueChargeNotices, vendorId, timestamp(now)))
      .orderBy(subscriptions.nextPaymentDate, subscriptions.id)
      .limit(limit)
      .for("no key update", { skipLocked: true });
    const ids = due.map(({ id }) => id);
    if (ids.length > 0)
      await this.db
        .update(subscriptions)
        .set({ noticedChargeAt: sql`${subscriptions.nextPaymentDate}` })
        .where(and(eq(subscriptions.vendorId, vendorId), idIsOneOf(subscriptions.id, ids)));
    return due;
  }
}
