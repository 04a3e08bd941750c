import { and, eq, sql } from "drizzle-orm";
import { importedRecords } from "../../schema/tables/index.ts";
import type { ImportKind } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { isOneOf } from "../database/conditions.ts";

export type ImportedRecord = typeof importedRecords.$inferSelect;

/** Queries for the merchant's own ids of imported records. */
export class ImportedRecordRepository {
  constructor(private readonly db: Handle) {}

  /** Locks the vendor's imports until the transaction ends. @returns false if another import has the lock. */
  async tryLockImports(vendorId: number): Promise<boolean> {
    const rows: unknown = await this.db.execute(
      sql`select pg_try_advisory_xact_lock(hashtextextended('import', ${vendorId}::bigint)) as free`,
    );
    return Array.isArray(rows) && (rows as { free: boolean }[])[0]?.free === true;
  }

  byPartnerIds(vendorId: number, kind: ImportKind, partnerIds: readonly string[]): Promise<ImportedRecord[]> {
    return this.db
      .select()
      .from(importedRecords)
      .where(
        and(
          eq(importedRecords.vendorId, vendorId),
          eq(importedRecords.kind, kind),
          isOneOf(importedRecords.partnerId, partnerIds),
        ),
      );
  }

  async add(vendorId: number, values: Omit<ImportedRecord, "vendorId">): Promise<void> {
    await this.db.insert(importedRecords).values({ vendorId, ...values });
  }
}
