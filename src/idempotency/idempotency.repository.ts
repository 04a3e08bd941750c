import { and, eq, gt, inArray, isNotNull, lte, or, sql } from "drizzle-orm";
import { idempotencyKeys } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { dueRowsOf, interval, timestamp, type DueRows } from "../database/due-rows.ts";
import { firstOf, required } from "../kernel/required-values.ts";

type KeyRow = typeof idempotencyKeys.$inferSelect;

/**
 * The values saved under a key: the hash of its request, the answer if it is known, and the effect on money if there is
 * one.
 */
export type SavedRequest = Pick<KeyRow, "requestHash" | "status" | "body" | "sealed" | "answered" | "effect">;

/** Whether a transaction may use a key: another one has locked it for the same request, or for another request. */
export type KeyLockResult = "FREE" | "SAME_RUNNING" | "OTHER_RUNNING";

/** How long a request counts after it was saved. */
export const RETENTION_MS = 24 * 3_600_000;

/** Saved requests that no longer count. Their time is the real one, never that of a vendor's clock. */
export const expiredRequests: DueRows = {
  table: idempotencyKeys,
  isDue: (at) => sql`${idempotencyKeys.createdAt} <= ${at} - ${interval(RETENTION_MS)}`,
};

/** Queries for the saved requests. */
export class IdempotencyRepository {
  constructor(private readonly db: Handle) {}

  /**
   * Locks a key until the transaction ends, together with the hash of its request. A caller that finds the pair locked
   * repeats the running request; a caller that finds only the key locked sends another request under it.
   */
  async lockKey(vendorId: number, key: string, hash: Buffer): Promise<KeyLockResult> {
    const requestAndKey = `${hash.toString("hex")} ${key}`;
    const rows = await this.db.execute(
      sql`select case
        when not pg_try_advisory_xact_lock(hashtextextended(${requestAndKey}, ${vendorId}::bigint)) then 'SAME_RUNNING'
        when not pg_try_advisory_xact_lock(hashtextextended(${key}, ${vendorId}::bigint)) then 'OTHER_RUNNING'
        else 'FREE' end as standing`,
    );
    return firstOf(rows as { standing: KeyLockResult }[]).standing;
  }

  /** The request that was saved under the key after an instant. */
  async find(vendorId: number, key: string, after: Date): Promise<SavedRequest | undefined> {
    const [found] = await this.db
      .select({
        requestHash: idempotencyKeys.requestHash,
        status: idempotencyKeys.status,
        body: idempotencyKeys.body,
        sealed: idempotencyKeys.sealed,
        answered: idempotencyKeys.answered,
        effect: idempotencyKeys.effect,
      })
      .from(idempotencyKeys)
      .where(
        and(eq(idempotencyKeys.vendorId, vendorId), eq(idempotencyKeys.key, key), gt(idempotencyKeys.createdAt, after)),
      );
    return found;
  }

  /** Saves a request under its key, in the place of one that is too old to count. */
  async save(vendorId: number, key: string, request: SavedRequest, now: Date, expired: Date): Promise<void> {
    await this.db
      .insert(idempotencyKeys)
      .values({ vendorId, key, ...request, createdAt: now })
      .onConflictDoUpdate({
        target: [idempotencyKeys.vendorId, idempotencyKeys.key],
        set: { ...request, createdAt: now },
        setWhere: and(eq(idempotencyKeys.vendorId, vendorId), lte(idempotencyKeys.createdAt, expired)),
      });
  }

  /** Saves the answer of a request that was saved without one. */
  async saveAnswer(vendorId: number, key: string, answer: Partial<SavedRequest>): Promise<void> {
    await this.db
      .update(idempotencyKeys)
      .set({ ...answer, answered: true })
      .where(
        and(eq(idempotencyKeys.vendorId, vendorId), eq(idempotencyKeys.key, key), eq(idempotencyKeys.answered, false)),
      );
  }

  /** Deletes the vendor's oldest requests that no longer count, at most `limit`. @returns how many were deleted. */
  async deleteExpired(vendorId: number, now: Date, limit: number): Promise<number> {
    const oldest = this.db
      .select({ key: idempotencyKeys.key })
      .from(idempotencyKeys)
      .where(dueRowsOf(expiredRequests, vendorId, timestamp(now)))
      .orderBy(idempotencyKeys.createdAt)
      .limit(limit)
      .for("update", { skipLocked: true });
    const deleted = await this.db
      .delete(idempotencyKeys)
      .where(and(eq(idempotencyKeys.vendorId, vendorId), inArray(idempotencyKeys.key, oldest)))
      .returning({ key: idempotencyKeys.key });
    return deleted.length;
  }

  /** Answers of a vendor that contain one of some texts, and all encrypted ones, locked. */
  async lockAnswers(vendorId: number, texts: readonly string[]): Promise<Pick<KeyRow, "key" | "body" | "sealed">[]> {
    const contains = texts.map((text) => sql`strpos(${idempotencyKeys.body}, ${text}) > 0`);
    return this.db
      .select({ key: idempotencyKeys.key, body: idempotencyKeys.body, sealed: idempotencyKeys.sealed })
      .from(idempotencyKeys)
      .where(and(eq(idempotencyKeys.vendorId, vendorId), or(isNotNull(idempotencyKeys.sealed), ...contains)))
      .orderBy(idempotencyKeys.key)
      .for("update");
  }

  async replaceBody(vendorId: number, key: string, body: string): Promise<void> {
    await this.db
      .update(idempotencyKeys)
      .set({ body })
      .where(and(eq(idempotencyKeys.vendorId, vendorId), eq(idempotencyKeys.key, key)));
  }

  /** The encrypted requests of all vendors, for the operator who changes the key. */
  async encryptedRequests(): Promise<{ vendorId: number; key: string; sealed: Buffer }[]> {
    const rows = await this.db
      .select({ vendorId: idempotencyKeys.vendorId, key: idempotencyKeys.key, sealed: idempotencyKeys.sealed })
      .from(idempotencyKeys)
      .where(isNotNull(idempotencyKeys.sealed));
    return rows.map((row) => ({ ...row, sealed: required(row.sealed, "sealed") }));
  }

  async replaceEncrypted(vendorId: number, key: string, sealed: Buffer): Promise<void> {
    await this.db
      .update(idempotencyKeys)
      .set({ sealed })
      .where(and(eq(idempotencyKeys.vendorId, vendorId), eq(idempotencyKeys.key, key)));
  }
}
