import type { RestoreRecord, RestoreRepository } from "./backup-restore.repository.ts";

/** Clocks of machines differ, and a charge takes its time. */
const MARGIN_MS = 86_400_000;

/** Knows whether the database was restored from a backup, so that charges which it does not know are searched first. */
export class RestoreService {
  constructor(
    private readonly restores: RestoreRepository,
    /** The real time. */
    private readonly now: Date,
  ) {}

  /** When the database was restored, as far as is known. A restore is noticed here: the server is not the one of the backup. */
  async restoredAt(): Promise<Date | null> {
    const { identity, current, restoredAt } = await this.restores.find();
    if (identity === current) return restoredAt;
    const noticed = identity === null ? null : this.now;
    await this.restores.save(current, noticed);
    return noticed;
  }

  /** When the database was restored, if a charge that was possible since an instant can have been made before; else null. */
  async mayPredate(vendorId: number, since: Date): Promise<Date | null> {
    const restoredAt = await this.restoredAt();
    if (restoredAt === null) return null;
    const isOld = since.getTime() <= restoredAt.getTime() + MARGIN_MS || (await this.restores.isSandbox(vendorId));
    return isOld ? restoredAt : null;
  }

  /** The operator says that the database was restored: of a snapshot of its disk nothing inside can tell. */
  async declare(): Promise<void> {
    const { current } = await this.restores.find();
    await this.restores.save(current, this.now);
  }

  status(): Promise<RestoreRecord> {
    return this.restores.find();
  }
}
