import type { BackupRestoreRecord, BackupRestoreRepository } from "./backup-restore.repository.ts";

/** Clocks of machines differ, and a charge takes its time. */
const CLOCK_MARGIN_MS = 86_400_000;

/** Knows whether the database was restored from a backup, so that charges which it does not know are searched first. */
export class BackupRestoreService {
  constructor(
    private readonly deps: {
      backupRestoreRepository: BackupRestoreRepository;
      /** The real time. */
      realNow: Date;
    },
  ) {}

  /** The time of the last known restore. Detects a restore: the server's identity differs from that of the backup. */
  async detectRestore(): Promise<Date | null> {
    const { savedIdentity, currentIdentity, restoredAt } = await this.deps.backupRestoreRepository.find();
    if (savedIdentity === currentIdentity) return restoredAt;
    const noticedAt = savedIdentity === null ? null : this.deps.realNow;
    await this.deps.backupRestoreRepository.save(currentIdentity, noticedAt);
    return noticedAt;
  }

  /** The time of the restore, if a charge that was possible since an instant may precede it; else null. */
  async findRelevantRestore(vendorId: number, since: Date): Promise<Date | null> {
    const restoredAt = await this.detectRestore();
    if (restoredAt === null) return null;
    const mayBeHidden =
      since.getTime() <= restoredAt.getTime() + CLOCK_MARGIN_MS ||
      (await this.deps.backupRestoreRepository.isSandbox(vendorId));
    return mayBeHidden ? restoredAt : null;
  }

  /** Declares, for the operator, that the database was restored: a disk snapshot cannot be detected from inside. */
  async declareRestored(): Promise<void> {
    const { currentIdentity } = await this.deps.backupRestoreRepository.find();
    await this.deps.backupRestoreRepository.save(currentIdentity, this.deps.realNow);
  }

  status(): Promise<BackupRestoreRecord> {
    return this.deps.backupRestoreRepository.find();
  }
}
