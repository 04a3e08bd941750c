import { and, eq, sql } from "drizzle-orm";
import { importedRecords } from "../../schema/tables/index.ts";
import type { ImportKind } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { textArray } from "../database/conditions.ts";

type ImportedRecord = typeof importedRecords.$inferSelect;
/** An imported record, as far as other rows need it. */
export type KnownRecord = Pick<ImportedRecord, "kind" | "partnerId" | "recordId" | "rowHash">;

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

  /**
   * Finds records of a kind. A look-up for each id, because PostgreSQL without statistics reads all records of the vendor to
   * find some of them, and a first import has none.
   */
  async byPartnerIds(vendorId: number, kind: ImportKind, partnerIds: readonly string[]): Promise<KnownRecord[]> {
    const found = this.db
      .select({
        partnerId: importedRecords.partnerId,
        recordId: importedRecords.recordId,
        rowHash: importedRecords.rowHash,
      })
      .from(importedRecords)
      .where(
        and(
          eq(importedRecords.vendorId, vendorId),
          eq(importedRecords.kind, kind),
          sql`${importedRecords.partnerId} = "wanted"."partner_id"`,
        ),
      )
      .limit(1)
      .as("found");
    const rows = await this.db
      .select({ partnerId: found.partnerId, recordId: found.recordId, rowHash: found.rowHash })
      .from(sql`unnest(${textArray(partnerIds)}) as "wanted" ("partner_id")`)
      .innerJoinLateral(found, sql`true`);
    return rows.map((row) => ({ kind, ...row }));
  }

  async addAll(vendorId: number, rows: readonly Omit<ImportedRecord, "vendorId">[]): Promise<void> {
    if (rows.length > 0) await this.db.insert(importedRecords).values(rows.map((row) => ({ vendorId, ...row })));
  }
}
