import type { Logger } from "drizzle-orm/logger";
import { drizzle } from "drizzle-orm/postgres-js";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import postgres from "postgres";
import { withAcquireTimeout } from "./driver/driver.ts";
import { RenewedClient } from "./driver/renewed-client.ts";
import type { NameLimits } from "./driver/statement-names.ts";
import { ConnectionSemaphore } from "./driver/semaphore.ts";
import type { SemaphoreUse } from "../kernel/scheduling/fair-semaphore.ts";
import { isTransactionConflict } from "./database-errors.ts";
import { markDistributed } from "./distributed-handles.ts";
import { Replica, type ReplicaChange } from "./replica/replica.ts";
import { withGate } from "./replica/replica-pool.ts";

/** The pool or an open transaction: repositories work on both. */
export type Handle = Pick<
  PgDatabase<PgQueryResultHKT, Record<string, never>>,
  | "transaction"
  | "select"
  | "selectDistinct"
  | "selectDistinctOn"
  | "insert"
  | "update"
  | "delete"
  | "execute"
  | "$count"
>;

/** One gateway's connections to its database. */
export interface Database {
  handle: Handle;
  /** A replica that reads may go to; undefined if it has none. */
  replica: Replica | undefined;
  /** How it was opened: a thread opens it anew, because connections cannot be handed over. */
  source: DatabaseSource;
  /**
   * Runs work in one transaction, which commits or rolls back as a whole. Work that is aborted in favour of other work
   * is retried.
   */
  transaction: <T>(work: (handle: Handle) => Promise<T>) => Promise<T>;
  /** Tells the listener the text of every statement for the primary, before it is sent. */
  listen: (listener: (text: string) => void) => void;
  /** Whether the database answers. */
  ping(): Promise<void>;
  /** The connections in use, the work that waits for one, and the limit. */
  connectionUse: () => SemaphoreUse;
  close(): Promise<void>;
}

/**
 * What stands before the server. A pooler that hands out connections by transaction keeps no settings of a session; with PREPARED it
 * keeps the statements that are prepared by name, as PgBouncer does from version 1.21.
 */
export type Pooler = "NONE" | "TRANSACTION" | "TRANSACTION_PREPARED";

/** Where a database is. */
export interface DatabaseSource {
  url: string;
  /** The path of an embedded database's files: part of its identity, to distinguish it from a copy. */
  identity?: string | undefined;
  /** The schema of its tables. Defaults to that of the role, which is `public` as a rule. */
  schema?: string | undefined;
  /** Whether it is a schema of a Citus cluster. Defaults to false. */
  isDistributed?: boolean | undefined;
  /** Defaults to none. */
  pooler?: Pooler;
}

export interface DatabaseOptions extends DatabaseSource {
  /** Connections in the pool. */
  poolSize?: number | undefined;
  /** Time that a statement may take. Behind a pooler it is the role's setting. */
  statementTimeoutMs?: number | undefined;
  /** Time that work waits for a free connection. */
  acquireTimeoutMs?: number;
  /** Seconds after which an idle connection is closed. Defaults to 60. */
  idleSeconds?: number;
  /** Limits the connections in use together with those of other pools to the same server. Defaults to one of its own. */
  semaphore?: ConnectionSemaphore;
  /** Statements that each connection prepares by name. */
  nameLimits?: NameLimits;
  /** The address of a streaming replica of the database, without a pooler that spreads connections over several servers. */
  replicaUrl?: string | undefined;
  /** Told when the replica is left alone, and when it is used again. */
  onReplicaChange?: ((change: ReplicaChange) => void) | undefined;
  /** Told every statement, for tests that count or read them. */
  onStatement?: (text: string, parameters: unknown[]) => void;
  /** Told every statement that is sent to the replica. */
  onReplicaStatement?: (text: string) => void;
}

const DEFAULT_STATEMENT_TIMEOUT_MS = 15_000;
/** A transaction waits for its own statements only: one that idles longer is rolled back, which frees its locks. */
const IDLE_TRANSACTION_TIMEOUT_MS = 15_000;
/** Enough for the statements of REST, the console and the workers, and for some hundred documents of dashboards. */
const NAME_LIMITS: NameLimits = {
  maxNames: 500,
  maxCharacters: 2_000_000,
  renewAfterMs: 600_000,
  renewAfterRejections: 1_000,
};
const MAX_TRANSACTION_ATTEMPTS = 3;
/** A caller that waits longer has as a rule hung up; what frees a connection is the limit of a statement. */
const DEFAULT_ACQUIRE_TIMEOUT_MS = 5_000;

/** A read that does not get a connection to the replica so soon goes to the primary. */
const REPLICA_ACQUIRE_TIMEOUT_MS = 1_000;

/** Opens a pool; connections are made when they are first needed. Those to a replica are made at once. */
export function openDatabase({
  url,
  identity,
  schema,
  poolSize = 10,
  statementTimeoutMs = DEFAULT_STATEMENT_TIMEOUT_MS,
  acquireTimeoutMs = DEFAULT_ACQUIRE_TIMEOUT_MS,
  idleSeconds = 60,
  semaphore = new ConnectionSemaphore(poolSize, acquireTimeoutMs),
  pooler = "NONE",
  isDistributed = false,
  nameLimits = NAME_LIMITS,
  replicaUrl,
  onReplicaChange = () => undefined,
  onStatement,
  onReplicaStatement,
}: DatabaseOptions): Database {
  const keepsSettings = pooler === "NONE";
  const prepare = pooler !== "TRANSACTION";
  const connect = (address: string, max: number) => () =>
    postgres(address, {
      max,
      prepare,
      connect_timeout: 5,
      idle_timeout: idleSeconds,
      // The driver fetches types on each new connection, and a failure there is an unhandled rejection that ends the
      // process. Drizzle reads and writes arrays.
      fetch_types: false,
      // The driver's own wait doubles up to 20 s, long after the database is back.
      backoff: () => 0.1,
      onnotice: () => undefined,
      // A transaction pooler refuses connections with session settings that it cannot preserve: there the role has to
      // have them. Each query has its index, so that one plan serves all its values; planning a page with nested
      // selections costs many times as much as reading it.
      connection: {
        application_name: "recoup",
        ...(identity !== undefined && { "recoup.place": identity }),
        // Extensions are in `public`. A transaction pooler refuses this too: there the role has the search path.
        ...(schema !== undefined && keepsSettings && { search_path: `"${schema}", public` }),
        ...(keepsSettings && {
          statement_timeout: statementTimeoutMs,
          idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
          // Citus cannot plan every statement without its values, so the server chooses: a plan that Citus can use again is not made for
          // each execution.
          plan_cache_mode: isDistributed ? "auto" : "force_generic_plan",
        }),
      },
    });
  const openPool = (
    address: string,
    places: ConnectionSemaphore,
    timeoutMs: number,
    isOpen?: () => boolean,
    onQuery?: Logger["logQuery"],
  ) => {
    const client = new RenewedClient(connect(address, poolSize), prepare ? nameLimits : null);
    const gated = isOpen ? withGate(client.sql, isOpen) : client.sql;
    const limitedClient = withAcquireTimeout(gated, places, timeoutMs, statementTimeoutMs);
    const handle = drizzle(limitedClient, { logger: onQuery ? { logQuery: onQuery } : false });
    if (isDistributed) markDistributed(handle);
    return { client, limitedClient, handle };
  };
  const listeners: Logger["logQuery"][] = onStatement ? [onStatement] : [];
  const { client, limitedClient, handle } = openPool(url, semaphore, acquireTimeoutMs, undefined, (...statement) => {
    for (const listener of listeners) listener(...statement);
  });
  const replica =
    replicaUrl === undefined
      ? undefined
      : new Replica({
          openPool: (isOpen) => {
            const places = new ConnectionSemaphore(poolSize, REPLICA_ACQUIRE_TIMEOUT_MS);
            const pool = openPool(replicaUrl, places, REPLICA_ACQUIRE_TIMEOUT_MS, isOpen, onReplicaStatement);
            return {
              handle: pool.handle,
              abandonConnections: () => {
                pool.client.abandonConnections();
              },
              close: () => pool.client.end(5),
            };
          },
          connectToPrimary: connect(url, 1),
          connectToReplica: connect(replicaUrl, 1),
          onChange: onReplicaChange,
        });
  return {
    handle,
    replica,
    source: { url, identity, schema, isDistributed, pooler },
    transaction: (work) => withRetries(() => handle.transaction((transaction) => work(transaction))),
    listen: (listener) => void listeners.push(listener),
    ping: async () => {
      await limitedClient.unsafe("select 1");
    },
    connectionUse: () => semaphore.use,
    close: async () => {
      await Promise.all([client.end(5), replica?.close()]);
    },
  };
}

/** Deadlocks and serialization failures are transient; a repeated one is an outage. */
async function withRetries<T>(runTransaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runTransaction();
    } catch (error) {
      if (attempt === MAX_TRANSACTION_ATTEMPTS || !isTransactionConflict(error)) throw error;
    }
  }
}
