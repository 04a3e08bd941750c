import { AsyncLocalStorage } from "node:async_hooks";

/** A read of at most this many rows needs no limit besides that of every statement. */
const CHEAP_ROWS = 1_000;

/** Time of a statement of a read of `CHEAP_ROWS`, in milliseconds; a read of twice as many rows has half of it. */
const TIME_OF_CHEAP_MS = 15_000;

/** The least time of a statement, in milliseconds, however many rows are requested. */
const LEAST_TIME_MS = 3_000;

/** A read whose statements are cut. */
export interface StatementTime {
  rows: number;
  ms: number;
}

const current = new AsyncLocalStorage<StatementTime>();

/** Does a read that could come to so many rows: the more, the less time a statement of it may hold the database. */
export function asReadOf<T>(rows: number, read: () => T): T {
  if (rows <= CHEAP_ROWS) return read();
  const ms = Math.round(Math.max(LEAST_TIME_MS, (TIME_OF_CHEAP_MS * CHEAP_ROWS) / rows));
  return current.run({ rows: Math.ceil(rows), ms }, read);
}

/** The time of a statement that is sent now; undefined where only the limit of every statement holds. */
export const statementTime = (): StatementTime | undefined => current.getStore();
