import { and, eq, gt, lte, sql } from "drizzle-orm";
import { idempotencyKeys } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";

export type StoredAnswer = Pick<typeof idempotencyKeys.$inferSelect, "requestHash" | "status" | "body">;

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
      .select({ requestHash: idempotencyKeys.requestHash, status: idempotencyKeys.status, body: idempotencyKeys.body })
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
    await this.db.insert(idempotencyKeys).values({ vendorId, key, ...answer, createdAt: now });
  }
}
