import { eq, sql } from "drizzle-orm";
import { databaseIdentity, vendors } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { firstRow } from "../../database/rows.ts";

/** The record of a detected or declared restore. */
export interface BackupRestoreRecord {
  /** The identity that was saved; null before the first charge. */
  savedIdentity: string | null;
  /** The identity of the connected server and database. */
  currentIdentity: string;
  restoredAt: Date | null;
}

/**
 * Identifies the cluster, the database and its log history (timeline). A loaded dump has another database or cluster; a
 * restore to a point in time has another history. The connecting code adds the path of an embedded cluster.
 */
const currentIdentity = sql<string>`concat_ws(' ', (select system_identifier from pg_control_system()), (select oid from pg_database
  where datname = current_database()), (select timeline_id from pg_control_checkpoint()), nullif(current_setting('recoup.place', true), ''))`;

/** Queries for the identity of the database, to detect restores. */
export class BackupRestoreRepository {
  constructor(private readonly db: Handle) {}

  async find(): Promise<BackupRestoreRecord> {
    const row = firstRow(
      await this.db
        .select({
          savedIdentity: databaseIdentity.identity,
          currentIdentity,
          restoredAt: databaseIdentity.restoredAt,
        })
        .from(sql`(select 1) as one`)
        .leftJoin(databaseIdentity, sql`true`),
    );
    return row;
  }

  /** Saves which database this is, and when a restore was noticed. */
  async save(identity: string, restoredAt: Date | null): Promise<void> {
    await this.db
      .insert(databaseIdentity)
      .values({ identity, restoredAt })
      .onConflictDoUpdate({ target: databaseIdentity.isOnly, set: { identity, restoredAt } });
  }

  /** Whether the vendor is a sandbox: its clock may have been moved, so that its dates do not match the real time. */
  async isSandbox(vendorId: number): Promise<boolean> {
    const [row] = await this.db.select({ sandbox: vendors.sandbox }).from(vendors).where(eq(vendors.id, vendorId));
    return row?.sandbox ?? false;
  }
}
