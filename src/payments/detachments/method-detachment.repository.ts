import { and, asc, eq, sql } from "drizzle-orm";
import { paymentMethods } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { dueRowsOf, timestamp, type DueRows } from "../../database/due-rows.ts";

type MethodRow = typeof paymentMethods.$inferSelect;

/** Stored methods of erased customers whose next attempt is due. */
export const dueDetachments: DueRows = {
  table: paymentMethods,
  isDue: (at) => sql`${paymentMethods.detachAt} <= ${at}`,
};

/** Queries for stored methods that are to be detached at their gateways. */
export class MethodDetachmentRepository {
  constructor(private readonly db: Handle) {}

  /** Locks a method whose attempt is due. Rows that another worker has locked are skipped. */
  async lockDue(vendorId: number, now: Date): Promise<MethodRow | undefined> {
    const [due] = await this.db
      .select()
      .from(paymentMethods)
      .where(dueRowsOf(dueDetachments, vendorId, timestamp(now)))
      .orderBy(asc(paymentMethods.detachAt), asc(paymentMethods.id))
      .limit(1)
      .for("no key update", { skipLocked: true });
    return due;
  }

  async change(
    vendorId: number,
    id: number,
    values: Partial<Pick<MethodRow, "detachAt" | "token" | "fingerprint">>,
  ): Promise<void> {
    await this.db
      .update(paymentMethods)
      .set(values)
      .where(and(eq(paymentMethods.vendorId, vendorId), eq(paymentMethods.id, id)));
  }
}
