import { setTimeout as sleep } from "node:timers/promises";
import type { BackupHeader } from "../operations/backup/backup.format.ts";
import {
  checkBackup,
  markRestored,
  openBackup,
  requireUsable,
  type SecretsCheck,
} from "../operations/backup/load-backup.ts";
import { OperationError } from "../operations/operation-error.ts";
import { isSamePlace, type Cell, type CellPlace } from "./cell.ts";
import type { CellChange } from "./cell-lock.ts";
import { NOTICE_MS, registerNewPlace, replaceServedPlace, undoMoving } from "./cell-move.ts";
import { fillNewPlace, openPlaceSession, prepareNewPlace, refuseTakenPlace, type FilledPlace } from "./cell-place.ts";

export interface CellRestoreOptions extends SecretsCheck {
  /** Reads the backup, each time from its beginning. */
  read: () => AsyncIterable<Buffer>;
  /** Whether a cell that answers is replaced. */
  discardsWrites: boolean;
}

/** What was restored. */
interface CellRestore {
  header: BackupHeader;
  rows: FilledPlace["rows"];
}

/**
 * Loads a backup of a cell into an empty place, and registers it as that of the cell, whose present place is lost. A restore that fails
 * changes nothing. @throws an OperationError if the backup is another cell's, or the cell still answers.
 */
export async function restoreCell(
  change: CellChange,
  to: Pick<CellPlace, "url" | "schema">,
  { read, discardsWrites, ...secrets }: CellRestoreOptions,
): Promise<CellRestore> {
  const { service, cell, connection } = change;
  const header = await checkBackup(read());
  if (header.cell !== cell.number)
    throw new OperationError(
      "BACKUP_OF_OTHER_CELL",
      `The backup is that of ${header.cell === undefined ? "a home database" : `the cell with the number ${header.cell}`}, and ${cell.name} has the number ${cell.number}, which is in all identifiers of its vendors.`,
    );
  requireUsable(header, secrets);
  refuseTakenPlace(await service.all(), to);
  const isServed = await hasVendors(cell);
  if (isServed && !discardsWrites)
    throw new OperationError(
      "CELL_NOT_LOST",
      `The cell ${cell.name} answers: what was written to it since the backup would be lost. Repair or move it, or add --discard-writes.`,
    );
  const newPlace = { number: cell.number, name: cell.name, url: to.url, schema: to.schema ?? "public" };
  const place = await prepareNewPlace(newPlace, connection, header.migration);
  const fill = async () => fillNewPlace(place, await openBackup(read()), markRestored);
  if (isServed) {
    const { rows } = await replaceServedPlace(change, fill);
    return { header, rows };
  }
  const filled = await fill();
  await replaceLostPlace(change, filled);
  return { header, rows: filled.rows };
}

/**
 * Registers the new place of a cell whose old one is lost. If the old one has come back meanwhile, processes serve it, and what they
 * acknowledged there must not vanish. @throws an OperationError then.
 */
async function replaceLostPlace(change: CellChange, filled: FilledPlace): Promise<void> {
  const { service, cell } = change;
  const progress = { isRestored: false };
  await service.setState(cell.number, "MOVING");
  try {
    // Processes that notice it write nothing at an old place that comes back from now on.
    await sleep(NOTICE_MS);
    if (!isSamePlace(await service.require(cell.name), cell) || (await hasVendors(cell)))
      throw new OperationError("CELL_NOT_LOST", `The cell ${cell.name} answers again. Nothing was changed.`);
    await registerNewPlace(change, filled);
    progress.isRestored = true;
  } finally {
    if (!progress.isRestored) await undoMoving(change);
  }
}

/** The database, or the tables in it, do not exist. */
const MISSING = new Set(["3D000", "3F000", "42P01"]);
/** No server answers at the address. */
const UNREACHABLE =
  /^(?:CONNECT_TIMEOUT|CONNECTION_|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/;

/**
 * Whether the present place of a cell has vendors. False if its server cannot be reached, or the place is gone or empty. @throws an
 * OperationError if the server answers with another error, so that processes may be writing there.
 */
async function hasVendors({ name, url, schema }: Cell): Promise<boolean> {
  const session = openPlaceSession(url);
  try {
    return (await session.unsafe(`select from "${schema ?? "public"}".vendors limit 1`)).length > 0;
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (MISSING.has(code) || UNREACHABLE.test(code)) return false;
    throw new OperationError(
      "CELL_NOT_LOST",
      `The server of the cell ${name} answers, but with an error: ${message}. Stop it, or rename the database, so that no process writes there; then restore.`,
      error,
    );
  } finally {
    await session.end({ timeout: 1 });
  }
}
