import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import type { Handle } from "../client.ts";
import { isConnectionLost, isDatabaseOutage, isTransactionConflict } from "../database-errors.ts";
import { ControlConnection } from "./control-connection.ts";
import { ReplicaLag, type WalPosition } from "./replica-lag.ts";
import {
  findMismatch,
  positionOf,
  PRIMARY_POSITION_QUERY,
  PRIMARY_STATE_QUERY,
  REPLAY_POSITION_QUERY,
  REPLICA_STATE_QUERY,
  type PositionRow,
  type PrimaryRow,
  type ReplicaRow,
} from "./server-states.ts";
import { SharedRead } from "./shared-read.ts";

const PROBE_INTERVAL_MS = 1_000;
/** A server that takes longer for a question about its state hangs, or is overloaded. */
const CONTROL_TIMEOUT_MS = 1_000;
const MAX_LAG_MS = 5_000;
/** A replica that was left alone is used again after so many good probes in a row: one that comes and goes helps nobody. */
const PROBES_TO_RETURN = 3;
/** How long a read waits for the replica to catch up; a healthy one takes a few milliseconds. */
const MAX_WAIT_MS = 50;
const POLL_INTERVAL_MS = 2;
/** After a read waited in vain, reads do not wait at all for so long. */
const PAUSE_AFTER_WAIT_MS = 1_000;

/** A replica was left alone, and why, or is used again. */
export type ReplicaChange = { isUsed: false; reason: string } | { isUsed: true };

/** The replica's pool of connections. */
export interface ReplicaPool {
  handle: Handle;
  /** Closes all connections at once: statements that are under way fail. */
  abandonConnections(): void;
  close(): Promise<void>;
}

interface ReplicaDependencies {
  /** Opens the pool. Its statements fail while `isOpen` is false. */
  openPool: (isOpen: () => boolean) => ReplicaPool;
  /** Opens a client with one connection to the primary or the replica. */
  connectToPrimary: () => postgres.Sql;
  connectToReplica: () => postgres.Sql;
  onChange: (change: ReplicaChange) => void;
}

/**
 * A streaming replica of a database, for reads. Before each read the primary is asked for its position, and the replica is read only if
 * it has replayed that: so a read misses no write that was acknowledged before it, whichever process wrote. A replica that
 * lags, dies or hangs is left alone until it is well again.
 */
export class Replica {
  readonly handle: Handle;
  private readonly pool: ReplicaPool;
  private readonly primary: ControlConnection;
  private readonly replica: ControlConnection;
  private readonly primaryPosition: SharedRead<WalPosition>;
  private readonly replayPosition: SharedRead<WalPosition>;
  private readonly lag = new ReplicaLag();
  private readonly probing: Promise<void>;
  private readonly openedAt = performance.now();
  private readonly closing = new AbortController();
  private state: "UNKNOWN" | "USED" | "LEFT_ALONE" = "UNKNOWN";
  private goodProbes = 0;
  private pausedUntil = -Infinity;

  constructor(private readonly dependencies: ReplicaDependencies) {
    const { openPool, connectToPrimary, connectToReplica } = dependencies;
    this.pool = openPool(() => this.isUsed);
    this.handle = this.pool.handle;
    this.primary = new ControlConnection(connectToPrimary, CONTROL_TIMEOUT_MS);
    this.replica = new ControlConnection(connectToReplica, CONTROL_TIMEOUT_MS);
    this.primaryPosition = new SharedRead(async () =>
      positionOf(await this.primary.readRow<PositionRow>(PRIMARY_POSITION_QUERY)),
    );
    this.replayPosition = new SharedRead(async () =>
      positionOf(await this.replica.readRow<PositionRow>(REPLAY_POSITION_QUERY)),
    );
    this.probing = this.probeUntilClosed();
  }

  /** Whether reads may go to it now. */
  get isUsed(): boolean {
    return this.state === "USED";
  }

  /** How far it lags, in seconds; undefined before that is known. */
  get lagSeconds(): number | undefined {
    const lagMs = this.lag.lagMs(performance.now());
    return lagMs === undefined ? undefined : lagMs / 1000;
  }

  /** Whether it has all that was committed before this call. It may take some milliseconds to replay that. */
  async hasCaughtUp(): Promise<boolean> {
    if (!this.isUsed || performance.now() < this.pausedUntil) return false;
    // The first time both are asked at once: most often nothing was written in between.
    const position = this.primaryPosition.read().catch(() => undefined);
    const deadline = performance.now() + MAX_WAIT_MS;
    for (;;) {
      let replayed: WalPosition;
      try {
        replayed = await this.replayPosition.read();
      } catch (error) {
        this.leaveAlone(describeFailure(error));
        return false;
      }
      const committed = await position;
      // The read goes to the primary, which has its own words for an outage.
      if (committed === undefined) return false;
      if (replayed >= committed) return this.isUsed;
      if (performance.now() >= deadline) {
        this.pausedUntil = performance.now() + PAUSE_AFTER_WAIT_MS;
        return false;
      }
      await sleep(POLL_INTERVAL_MS);
    }
  }

  /** Takes note of an error of one of its statements: a lost connection tells of its death before the next probe does. */
  noteFailure(error: unknown): void {
    // A statement that stands in the way of what is replayed is cancelled; that is no fault of the server.
    if (!isTransactionConflict(error) && isConnectionLost(error)) this.leaveAlone(describeFailure(error));
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.primary.close();
    this.replica.close();
    if (!this.isUsed) this.pool.abandonConnections();
    await Promise.all([this.pool.close(), this.probing]);
  }

  private async probeUntilClosed(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      await this.probe();
      await sleep(PROBE_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async probe(): Promise<void> {
    const startedAt = performance.now();
    let primary: PrimaryRow;
    try {
      primary = await this.primary.readRow<PrimaryRow>(PRIMARY_STATE_QUERY);
    } catch (error) {
      // While the primary is away there is nothing to compare with, and no read that another server may answer.
      const code = errorCodeOf(error);
      if (code !== undefined && !isDatabaseOutage(error))
        this.leaveAlone(`the state of the primary cannot be read (${code})`, { isAlive: true });
      return;
    }
    this.lag.addSample(startedAt, positionOf(primary));
    let replica: ReplicaRow;
    try {
      replica = await this.replica.readRow<ReplicaRow>(REPLICA_STATE_QUERY);
    } catch (error) {
      this.leaveAlone(describeFailure(error));
      return;
    }
    const mismatch = findMismatch(primary, replica);
    if (mismatch !== undefined) {
      this.leaveAlone(mismatch);
      return;
    }
    this.lag.recordReplayed(positionOf(replica));
    const lagMs = this.lag.lagMs(performance.now());
    if ((lagMs ?? performance.now() - this.openedAt) >= MAX_LAG_MS)
      this.leaveAlone("it lags five seconds or more", { isAlive: true });
    else if (lagMs !== undefined) this.noteGoodProbe();
  }

  private noteGoodProbe(): void {
    this.goodProbes++;
    if (this.isUsed || (this.state === "LEFT_ALONE" && this.goodProbes < PROBES_TO_RETURN)) return;
    this.state = "USED";
    this.dependencies.onChange({ isUsed: true });
  }

  private leaveAlone(reason: string, { isAlive = false } = {}): void {
    this.goodProbes = 0;
    if (this.state === "LEFT_ALONE" || this.closing.signal.aborted) return;
    this.state = "LEFT_ALONE";
    // Statements that hang would otherwise wait for their timeout; so they fail now, and the primary answers.
    if (!isAlive) this.pool.abandonConnections();
    this.dependencies.onChange({ isUsed: false, reason });
  }
}

const errorCodeOf = (error: unknown): string | undefined => (error as { code?: string }).code;

/** The failure by its code, if it has one: messages can repeat values. */
function describeFailure(error: unknown): string {
  const code = errorCodeOf(error);
  return code === undefined ? "it does not answer" : `it does not answer (${code})`;
}
