import { and, eq, gt, inArray, isNull, notInArray, or, sql } from "drizzle-orm";
import { paymentMethods, payments } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";

/** Filters for the attempts with a card. */
interface CardAttemptFilter {
  since: Date;
  /** Payments that are not meant. */
  excludedPaymentIds: readonly number[];
  /** Codes of failures that are the service's own; they are not counted against the card. */
  faultCodes: readonly string[];
}

/** Queries about the attempts with one card, across all customers of a vendor who stored it. */
export class CardAttemptRepository {
  constructor(private readonly db: Handle) {}

  /** Holds the stored methods that are the card of one of them until the transaction ends. */
  async lockCard(vendorId: number, methodId: number): Promise<void> {
    await this.db
      .select({ id: paymentMethods.id })
      .from(paymentMethods)
      .where(and(eq(paymentMethods.vendorId, vendorId), this.isSameCard(vendorId, methodId)))
      .orderBy(paymentMethods.id)
      .for("no key update");
  }

  /** The tries with the card of a stored method since an instant that were declined or are under way. */
  attemptsOf(vendorId: number, methodId: number, { since, excludedPaymentIds, faultCodes }: CardAttemptFilter) {
    return this.db
      .select({
        at: payments.createdAt,
        network: sql<typeof payments.$inferSelect.network>`coalesce(${payments.network}, ${paymentMethods.network})`,
        initiator: payments.initiator,
        amount: payments.amount,
        currency: payments.currency,
      })
      .from(payments)
      .innerJoin(
        paymentMethods,
        and(eq(paymentMethods.vendorId, payments.vendorId), eq(paymentMethods.id, payments.methodId)),
      )
      .where(
        and(
          eq(payments.vendorId, vendorId),
          eq(paymentMethods.vendorId, vendorId),
          this.isSameCard(vendorId, methodId),
          gt(payments.createdAt, since),
          or(
            inArray(payments.state, ["PENDING", "UNKNOWN"]),
            and(
              eq(payments.state, "FAILED"),
              or(isNull(payments.errorCode), notInArray(payments.errorCode, [...faultCodes])),
            ),
          ),
          excludedPaymentIds.length > 0 ? notInArray(payments.id, [...excludedPaymentIds]) : undefined,
        ),
      )
      .orderBy(payments.createdAt, payments.id);
  }

  /** The same card by its fingerprint; a method without a fingerprint is a card of its own. */
  private isSameCard(vendorId: number, methodId: number) {
    return sql`${paymentMethods.id} in (select ${methodId}::bigint union all
      select o."id" from ${paymentMethods} m join ${paymentMethods} o
        on o."vendor_id" = m."vendor_id" and o."gateway" = m."gateway" and o."fingerprint" = m."fingerprint"
      where m."vendor_id" = ${vendorId} and m."id" = ${methodId})`;
  }
}
