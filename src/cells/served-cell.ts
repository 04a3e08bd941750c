import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { Database, DatabaseOptions } from "../database/client.ts";
import { DatabaseDown } from "../database/database-errors.ts";
import { migrateSchema } from "../database/migrations/migrate-schema.ts";
import { ConnectionSemaphore } from "../database/driver/semaphore.ts";
import type { Gateway } from "../gateway.ts";
import type { LedgerCheckState } from "../payments/ledger/ledger-check.service.ts";
import type { RunningWorker } from "../worker-process.ts";
import { openCellDatabase } from "./cell-database.ts";
import type { Cell } from "./cell.ts";

/** What a process does for the vendors of a cell. */
export interface ServedCell {
  name: string;
  /** Answers their requests; undefined in a process that only works. */
  gateway: Gateway | undefined;
  /** Does their scheduled work; undefined in a process that only answers. */
  worker: RunningWorker | undefined;
  /** What the checks of the cell's ledger found; undefined before the first one. */
  readLedgerCheck: CellParts["readLedgerCheck"];
  /** Whether the cell's database answers. */
  isUp(): Promise<boolean>;
  close(): Promise<void>;
  /** Refuses writes and stops to work at once, because the cell is elsewhere, and closes when the last requests have been answered. */
  retire(): Promise<void>;
}

/** What a process opens on a cell's database. */
export interface CellParts {
  gateway?: Gateway;
  worker?: RunningWorker;
  readLedgerCheck: () => Promise<LedgerCheckState | undefined>;
}

export interface CellServerOptions {
  /** The settings of every connection to a cell. */
  connection: Pick<DatabaseOptions, "poolSize" | "pooler" | "statementTimeoutMs" | "acquireTimeoutMs">;
  /** Whether the process answers requests, whose lists a replica may serve. */
  readsLists: boolean;
  /** Whether a cell takes writes now. */
  takesWrites: (cell: number) => boolean;
  /** Opens the gateway, the worker, or both. */
  openParts: (database: Database) => Promise<CellParts>;
  logger: Pick<FastifyBaseLogger, "info">;
}

/** The time after which a database that does not answer is reported as down. */
const PING_TIMEOUT_MS = 2_000;
/** Cells of one address share its connections: an idle one must not stay open for a cell that needs none. */
const IDLE_SECONDS = 10;
/** Requests that a retired cell has begun to answer get this time, before its old place is set aside. */
const LAST_REQUESTS_MS = 1_500;
const DEFAULT_POOL_SIZE = 10;
const DEFAULT_ACQUIRE_TIMEOUT_MS = 5_000;

/** Opens cells for the requests and the work of their vendors. */
export class CellServer {
  /** The connections of each address: cells that are schemas of one database have them together. */
  private readonly semaphores = new Map<string, ConnectionSemaphore>();

  private readonly migrating = new Set<number>();

  constructor(private readonly options: CellServerOptions) {}

  /** Migrates a cell and opens it. @throws if its database is down. */
  async open(cell: Cell): Promise<ServedCell> {
    const { connection, readsLists, takesWrites, openParts } = this.options;
    const { number, name, url } = cell;
    await this.migrate(cell);
    let isRetired = false;
    const database = await openCellDatabase(cell, {
      ...{ ...connection, idleSeconds: IDLE_SECONDS, semaphore: this.semaphoreOf(url) },
      ...(cell.replicaUrl !== null && readsLists && { replicaUrl: cell.replicaUrl }),
    });
    try {
      const { gateway, worker, readLedgerCheck } = await openParts({
        ...database,
        transaction: (work) => {
          if (takesWrites(number) && !isRetired) return database.transaction(work);
          throw new DatabaseDown(`The cell ${name} takes no writes while it is moved.`);
        },
      });
      const close = async () => {
        await worker?.stop();
        await (gateway ?? database).close();
      };
      return {
        ...{ name, gateway, worker, readLedgerCheck },
        isUp: () => answersInTime(database),
        close,
        retire: async () => {
          isRetired = true;
          await worker?.stop();
          await sleep(LAST_REQUESTS_MS);
          await close();
        },
      };
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** Whether a cell is being migrated, or waits for its turn: until that has ended, processes of the version before serve it. */
  isMigrating(number: number): boolean {
    return this.migrating.has(number);
  }

  private async migrate({ number, name, url, schema }: Cell): Promise<void> {
    const { connection, logger } = this.options;
    try {
      await migrateSchema(url, schema ?? "public", {
        isPooled: (connection.pooler ?? "NONE") !== "NONE",
        report: (sentence) => logger.info({ cell: name, migration: sentence }, "migrates"),
        onPending: () => this.migrating.add(number),
      });
    } finally {
      this.migrating.delete(number);
    }
  }

  private semaphoreOf(url: string): ConnectionSemaphore {
    const { poolSize = DEFAULT_POOL_SIZE, acquireTimeoutMs = DEFAULT_ACQUIRE_TIMEOUT_MS } = this.options.connection;
    const present = this.semaphores.get(url) ?? new ConnectionSemaphore(poolSize, acquireTimeoutMs);
    this.semaphores.set(url, present);
    return present;
  }
}

async function answersInTime(database: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PING_TIMEOUT_MS);
  });
  const answer = database.ping().then(
    () => true,
    () => false,
  );
  return Promise.race([answer, tooLate]).finally(() => clearTimeout(timer));
}
