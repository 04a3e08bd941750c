import { and, eq, sql } from "drizzle-orm";
import { paymentMethods } from "../../../schema/tables/index.ts";
import { batchWrites } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import { bigintArray } from "../../database/conditions.ts";
import { CardAttemptRepository } from "../card-attempt.repository.ts";

/** Cards of work that runs many times at once in one transaction: one statement locks those of all. */
export class CardAttemptBatchRepository extends CardAttemptRepository {
  private readonly locks;

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
  }

  override lockCard(vendorId: number, methodId: number): Promise<void> {
    return this.locks(vendorId, methodId);
  }
}
