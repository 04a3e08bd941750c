import { and, eq, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { subscriptions, vendors, vendorSettings } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";
import { dueRowsOf, timestamp, type DueRows } from "../../database/due-rows.ts";
import { noticeHorizon } from "../../database/notice-horizon.ts";
import type { SubscriptionRecord } from "../subscription.repository.ts";

/** The occasions of notices: the next charge, the next charge of usage, the end of the trial. */
export type NoticeOccasion = "CHARGE" | "USAGE_CHARGE" | "TRIAL_END";

/** The columns of an occasion: its date, and the date for which its notice was claimed. */
const columns = {
  CHARGE: { date: "nextPaymentDate", noticed: "noticedChargeAt" },
  USAGE_CHARGE: { date: "nextPaymentDate", noticed: "noticedUsageChargeAt" },
  TRIAL_END: { date: "trialEndDate", noticed: "noticedTrialEnd" },
} as const satisfies Record<NoticeOccasion, { date: keyof SubscriptionRecord; noticed: keyof SubscriptionRecord }>;

/**
 * Subscriptions with an occasion ahead whose notice was not claimed, and with a charge ahead. An imported one has notices of
 * the charges that Recoup makes. An index leaves out those that were claimed.
 */
const isAhead = (occasion: NoticeOccasion, at: SQL): SQL => {
  const { date, noticed } = columns[occasion];
  return sql`${subscriptions.status} in ('ACTIVE', 'PENDING_PAUSE', 'PENDING_CANCEL')
    and ${subscriptions[noticed]} is distinct from ${subscriptions[date]} and ${subscriptions[date]} > ${at}
    and ${subscriptions.nextPaymentDate} is not null
    and (${subscriptions.chargesFrom} is null or ${subscriptions.chargesFrom} <= ${subscriptions.nextPaymentDate})`;
};

const isNear = (date: PgColumn, vendorId: SQL | number, horizon: Parameters<typeof noticeHorizon>[2]): SQL =>
  sql`${date} < ${noticeHorizon({ vendors, vendorSettings }, vendorId, horizon)}`;

const inDays = (days: SQL | number): SQL => sql`${days} * interval '1 day'`;

/** Subscriptions whose next charge is as near as the vendor's notice of charges. */
export const dueChargeNotices: DueRows = {
  table: subscriptions,
  isDue: (at) => isAhead("CHARGE", at),
  ofOneVendor: (at, vendorId) =>
    isNear(subscriptions.nextPaymentDate, vendorId, {
      at,
      ahead: inDays(sql`${vendorSettings.notiBeforePaymentDays}`),
      condition: sql`${vendorSettings.notiBeforePayment}`,
    }),
};

/** Postpaid subscriptions whose next charge is as near as some days. */
export const dueUsageNotices = (days: number): DueRows => ({
  table: subscriptions,
  isDue: (at) => sql`${subscriptions.claimMethodType} = 'POST' and ${isAhead("USAGE_CHARGE", at)}`,
  ofOneVendor: (at, vendorId) => isNear(subscriptions.nextPaymentDate, vendorId, { at, ahead: inDays(days) }),
});

/** Subscriptions whose trial ends within some days. */
export const dueTrialNotices = (days: number): DueRows => ({
  table: subscriptions,
  isDue: (at) => isAhead("TRIAL_END", at),
  ofOneVendor: (at, vendorId) => isNear(subscriptions.trialEndDate, vendorId, { at, ahead: inDays(days) }),
});

/** Queries for the subscriptions whose customers are to be notified of something ahead. */
export class SubscriptionNoticeRepository {
  constructor(private readonly db: Handle) {}

  /**
   * Claims due notices, those of the next occasion first: no further claim returns the same occasion at the same date. Rows
   * that another worker has locked are skipped.
   */
  async claim(
    vendorId: number,
    { occasion, dueRows }: { occasion: NoticeOccasion; dueRows: DueRows },
    now: Date,
    limit: number,
  ): Promise<SubscriptionRecord[]> {
    const { date, noticed } = columns[occasion];
    const due = await this.db
      .select()
      .from(subscriptions)
      .where(dueRowsOf(dueRows, vendorId, timestamp(now)))
      .orderBy(subscriptions[date], subscriptions.id)
      .limit(limit)
      .for("no key update", { skipLocked: true });
    const ids = due.map(({ id }) => id);
    if (ids.length > 0)
      await this.db
        .update(subscriptions)
        .set({ [noticed]: sql`${subscriptions[date]}` })
        .where(and(eq(subscriptions.vendorId, vendorId), idIsOneOf(subscriptions.id, ids)));
    return due;
  }
}
