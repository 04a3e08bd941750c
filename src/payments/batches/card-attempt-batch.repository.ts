import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { paymentMethods, payments } from "../../../schema/tables/index.ts";
import { batchCalls, batchWrites } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import { bigintArray, idIsOneOf } from "../../database/conditions.ts";
import { groupBy } from "../../kernel/group-by.ts";
import { firstOf } from "../../kernel/required-values.ts";
import {
  attemptColumns,
  CardAttemptRepository,
  isCountedAttempt,
  joinMethod,
  type CardAttempt,
  type CardAttemptFilter,
} from "../card-attempt.repository.ts";

interface AttemptSearch {
  methodId: number;
  filter: CardAttemptFilter;
}

/** Cards of work that runs many times at once in one transaction: one statement locks those of all. */
export class CardAttemptBatchRepository extends CardAttemptRepository {
  private readonly locks;
  private readonly reads;

  constructor(handle: Handle) {
    super(handle);
    this.locks = batchWrites<number>((vendorId, methodIds) =>
      handle
        .select({ id: paymentMethods.id })
        .from(paymentMethods)
        .where(
          and(
            eq(paymentMethods.vendorId, vendorId),
            sql`${paymentMethods.id} in (select unnest(${bigintArray(methodIds)}) union all
              select o."id" from ${paymentMethods} m join ${paymentMethods} o
                on o."vendor_id" = m."vendor_id" and o."gateway" = m."gateway" and o."fingerprint" = m."fingerprint"
              where m."vendor_id" = ${vendorId} and m."id" = any(${bigintArray(methodIds)}))`,
          ),
        )
        .orderBy(paymentMethods.id)
        .for("no key update"),
    );
    this.reads = batchCalls<AttemptSearch, CardAttempt[]>(async (vendorId, all) => {
      const { since, faultCodes } = firstOf(all).filter;
      const target = alias(paymentMethods, "target");
      const rows = await handle
        .select({ ...attemptColumns, paymentId: payments.id, methodId: target.id })
        .from(target)
        .innerJoinLateral(
          sql`(select ${target.id} as id union select o."id" from ${paymentMethods} o
            where o."vendor_id" = ${target.vendorId} and o."gateway" = ${target.gateway} and o."fingerprint" = ${target.fingerprint}) same`,
          sql`true`,
        )
        .innerJoin(
          paymentMethods,
          and(eq(paymentMethods.vendorId, target.vendorId), sql`${paymentMethods.id} = same.id`),
        )
        .innerJoin(payments, joinMethod)
        .where(
          and(
            eq(target.vendorId, vendorId),
            idIsOneOf(
              target.id,
              all.map(({ methodId }) => methodId),
            ),
            isCountedAttempt(vendorId, since, faultCodes),
          ),
        )
        .orderBy(payments.createdAt, payments.id);
      const rowsByMethod = groupBy(rows, ({ methodId }) => methodId);
      return all.map(({ methodId, filter: { excludedPaymentIds } }) =>
        (rowsByMethod.get(methodId) ?? [])
          .filter(({ paymentId }) => !excludedPaymentIds.includes(paymentId))
          .map(({ paymentId: _, methodId: __, ...attempt }) => attempt),
      );
    });
  }

  /** All calls of a transaction are about the same period. */
  override attemptsOf(vendorId: number, methodId: number, filter: CardAttemptFilter): Promise<CardAttempt[]> {
    return this.reads(vendorId, { methodId, filter });
  }

  override lockCard(vendorId: number, methodId: number): Promise<void> {
    return this.locks(vendorId, methodId);
  }
}
