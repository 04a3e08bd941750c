import type postgres from "postgres";
import { invalid, type Refusal } from "../kernel/refusals.ts";
import { statementTime, type StatementTime } from "../kernel/statement-timeout.ts";
import { noneFree, type Turnstile } from "./semaphore.ts";
import { isAborted, isBreak, isFatal, isTimeOver } from "./database-errors.ts";

/**
 * Lets each statement and each transaction wait at the turnstile, and then for a connection, for as long as patience lasts;
 * within a transaction a connection is held already. A connection that died while it was asked something is opened anew by
 * the driver for as long as the server turns it away, and whoever is to have it would wait for all that time.
 */
export function queued(client: postgres.Sql, turnstile: Turnstile, patienceMs: number): postgres.Sql {
  return new Proxy(client, {
    get(target, key) {
      if (key === "unsafe") {
        return (...parts: Parameters<postgres.Sql["unsafe"]>) => {
          const time = statementTime();
          const rows = <T>(send: (query: Statement) => PromiseLike<T>) =>
            turnstile.pass(() =>
              asked(() =>
                time
                  ? sentInTime(target, time, (inner) => send(inner.unsafe(...parts)), patienceMs)
                  : sentSoon(target.unsafe(...parts), send, patienceMs),
              ),
            );
          return {
            then: (...then: Parameters<PromiseLike<unknown>["then"]>) => rows((query) => query).then(...then),
            values: () => rows((query) => query.values()),
          };
        };
      }
      if (key === "begin") {
        return (work: (inner: postgres.TransactionSql) => Promise<unknown>) => {
          let isAtWork = false;
          const begin = (inner: postgres.TransactionSql) => {
            isAtWork = true;
            return work(inner);
          };
          return turnstile.pass(() =>
            asked(
              () => begun(target, begin, patienceMs),
              () => isAtWork,
            ),
          );
        };
      }
      return Reflect.get(target, key, target) as unknown;
    },
  });
}

const MOST_ATTEMPTS = 3;

/**
 * Asks again what was never sent. The driver keeps the last word of a connection that died at work, and says it to whoever
 * opens that connection next; to those whom it belonged to it says that the connection is closed. So with a last word,
 * old or new, nothing was asked. (postgres 3.4.9, `errorResponse` in connection.js outlives the socket.)
 */
async function asked<T>(ask: () => Promise<T>, isAtWork = () => false): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || isAtWork() || !isFatal(error)) throw error;
    }
  }
}

/** Sends a statement soon or not at all. */
async function sentSoon<T>(
  query: Statement,
  send: (query: Statement) => PromiseLike<T>,
  patienceMs: number,
): Promise<T> {
  const patience = setTimeout(() => isSent(query) || query.cancel(), patienceMs);
  try {
    return whole(await send(query));
  } finally {
    clearTimeout(patience);
  }
}

/**
 * Sends a statement that may only take so long, in a transaction of its own: only there does a limit end with the statement,
 * also behind a pooler. @throws a Refusal QUERY_TOO_SLOW where it takes longer.
 */
async function sentInTime<T>(
  client: postgres.Sql,
  time: StatementTime,
  send: (inner: postgres.TransactionSql) => PromiseLike<T>,
  patienceMs: number,
): Promise<T> {
  const work = async (inner: postgres.TransactionSql) => {
    await inner.unsafe(`set local statement_timeout = ${time.ms}`);
    return { rows: await send(inner) };
  };
  try {
    const { rows } = (await begun(client, work, patienceMs)) as { rows: T };
    return whole(rows);
  } catch (error) {
    throw isTimeOver(error) ? tooSlow(time) : error;
  }
}

const tooSlow = ({ rows, ms }: StatementTime): Refusal =>
  invalid(
    "QUERY_TOO_SLOW",
    `The database took longer than ${ms / 1000} s, which a request of up to ${rows} rows may take. Request smaller slices or pages.`,
  );

/**
 * The rows of a statement without the holes before them. The driver writes the first row after the last one that it had of a
 * statement that failed on the same connection, as if it went on with those. (postgres 3.4.9, `rows` in connection.js goes
 * back to 0 only where a statement ends well.)
 */
function whole<Rows>(rows: Rows): Rows {
  if (!Array.isArray(rows)) return rows;
  const first = rows.findIndex((_, at) => at in rows);
  if (first > 0) rows.splice(0, first);
  return rows;
}

/** The driver's own mark on what it has handed to a connection. */
const isSent = (query: Statement): boolean => Boolean((query as unknown as { state: unknown }).state);

/** Begins a transaction soon or not at all. */
async function begun(
  client: postgres.Sql,
  work: (inner: postgres.TransactionSql) => Promise<unknown>,
  patienceMs: number,
): Promise<unknown> {
  let isLate = false;
  let patience: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    patience = setTimeout(() => {
      isLate = true;
      reject(noneFree());
    }, patienceMs);
  });
  const transaction = client.begin((inner) => {
    clearTimeout(patience);
    return isLate ? Promise.reject(noneFree()) : work(inner);
  });
  try {
    return await Promise.race([late, transaction]);
  } finally {
    clearTimeout(patience);
  }
}

/** A transaction as long as its connection lives. */
interface Life {
  isOver: boolean;
  /** What the database refused last, other than to go on after it. */
  failure?: unknown;
}

/** What the driver gives a transaction's work; it is a client whose other parts nobody here uses. */
type Inner = postgres.Sql & postgres.TransactionSql;

type Statement = ReturnType<postgres.Sql["unsafe"]>;

/** What is asked of a lost transaction is neither sent nor answered: its caller has been told already. */
const unheard = (): Promise<never> => new Promise(() => undefined);

/**
 * Mends two things of the driver. Drizzle hands every statement to `unsafe`, which prepares nothing by default: two round
 * trips instead of one. And when a connection breaks in a transaction, the driver rejects the transaction, but what its
 * work still sends (statements, a commit, a rollback) it would send down that connection: closed, which takes the process
 * with it, or opened again and by now in the transaction of somebody else.
 */
export function mended<Client extends postgres.Sql>(client: Client, prepare: boolean, life?: Life): Client {
  return new Proxy(client, {
    get(target, key) {
      if (key === "unsafe") {
        return (text: string, parameters?: never[], options?: object) => {
          const query = target.unsafe(text, parameters, { ...options, prepare });
          return life ? livingIn(life, query) : query;
        };
      }
      if (key === "begin") {
        return (work: (inner: postgres.Sql) => Promise<unknown>) => {
          const own = { isOver: false };
          return target
            .begin((inner) => heard(own, work(mended(inner as Inner, prepare, own))))
            .catch((error: unknown) => {
              own.isOver = true;
              throw error;
            });
        };
      }
      if (key === "savepoint" && life) {
        const part = target as unknown as Inner;
        return (work: (inner: postgres.Sql) => Promise<unknown>) =>
          part.savepoint((inner) => heard(life, work(mended(inner as Inner, prepare, life))));
      }
      return Reflect.get(target, key, target) as unknown;
    },
  });
}

/** A statement of a transaction, in the two shapes in which rows are waited for. */
function livingIn(life: Life, query: Statement) {
  const rows = async <T>(send: () => PromiseLike<T>): Promise<T> => {
    if (life.isOver) return unheard();
    try {
      return whole(await send());
    } catch (error) {
      life.isOver ||= isBreak(error);
      // Of statements sent together, those behind one that failed only say that the transaction is aborted; that one says why.
      if (isAborted(error)) throw life.failure ?? error;
      life.failure = error;
      throw error;
    }
  };
  return {
    then: (...then: Parameters<PromiseLike<unknown>["then"]>) => rows(() => query).then(...then),
    values: () => rows(() => query.values()),
  };
}

/** The end of a transaction's work, unless that is lost: then the driver must not end it. */
const heard = <T>(life: Life, work: Promise<T>): Promise<T> =>
  work.then(
    (result) => (life.isOver ? unheard() : result),
    (error: unknown) => (life.isOver ? unheard() : Promise.reject(error as Error)),
  );
