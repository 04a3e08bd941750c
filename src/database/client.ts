import { drizzle } from "drizzle-orm/postgres-js";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import postgres from "postgres";
import { withDriverFixes, withAcquireTimeout } from "./driver.ts";
import { ConnectionSemaphore } from "./semaphore.ts";
import { isTransactionConflict } from "./database-errors.ts";

/** The pool or an open transaction: a repository cannot tell and need not. */
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
  /** Runs work in one transaction: all of it is kept, or none. Work that has to give way to other work is done over. */
  transaction: <T>(work: (handle: Handle) => Promise<T>) => Promise<T>;
  /** Whether the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** Where the files of an embedded database lie: part of what tells it from a copy. */
  identity?: string | undefined;
  /** Connections in the pool. */
  poolSize?: number;
  /** How long work waits for a free one. */
  acquireTimeoutMs?: number;
  /** Named prepared statements; off behind a pooler that hands out connections by transaction. */
  prepare?: boolean;
  /** Told every statement, for tests that count or read them. */
  onStatement?: (text: string, parameters: unknown[]) => void;
}

const STATEMENT_TIMEOUT_MS = 15_000;
/** No transaction waits for anything but its own statements: one that does is lost, and frees its locks. */
const IDLE_TRANSACTION_TIMEOUT_MS = 15_000;
const MAX_TRANSACTION_ATTEMPTS = 3;
/** A caller that waits longer has as a rule hung up; what frees a connection is the limit of a statement. */
const DEFAULT_ACQUIRE_TIMEOUT_MS = 5_000;

/** Opens a pool; connections are made when they are first needed. */
export function openDatabase({
  url,
  identity,
  poolSize = 10,
  acquireTimeoutMs = DEFAULT_ACQUIRE_TIMEOUT_MS,
  prepare = true,
  onStatement,
}: DatabaseOptions): Database {
  const client = postgres(url, {
    max: poolSize,
    prepare,
    connect_timeout: 5,
    idle_timeout: 60,
    // The driver asks on each new connection, and where that fails nobody hears of it: the process would end. Drizzle reads and writes arrays.
    fetch_types: false,
    // The driver's own wait doubles up to 20 s, long after the database is back.
    backoff: () => 0.1,
    onnotice: () => undefined,
    // A transaction pooler refuses connections that ask for settings it cannot keep: there the role has to have them.
    // Each question has its index, so that one plan serves all its values; planning a page with all that lies below it costs
    // many times what reading it does.
    connection: {
      application_name: "recoup",
      ...(identity !== undefined && { "recoup.place": identity }),
      ...(prepare && {
        statement_timeout: STATEMENT_TIMEOUT_MS,
        idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
        plan_cache_mode: "force_generic_plan",
      }),
    },
  });
  const semaphore = new ConnectionSemaphore(poolSize, acquireTimeoutMs);
  const limitedClient = withAcquireTimeout(withDriverFixes(client, prepare), semaphore, acquireTimeoutMs);
  const db = drizzle(limitedClient, {
    logger: onStatement ? { logQuery: onStatement } : false,
  });
  return {
    handle: db,
    transaction: (work) => withRetries(() => db.transaction((transaction) => work(transaction as unknown as Handle))),
    ping: async () => {
      await limitedClient.unsafe("select 1");
    },
    close: () => client.end({ timeout: 5 }),
  };
}

/** A deadlock or a serialization failure is nobody's fault; one that comes back is an outage. */
async function withRetries<T>(runTransaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runTransaction();
    } catch (error) {
      if (attempt === MAX_TRANSACTION_ATTEMPTS || !isTransactionConflict(error)) throw error;
    }
  }
}
