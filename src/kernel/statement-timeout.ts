import { AsyncLocalStorage } from "node:async_hooks";

/** A read of at most this many rows needs only the general statement timeout. */
const ROWS_WITHOUT_TIMEOUT = 1_000;

/** Time of a statement of a read of `CHEAP_ROWS`, in milliseconds; a read of twice as many rows has half of it. */
const TIMEOUT_AT_THRESHOLD_MS = 15_000;

/** The least time of a statement, in milliseconds, however many rows are requested. */
const MIN_TIMEOUT_MS = 3_000;

/** A read whose statements are cut. */
export interface StatementTimeout {
  rows: number;
  timeoutMs: number;
}

const timeoutStorage = new AsyncLocalStorage<StatementTimeout>();

/** Runs a read of up to this many rows: the more rows, the shorter its statement timeout. */
export function withStatementTimeoutFor<T>(rows: number, read: () => T): T {
  if (rows <= ROWS_WITHOUT_TIMEOUT) return read();
  const ms = Math.round(Math.max(MIN_TIMEOUT_MS, (TIMEOUT_AT_THRESHOLD_MS * ROWS_WITHOUT_TIMEOUT) / rows));
  return timeoutStorage.run({ rows: Math.ceil(rows), timeoutMs: ms }, read);
}

/** The timeout of a statement that is sent now; undefined if only the general statement timeout applies. */
export const currentStatementTimeout = (): StatementTimeout | undefined => timeoutStorage.getStore();
