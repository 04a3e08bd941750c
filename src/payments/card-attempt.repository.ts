import { and, eq, gt, inArray, isNull, notInArray, or, sql } from "drizzle-orm";
import { paymentMethods, payments } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";

type PaymentRow = typeof payments.$inferSelect;

/** Filters for the attempts with a card. */
export interface CardAttemptFilter {
  since: Date;
  /** Payments that are not meant. */
  excludedPaymentIds: readonly number[];
  /** Codes of failures that are the service's own; they are not counted against the card. */
  faultCodes: readonly string[];
}

/** An attempt with a card. */
export interface CardAttempt {
  at: Date;
  network: PaymentRow["network"];
  initiator: PaymentRow["initiator"];
  amount: PaymentRow["amount"];
  currency: string;
}

/** The columns of an attempt. */
export const attemptColumns = {
  at: payments.createdAt,
  network: sql<PaymentRow["network"]>`coalesce(${payments.network}, ${paymentMethods.network})`,
  initiator: payments.initiator,
  amount: payments.amount,
  currency: payments.currency,
};

export const joinMethod = and(eq(paymentMethods.vendorId, payments.vendorId), eq(paymentMethods.id, payments.methodId));

/** Attempts of a vendor since an instant that were declined or are under way. */
export const isCountedAttempt = (vendorId: number, since: Date, faultCodes: readonly string[]) =>
  and(
    eq(payments.vendorId, vendorId),
    eq(paymentMethods.vendorId, vendorId),
    gt(payments.createdAt, since),
    or(
      inArray(payments.state, ["PENDING", "UNKNOWN"]),
      and(
        eq(payments.state, "FAILED"),
        or(isNull(payments.errorCode), notInArray(payments.errorCode, [...faultCodes])),
      ),
    ),
  );

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
  attemptsOf(
    vendorId: number,
    methodId: number,
    { since, excludedPaymentIds, faultCodes }: CardAttemptFilter,
  ): Promise<CardAttempt[]> {
    return this.db
      .select(attemptColumns)
      .from(payments)
      .innerJoin(paymentMethods, joinMethod)
      .where(
        and(
          isCountedAttempt(vendorId, since, faultCodes),
          this.isSameCard(vendorId, methodId),
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
