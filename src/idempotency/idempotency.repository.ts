import { and, eq, gt, isNotNull, lte, sql } from "drizzle-orm";
import { idempotencyKeys } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";

export type StoredAnswer = Pick<typeof idempotencyKeys.$inferSelect, "requestHash" | "status" | "body" | "sealed">;

/** Every question we ask of the stored answers. */
export class IdempotencyRepository {
  constructor(private readonly db: Handle) {}

  /** Whether this transaction may answer for the key; false while another one does. */
  async claim(vendorId: number, key: string): Promise<boolean> {
    const rows = await this.db.execute(
      sql`select pg_try_advisory_xact_lock(hashtextextended(${key}, ${vendorId}::bigint)) as free`,
    );
    return (rows as { free: boolean }[])[0]!.free;
  }

  /** The answer that was stored for the key after an instant. */
  async find(vendorId: number, key: string, after: Date): Promise<StoredAnswer | undefined> {
    const [found] = await this.db
      .select({
        requestHash: idempotencyKeys.requestHash,
        status: idempotencyKeys.status,
        body: idempotencyKeys.body,
        sealed: idempotencyKeys.sealed,
      })
      .from(idempotencyKeys)
      .where(
        and(eq(idempotencyKeys.vendorId, vendorId), eq(idempotencyKeys.key, key), gt(idempotencyKeys.createdAt, after)),
      );
    return found;
  }

  /** Stores the answer for the key, and forgets those of the vendor that have grown too old. */
  async keep(vendorId: number, key: string, answer: StoredAnswer, now: Date, forgetUntil: Date): Promise<void> {
    await this.db
      .delete(idempotencyKeys)
      .where(and(eq(idempotencyKeys.vendorId, vendorId), lte(idempotencyKeys.createdAt, forgetUntil)));
    await this.db
      .insert(idempotencyKeys)
      .values({ vendorId, key, ...answer, createdAt: now })
      .onConflictDoNothing();
  }

  /** The encrypted answers of all vendors, for the operator who changes the key. */
  async sealed(): Promise<{ vendorId: number; key: string; sealed: Buffer }[]> {
    const rows = await this.db
      .select({ vendorId: idempotencyKeys.vendorId, key: idempotencyKeys.key, sealed: idempotencyKeys.sealed })
      .from(idempotencyKeys)
      .where(isNotNull(idempotencyKeys.sealed));
    return rows.map((row) => ({ ...row, sealed: row.sealed! }));
  }

  async reseal(vendorId: number, key: string, sealed: Buffer): Promise<void> {
    await this.db
      .update(idempotencyKeys)
      .set({ sealed })
      .where(and(eq(idempotencyKeys.vendorId, vendorId), eq(idempotencyKeys.key, key)));
  }
}
