import { and, eq, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import { secondFactors } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";

export type SecondFactorRecord = typeof secondFactors.$inferSelect;

/** Queries for the second factors of people. */
export class SecondFactorRepository {
  constructor(private readonly db: Handle) {}

  async find(vendorId: number, managerId: number): Promise<SecondFactorRecord | undefined> {
    const [found] = await this.db.select().from(secondFactors).where(isOf(vendorId, managerId));
    return found;
  }

  /** The people among these who have a confirmed factor. */
  async peopleWithFactor(vendorId: number, managerIds: readonly number[]): Promise<Set<number>> {
    const rows = await this.db
      .select({ managerId: secondFactors.managerId })
      .from(secondFactors)
      .where(
        and(
          eq(secondFactors.vendorId, vendorId),
          idIsOneOf(secondFactors.managerId, managerIds),
          isNotNull(secondFactors.confirmedAt),
        ),
      );
    return new Set(rows.map(({ managerId }) => managerId));
  }

  /** Saves a secret that is not confirmed, in place of one that was not. @returns false if the factor is confirmed. */
  async saveUnconfirmed(vendorId: number, managerId: number, secret: Buffer, createdAt: Date): Promise<boolean> {
    const values = { secret, createdAt, lastStep: null };
    const saved = await this.db
      .insert(secondFactors)
      .values({ vendorId, managerId, ...values })
      .onConflictDoUpdate({
        target: [secondFactors.vendorId, secondFactors.managerId],
        set: values,
        setWhere: and(eq(secondFactors.vendorId, vendorId), isNull(secondFactors.confirmedAt)),
      })
      .returning({ id: secondFactors.id });
    return saved.length > 0;
  }

  /** Makes the code of a step unusable. @returns whether this caller was the first with it. */
  async useStep(vendorId: number, managerId: number, step: number): Promise<boolean> {
    const used = await this.db
      .update(secondFactors)
      .set({ lastStep: step })
      .where(and(isOf(vendorId, managerId), or(isNull(secondFactors.lastStep), lt(secondFactors.lastStep, step))))
      .returning({ id: secondFactors.id });
    return used.length > 0;
  }

  /** Makes a recovery code unusable. @returns whether this caller was the first with it. */
  async useRecoveryCode(vendorId: number, managerId: number, hash: string): Promise<boolean> {
    const used = await this.db
      .update(secondFactors)
      .set({ recoveryHashes: sql`array_remove(${secondFactors.recoveryHashes}, ${hash})` })
      .where(and(isOf(vendorId, managerId), sql`${hash} = any(${secondFactors.recoveryHashes})`))
      .returning({ id: secondFactors.id });
    return used.length > 0;
  }

  async confirm(vendorId: number, managerId: number, recoveryHashes: string[], confirmedAt: Date): Promise<void> {
    await this.db.update(secondFactors).set({ recoveryHashes, confirmedAt }).where(isOf(vendorId, managerId));
  }

  /** Deletes a person's factor. @returns whether it was confirmed. */
  async remove(vendorId: number, managerId: number): Promise<boolean> {
    const removed = await this.db
      .delete(secondFactors)
      .where(isOf(vendorId, managerId))
      .returning({ confirmedAt: secondFactors.confirmedAt });
    return removed.some(({ confirmedAt }) => confirmedAt !== null);
  }

  /** The factors of all vendors with their encrypted secrets, for the operator who changes the key. */
  allEncrypted(): Promise<SecondFactorRecord[]> {
    return this.db.select().from(secondFactors);
  }

  async saveSecret(vendorId: number, managerId: number, secret: Buffer): Promise<void> {
    await this.db.update(secondFactors).set({ secret }).where(isOf(vendorId, managerId));
  }
}

const isOf = (vendorId: number, managerId: number) =>
  and(eq(secondFactors.vendorId, vendorId), eq(secondFactors.managerId, managerId));
