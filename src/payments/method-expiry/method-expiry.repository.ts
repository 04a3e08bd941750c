import { and, eq, sql } from "drizzle-orm";
import { paymentMethods, vendors, vendorSettings } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";
import { dueRowsOf, timestamp, type DueRows } from "../../database/due-rows.ts";
import { noticeHorizon } from "../../database/notice-horizon.ts";

/** A payment method whose expiry is announced. */
export type ExpiringMethod = Pick<typeof paymentMethods.$inferSelect, "id" | "customerId" | "method" | "expiresAt">;

/** Stored methods that expire within 30 days, and whose expiry was not announced. An index leaves out the others. */
export const expiringMethods: DueRows = {
  table: paymentMethods,
  isDue: (at) => sql`${paymentMethods.removedAt} is null
    and ${paymentMethods.noticedExpiry} is distinct from ${paymentMethods.expiresAt} and ${paymentMethods.expiresAt} > ${at}`,
  ofOneVendor: (at, vendorId) => {
    const ahead = sql`interval '30 days'`;
    return sql`${paymentMethods.expiresAt} < ${noticeHorizon({ vendors, vendorSettings }, vendorId, { at, ahead })}`;
  },
};

/** Queries for the stored payment methods that expire soon. */
export class MethodExpiryRepository {
  constructor(private readonly db: Handle) {}

  /** Claims methods that expire soon, the next first: no further claim returns them with the same expiry. */
  async claim(vendorId: number, now: Date, limit: number): Promise<ExpiringMethod[]> {
    const { id, customerId, method, expiresAt } = paymentMethods;
    const due = await this.db
      .select({ id, customerId, method, expiresAt })
      .from(paymentMethods)
      .where(dueRowsOf(expiringMethods, vendorId, timestamp(now)))
      .orderBy(expiresAt, id)
      .limit(limit)
      .for("no key update", { skipLocked: true });
    const ids = due.map((one) => one.id);
    if (ids.length > 0)
      await this.db
        .update(paymentMethods)
        .set({ noticedExpiry: sql`${expiresAt}` })
        .where(and(eq(paymentMethods.vendorId, vendorId), idIsOneOf(id, ids)));
    return due;
  }
}
