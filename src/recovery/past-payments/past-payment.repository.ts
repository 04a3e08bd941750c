import { and, asc, desc, eq, gte, lt, sql } from "drizzle-orm";
import { pastPayments, vendors } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { isOneOf } from "../../database/conditions.ts";
import type { Amount } from "../../kernel/amounts.ts";

export type PastPaymentRecord = typeof pastPayments.$inferSelect;
/** A try of a payment, as it is stored. */
export type PastTryRecord = PastPaymentRecord["tries"][number];

/** Payments by the time of their first try: from one instant, inclusive, until another, exclusive. */
interface PaymentPeriod {
  from: Date;
  until: Date;
}

const isWithin = ({ from, until }: PaymentPeriod) =>
  and(gte(pastPayments.startedAt, from), lt(pastPayments.startedAt, until));

/** Queries for failed payments that were imported from another system. */
export class PastPaymentRepository {
  constructor(private readonly db: Handle) {}

  byPartnerIds(vendorId: number, partnerIds: readonly string[]): Promise<PastPaymentRecord[]> {
    return this.db
      .select()
      .from(pastPayments)
      .where(and(eq(pastPayments.vendorId, vendorId), isOneOf(pastPayments.partnerId, partnerIds)));
  }

  /** Saves payments; of those that are known only the tries change. */
  async save(vendorId: number, payments: readonly Omit<PastPaymentRecord, "vendorId" | "id">[]): Promise<void> {
    if (payments.length === 0) return;
    await this.db
      .insert(pastPayments)
      .values(payments.map((payment) => ({ vendorId, ...payment })))
      .onConflictDoUpdate({
        target: [pastPayments.vendorId, pastPayments.partnerId],
        set: {
          tries: sql`excluded."tries"`,
          startedAt: sql`excluded."started_at"`,
          importedAt: sql`excluded."imported_at"`,
        },
      });
  }

  /** The vendor and its children that have payments of a period. */
  async familyWithPayments(vendorId: number, { from, until }: PaymentPeriod): Promise<number[]> {
    const rows = await this.db.execute(sql`select v."id" from ${vendors} v
      where (v."id" = ${vendorId}::bigint or v."parent_id" = ${vendorId}::bigint) and exists (select from ${pastPayments}
        where ${pastPayments.vendorId} = v."id" and ${pastPayments.startedAt} >= ${from.toISOString()}::timestamptz
          and ${pastPayments.startedAt} < ${until.toISOString()}::timestamptz)
      order by v."id"`);
    return Array.from(rows as Iterable<{ id: string }>, ({ id }) => Number(id));
  }

  /** Amounts of the newest payments of a period. */
  recentAmounts(
    vendorId: number,
    period: PaymentPeriod,
    limit: number,
  ): Promise<{ currency: string; amount: Amount }[]> {
    return this.db
      .select({ currency: pastPayments.currency, amount: pastPayments.amount })
      .from(pastPayments)
      .where(and(eq(pastPayments.vendorId, vendorId), isWithin(period)))
      .orderBy(desc(pastPayments.startedAt), desc(pastPayments.id))
      .limit(limit);
  }

  /** So many payments of a period, from the oldest, after a position. */
  page(
    vendorId: number,
    period: PaymentPeriod,
    limit: number,
    after?: Pick<PastPaymentRecord, "id" | "startedAt">,
  ): Promise<PastPaymentRecord[]> {
    return this.db
      .select()
      .from(pastPayments)
      .where(
        and(
          eq(pastPayments.vendorId, vendorId),
          isWithin(period),
          after &&
            sql`(${pastPayments.startedAt}, ${pastPayments.id}) > (${after.startedAt.toISOString()}::timestamptz, ${after.id}::bigint)`,
        ),
      )
      .orderBy(asc(pastPayments.startedAt), asc(pastPayments.id))
      .limit(limit);
  }
}
