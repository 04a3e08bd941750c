import { shareRead } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import { BackupRestoreRepository, type BackupRestoreRecord } from "../restores/backup-restore.repository.ts";

/** The identity of the database for work that runs many times at once in one transaction: one read for all. */
export class BackupRestoreBatchRepository extends BackupRestoreRepository {
  private readonly reads;

  constructor(handle: Handle) {
    super(handle);
    // The database is the same for every vendor.
    this.reads = shareRead(() => super.find());
  }

  override find(): Promise<BackupRestoreRecord> {
    return this.reads(0);
  }
}
