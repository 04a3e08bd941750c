import postgres from "postgres";
import { firstRow } from "../database/rows.ts";
import { OperationError } from "../operations/operation-error.ts";
import type { CellConnection } from "./cell-database.ts";
import type { Cell } from "./cell.ts";
import type { CellService } from "./cell.service.ts";

/** What a command has that changes the place of a cell. */
export interface CellChange {
  service: CellService;
  /** The cell as it was when the lock was taken. */
  cell: Cell;
  lock: CellLock;
  /** How processes connect to cells. */
  connection: CellConnection;
}

/** The right to change the place of a cell, or its secrets, which one command at a time has. */
interface CellLock {
  /** Whether this command has the lock. One that was lost with its connection is taken again if no other command has it. */
  isHeld(): Promise<boolean>;
}

/**
 * Runs work while no other command changes the place of the cell. The lock is in the home database and ends with its connection, so that
 * a command which was killed leaves none. @throws an OperationError at once if another command has it.
 */
export async function withCellLock<Result>(
  homeUrl: string,
  name: string,
  work: (lock: CellLock) => Promise<Result>,
): Promise<Result> {
  const session = postgres(homeUrl, {
    ...{ max: 1, onnotice: () => undefined, prepare: false, fetch_types: false },
    // By default the driver closes a connection after some time, and with it goes the lock.
    max_lifetime: 0,
  });
  const lock = { isHeld: () => takeLock(session, name) };
  try {
    if (!(await lock.isHeld()))
      throw new OperationError(
        "CELL_BUSY",
        `Another command moves or restores the cell ${name}, or encrypts its secrets anew. Wait until it has ended, then repeat this one.`,
      );
    return await work(lock);
  } finally {
    await session.end({ timeout: 5 });
  }
}

/**
 * Takes the lock, or notices that the session has it. It is that of a transaction, which a transaction pooler does not share among callers,
 * and which holds no snapshot that would keep a vacuum from its work.
 */
async function takeLock(session: postgres.Sql, name: string): Promise<boolean> {
  // Within the transaction of the lock it does nothing; after a lost connection it begins another one.
  await session.unsafe("begin isolation level read committed");
  await session.unsafe("set local idle_in_transaction_session_timeout = 0");
  const { isHeld } = firstRow(
    await session<{ isHeld: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtextextended(${`place of cell ${name}`}, 0)) as "isHeld"`,
  );
  return isHeld;
}
