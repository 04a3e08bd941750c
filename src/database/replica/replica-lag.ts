/** A position in the write-ahead log, in bytes since its start. */
export type WalPosition = bigint;

/** A position that the primary had at a time. */
interface Sample {
  at: number;
  position: WalPosition;
}

/** An hour of samples that a replica has not replayed; with more, every second one is left out. */
const MAX_SAMPLES = 3_600;

/**
 * Measures by this process' own clock how far a replica lags: the age of the newest position of the primary that it has replayed.
 * The time since the last replayed transaction, which PostgreSQL offers, also grows while nobody writes.
 */
export class ReplicaLag {
  /** Positions that the replica has not replayed, the oldest first. */
  private samples: Sample[] = [];
  private replayedAt: number | undefined;

  /** Adds the position that the primary had at a time. */
  addSample(at: number, position: WalPosition): void {
    if (this.samples.length >= MAX_SAMPLES) this.samples = this.samples.filter((_, index) => index % 2 === 0);
    this.samples.push({ at, position });
  }

  /** Records what the replica has replayed. */
  recordReplayed(position: WalPosition): void {
    const open = this.samples.findIndex((sample) => sample.position > position);
    const replayed = open < 0 ? this.samples.length : open;
    this.replayedAt = this.samples[replayed - 1]?.at ?? this.replayedAt;
    this.samples.splice(0, replayed);
  }

  /** The lag in milliseconds; undefined before the replica has replayed any of the samples. */
  lagMs(now: number): number | undefined {
    if (this.replayedAt === undefined) return undefined;
    return this.samples.length === 0 ? 0 : now - this.replayedAt;
  }
}
