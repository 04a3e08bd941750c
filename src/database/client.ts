import { drizzle } from "drizzle-orm/postgres-js";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import postgres from "postgres";
import { mended, queued } from "./driver.ts";
import { Turnstile } from "./semaphore.ts";
import { isClash } from "./database-errors.ts";

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
  place?: string | undefined;
  /** Connections in the pool. */
  connections?: number;
  /** How long work waits for a free one. */
  patienceMs?: number;
  /** Named prepared statements; off behind a pooler that hands out connections by transaction. */
  prepare?: boolean;
  /** Told every statement, for tests that count or read them. */
  onStatement?: (text: string, parameters: unknown[]) => void;
}

const STATEMENT_TIMEOUT_MS = 15_000;
/** No transaction waits for anything but its own statements: one that does is lost, and frees its locks. */
const IDLE_TRANSACTION_MS = 15_000;
const MOST_ATTEMPTS = 3;
/** A caller that waits longer has as a rule hung up; what frees a connection is the limit of a statement. */
const PATIENCE_MS = 5_000;

/** Opens a pool; connections are made when they are first needed. */
export function openDatabase({
  url,
  place,
  connections = 10,
  patienceMs = PATIENCE_MS,
  prepare = true,
  onStatement,
}: DatabaseOptions): Database {
  const client = postgres(url, {
    max: connections,
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
      ...(place !== undefined && { "recoup.place": place }),
      ...(prepare && {
        statement_timeout: STATEMENT_TIMEOUT_MS,
        idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
        plan_cache_mode: "force_generic_plan",
      }),
    },
  });
  const turnstile = new Turnstile(connections, patienceMs);
  const patient = queued(mended(client, prepare), turnstile, patienceMs);
  const db = drizzle(patient, {
    logger: onStatement ? { logQuery: onStatement } : false,
  });
  return {
    handle: db,
    transaction: (work) => insisting(() => db.transaction((transaction) => work(transaction as unknown as Handle))),
    ping: async () => {
      await patient.unsafe("select 1");
    },
    close: () => client.end({ timeout: 5 }),
  };
}

/** A deadlock or a serialization failure is nobody's fault; one that comes back is an outage. */
async function insisting<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact();
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !isClash(error)) throw error;
    }
  }
}
