import type postgres from "postgres";
import { invalid, type Refusal } from "../../kernel/refusals.ts";
import { traceStep } from "../../kernel/tracing.ts";
import { describeStatement } from "./statement-span.ts";
import { currentStatementTimeout, type StatementTimeout } from "../../kernel/statement-timeout.ts";
import { noConnectionFree, type ConnectionSemaphore } from "./semaphore.ts";
import { isTransactionAborted, isConnectionLost, isFatalError, isStatementTimeout } from "../database-errors.ts";

/**
 * Limits the wait of each statement and transaction, first for the semaphore and then for a connection, by the acquire
 * timeout; within a transaction the connection is already acquired. If a connection died during a query, the driver
 * reopens it for as long as the server refuses it, and the next user of that connection would wait all that time.
 */
export function withAcquireTimeout(
  client: postgres.Sql,
  semaphore: ConnectionSemaphore,
  acquireTimeoutMs: number,
  statementTimeoutMs: number,
): postgres.Sql {
  return new Proxy(client, {
    get(target, key) {
      if (key === "unsafe") {
        return (...parts: Parameters<postgres.Sql["unsafe"]>) => {
          const timeout = limitTimeout(currentStatementTimeout(), statementTimeoutMs);
          const sendLimited = <T>(send: (query: PendingQuery) => PromiseLike<T>) =>
            traceStep(
              () => describeStatement(parts[0]),
              () =>
                semaphore.run(() =>
                  retryIfNeverSent(() =>
                    timeout
                      ? sendWithStatementTimeout(
                          target,
                          timeout,
                          (inner) => send(inner.unsafe(...parts)),
                          acquireTimeoutMs,
                        )
                      : sendWithinTimeout(target.unsafe(...parts), send, acquireTimeoutMs),
                  ),
                ),
            );
          return {
            then: (...then: Parameters<PromiseLike<unknown>["then"]>) => sendLimited((query) => query).then(...then),
            values: () => sendLimited((query) => query.values()),
          };
        };
      }
      if (key === "begin") {
        return (work: (inner: postgres.TransactionSql) => Promise<unknown>) => {
          let hasStarted = false;
          const begin = (inner: postgres.TransactionSql) => {
            hasStarted = true;
            return work(inner);
          };
          return semaphore.run(() =>
            retryIfNeverSent(
              () => beginWithinTimeout(target, begin, acquireTimeoutMs),
              () => hasStarted,
            ),
          );
        };
      }
      return Reflect.get(target, key, target) as unknown;
    },
  });
}

/** The timeout of a large read, which must not exceed that of other statements. */
const limitTimeout = (timeout: StatementTimeout | undefined, limitMs: number): StatementTimeout | undefined =>
  timeout && { ...timeout, timeoutMs: Math.min(timeout.timeoutMs, limitMs) };

const MAX_SEND_ATTEMPTS = 3;

/**
 * Retries a query that was never sent. The driver stores the last error of a connection that died during a query, and
 * reports it to the next caller that opens the connection; to the callers at the time it reports a closed connection.
 * So if the error is a stored one, old or new, the query was not sent. (postgres 3.4.9, `errorResponse` in
 * connection.js outlives the socket.)
 */
async function retryIfNeverSent<T>(send: () => Promise<T>, hasStarted = () => false): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (attempt === MAX_SEND_ATTEMPTS || hasStarted() || !isFatalError(error)) throw error;
    }
  }
}

/** Sends a statement soon or not at all. */
async function sendWithinTimeout<T>(
  query: PendingQuery,
  send: (query: PendingQuery) => PromiseLike<T>,
  acquireTimeoutMs: number,
): Promise<T> {
  const timer = setTimeout(() => isSent(query) || query.cancel(), acquireTimeoutMs);
  try {
    return dropLeadingHoles(await send(query));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Sends a statement that may only take so long, in a transaction of its own: only there does a limit end with the statement,
 * also behind a pooler. @throws a Refusal QUERY_TOO_SLOW where it takes longer.
 */
async function sendWithStatementTimeout<T>(
  client: postgres.Sql,
  timeout: StatementTimeout,
  send: (inner: postgres.TransactionSql) => PromiseLike<T>,
  acquireTimeoutMs: number,
): Promise<T> {
  const work = async (inner: postgres.TransactionSql) => {
    await inner.unsafe(`set local statement_timeout = ${timeout.timeoutMs}`);
    return { rows: await send(inner) };
  };
  try {
    const { rows } = (await beginWithinTimeout(client, work, acquireTimeoutMs)) as { rows: T };
    return dropLeadingHoles(rows);
  } catch (error) {
    throw isStatementTimeout(error) ? queryTooSlow(timeout) : error;
  }
}

const queryTooSlow = ({ rows, timeoutMs }: StatementTimeout): Refusal =>
  invalid(
    "QUERY_TOO_SLOW",
    `The database took longer than ${timeoutMs / 1000} s, which a request of up to ${rows} rows may take. Request smaller slices or pages.`,
  );

/**
 * The rows of a statement without the holes before them. The driver writes the first row after the last one that it had of a
 * statement that failed on the same connection, as if it went on with those. (postgres 3.4.9, `rows` in connection.js goes
 * back to 0 only where a statement ends well.)
 */
function dropLeadingHoles<Rows>(rows: Rows): Rows {
  if (!Array.isArray(rows)) return rows;
  const first = rows.findIndex((_, at) => at in rows);
  if (first > 0) rows.splice(0, first);
  return rows;
}

/** The driver's own mark on what it has handed to a connection. */
const isSent = (query: PendingQuery): boolean => "state" in query && Boolean(query.state);

/** Begins a transaction soon or not at all. */
async function beginWithinTimeout(
  client: postgres.Sql,
  work: (inner: postgres.TransactionSql) => Promise<unknown>,
  acquireTimeoutMs: number,
): Promise<unknown> {
  let hasTimedOut = false;
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      hasTimedOut = true;
      reject(noConnectionFree());
    }, acquireTimeoutMs);
  });
  const transaction = client.begin((inner) => {
    clearTimeout(timer);
    return hasTimedOut ? Promise.reject(noConnectionFree()) : work(inner);
  });
  try {
    return await Promise.race([timedOut, transaction]);
  } finally {
    clearTimeout(timer);
  }
}

/** A transaction as long as its connection lives. */
interface TransactionState {
  isLost: boolean;
  /** The last database error, other than the one for statements after it. */
  failure?: unknown;
}

/**
 * The type that the driver passes to a transaction's work: a client, of which only the transaction part is used here.
 */
type TransactionClient = postgres.Sql & postgres.TransactionSql;

const isTransactionClient = (client: postgres.Sql): client is TransactionClient => "savepoint" in client;

type PendingQuery = ReturnType<postgres.Sql["unsafe"]>;

/** Queries of a lost transaction are neither sent nor answered: its caller has received the error already. */
const neverSettles = (): Promise<never> => new Promise(() => undefined);

/**
 * Fixes two problems of the driver. Drizzle passes every statement to `unsafe`, which prepares nothing by default: two
 * round trips instead of one for what comes again, so `isNamed` says which statements are prepared by name. And when a
 * connection breaks in a transaction, the driver rejects the transaction, but would send later statements of its work
 * (queries, a commit, a rollback) down that connection: closed, which ends the process, or reopened and possibly in
 * another caller's transaction.
 */
export function withDriverFixes<Client extends postgres.Sql>(
  client: Client,
  isNamed: (text: string) => boolean,
  state?: TransactionState,
): Client {
  return new Proxy(client, {
    get(target, key) {
      if (key === "unsafe") {
        return (text: string, parameters?: never[], options?: object) => {
          // The driver sends a statement without parameters by the simple protocol, which prepares nothing.
          const prepare = parameters !== undefined && parameters.length > 0 && isNamed(text);
          const query = target.unsafe(text, parameters, { ...options, prepare });
          return state ? queryInTransaction(state, query, text) : query;
        };
      }
      if (key === "begin") {
        return (work: (inner: postgres.Sql) => Promise<unknown>) => {
          const ownState = { isLost: false };
          return target
            .begin((inner) =>
              resultUnlessLost(ownState, work(withDriverFixes(inner as TransactionClient, isNamed, ownState))),
            )
            .catch((error: unknown) => {
              ownState.isLost = true;
              throw error;
            });
        };
      }
      if (key === "savepoint" && state && isTransactionClient(target)) {
        return (work: (inner: postgres.Sql) => Promise<unknown>) =>
          target.savepoint((inner) =>
            resultUnlessLost(state, work(withDriverFixes(inner as TransactionClient, isNamed, state))),
          );
      }
      return Reflect.get(target, key, target) as unknown;
    },
  });
}

/** A statement of a transaction, in the two shapes in which rows are waited for. */
function queryInTransaction(state: TransactionState, query: PendingQuery, text: string) {
  const rows = async <T>(send: () => PromiseLike<T>): Promise<T> => {
    if (state.isLost) return neverSettles();
    try {
      return dropLeadingHoles(await traceStep(() => describeStatement(text), send));
    } catch (error) {
      state.isLost ||= isConnectionLost(error);
      // Statements sent after a failed one only report that the transaction is aborted; the failed one has the cause.
      if (isTransactionAborted(error)) throw state.failure ?? error;
      state.failure = error;
      throw error;
    }
  };
  return {
    then: (...then: Parameters<PromiseLike<unknown>["then"]>) => rows(() => query).then(...then),
    values: () => rows(() => query.values()),
  };
}

/** The end of a transaction's work, unless that is lost: then the driver must not end it. */
const resultUnlessLost = <T>(state: TransactionState, work: Promise<T>): Promise<T> =>
  work.then(
    (result) => (state.isLost ? neverSettles() : result),
    (error: unknown) => (state.isLost ? neverSettles() : Promise.reject(error as Error)),
  );
