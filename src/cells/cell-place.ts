import postgres from "postgres";
import { makeSchema, migrateSchema } from "../database/migrations/migrate-schema.ts";
import { makeOrdinaryRole } from "../database/ordinary-role.ts";
import { firstRow } from "../database/rows.ts";
import { cellOfVendor, HOME_CELL } from "../kernel/cell-numbers.ts";
import { dropTables, inCopyTransaction, JOURNAL_TABLE, listTables } from "../operations/backup/backup-tables.ts";
import { loadBackup, type OpenBackup } from "../operations/backup/load-backup.ts";
import { OperationError } from "../operations/operation-error.ts";
import { requireVisibleTables, type CellConnection } from "./cell-database.ts";
import type { Cell, CellPlace } from "./cell.ts";

/** Recoup is tested with this version and later ones. */
const MIN_SERVER_VERSION = 150_000;

/** The comment on a table of a place that was filled, until the place is registered: what an attempt that was killed has left is replaced. */
const UNREGISTERED = "recoup: not registered yet";

/** A place that is to become that of a cell. */
interface NewPlace extends Pick<Cell, "number" | "name"> {
  /** The address as it was given. */
  url: string;
  schema: string;
}

/** A new place that is empty and has tables. */
interface PreparedPlace {
  place: NewPlace;
  server: Server;
  /** The address that Recoup serves it by. */
  url: string;
}

/** A new place with the rows of its cell. */
export interface FilledPlace extends Pick<PreparedPlace, "url"> {
  schema: string;
  /** The number of rows of each table. */
  rows: Record<string, number>;
}

/** A database, as it was found. */
interface Server {
  isSuperuser: boolean;
  isCitus: boolean;
}

/** A new place as it is registered. */
export const toCellPlace = ({ url, schema }: Pick<FilledPlace, "url" | "schema">): CellPlace => ({
  ...{ url, schema: schema === "public" ? null : schema },
  ...{ replicaUrl: null, isDistributed: false },
});

/** @throws an OperationError if a cell is at the place, as far as the addresses themselves say. */
export function refuseTakenPlace(cells: readonly Cell[], { url, schema }: Pick<CellPlace, "url" | "schema">): void {
  const placeOf = (address: string) => {
    const { hostname, port, pathname } = new URL(address);
    return `${hostname}:${port || "5432"}${pathname}`;
  };
  if (cells.some((cell) => (cell.schema ?? "public") === (schema ?? "public") && placeOf(cell.url) === placeOf(url)))
    throw new OperationError(
      "CELL_EXISTS",
      "This database and schema are a cell already. Choose another schema, or another database.",
    );
}

/** Opens a session for statements that prepare a place. */
export const openPlaceSession = (url: string): postgres.Sql =>
  postgres(url, { max: 1, onnotice: () => undefined, fetch_types: false, connect_timeout: 5 });

export async function inspectServer(session: postgres.Sql, schema: string | null): Promise<Server> {
  const found = firstRow(
    await session<{ version: number; is_superuser: boolean; is_citus: boolean }[]>`
      select current_setting('server_version_num')::int as version, rolsuper as is_superuser,
        exists (select from pg_extension where extname = 'citus') as is_citus
      from pg_roles where rolname = current_user`,
  );
  if (found.version < MIN_SERVER_VERSION)
    throw new OperationError("CELL_NOT_OPEN", "The server must be PostgreSQL 15 or later.");
  if (found.is_citus && schema === null)
    throw new OperationError("CELL_NOT_OPEN", "On Citus a cell is a schema of its own: add --schema.");
  return { isSuperuser: found.is_superuser, isCitus: found.is_citus };
}

/** Makes the role that Recoup serves a place as. @returns its address: the one that was given, if that is of no superuser. */
export const makePlaceRole = async (
  session: postgres.Sql,
  { isSuperuser, isCitus }: Server,
  place: Omit<NewPlace, "name">,
): Promise<string> => (isSuperuser ? makeOrdinaryRole(session, { ...place, isCitus }) : place.url);

/**
 * Makes the schema of a place unless it is there, and opens it as processes will. @throws an OperationError if they would not see its
 * tables. The schema is then removed again if it was made: it would belong to a role that a repetition may not use.
 */
export async function makeVisibleSchema(name: string, place: CellPlace, connection: CellConnection): Promise<void> {
  const schema = place.schema ?? "public";
  const session = openPlaceSession(place.url);
  try {
    const isMade = await makeSchema(session, schema);
    try {
      await requireVisibleTables(name, place, connection);
    } catch (error) {
      // Another attempt may have put tables into it meanwhile; the error is the reason of the refusal.
      if (isMade) await session.unsafe(`drop schema if exists "${schema}"`).catch(() => undefined);
      throw error;
    }
  } finally {
    await session.end({ timeout: 5 });
  }
}

/** Beside the triggers, which Citus does not have: the gateway writes entries of the ledger and never changes one. */
export async function protectLedger(session: postgres.Sql, server: Server, schema: string, url: string): Promise<void> {
  if (server.isSuperuser)
    await session.unsafe(
      `revoke update, delete, truncate on "${schema}".ledger_entries from "${decodeURIComponent(new URL(url).username)}"`,
    );
}

/**
 * Empties the new place of a cell whose rows are elsewhere, and makes its tables up to a migration, named by its time in the journal.
 * @throws an OperationError if it is a Citus cluster or not empty, or if processes would not see its tables.
 */
export async function prepareNewPlace(
  place: NewPlace,
  connection: CellConnection,
  until = Infinity,
): Promise<PreparedPlace> {
  const session = openPlaceSession(place.url);
  try {
    const server = await inspectServer(session, place.schema);
    // It refuses what a copy does: keys that are dropped, and tables that change their schema.
    if (server.isCitus)
      throw new OperationError(
        "CELL_NOT_OPEN",
        "A cell is not copied to a Citus cluster. Choose a database of a plain PostgreSQL server, or add a cell on the cluster for new families.",
      );
    await makeRoom(session, place);
    const url = await makePlaceRole(session, server, place);
    await makeVisibleSchema(place.name, toCellPlace({ url, schema: place.schema }), connection);
    await migrateSchema(url, place.schema, { until });
    return { server, place, url };
  } finally {
    await session.end({ timeout: 5 });
  }
}

/**
 * Fills a new place with the rows of a backup in one transaction, and migrates it to this version's tables. Until it is released it can be
 * emptied and filled again.
 */
export async function fillNewPlace(
  { server, place, url }: PreparedPlace,
  backup: OpenBackup,
  finishLoad: (session: postgres.TransactionSql) => Promise<unknown> = async () => undefined,
): Promise<FilledPlace> {
  const { schema } = place;
  const rows = await inCopyTransaction({ url, schema }, async (load) => {
    const loaded = await loadBackup(load, backup);
    await finishLoad(load);
    await load.unsafe(`comment on table vendors is '${UNREGISTERED}'`);
    return loaded;
  });
  await migrateSchema(url, schema);
  const session = openPlaceSession(place.url);
  try {
    await protectLedger(session, server, schema, url);
  } finally {
    await session.end({ timeout: 5 });
  }
  return { url, schema, rows };
}

/** Keeps a filled place from being emptied by another attempt. Called before it is registered: a cell that is served must never look like one that may be emptied. */
export async function releaseNewPlace({ url, schema }: FilledPlace): Promise<void> {
  const session = openPlaceSession(url);
  try {
    await session.unsafe(`comment on table "${schema}".vendors is null`);
  } finally {
    await session.end({ timeout: 5 });
  }
}

/** Removes the tables of a place without rows, and those of an attempt that was killed. @throws an OperationError if there are others. */
async function makeRoom(session: postgres.Sql, { number, schema }: NewPlace): Promise<void> {
  const [present] = await session`select from pg_namespace where nspname = ${schema}`;
  if (!present) return;
  await session.begin(async (transaction) => {
    await transaction.unsafe(`set local search_path = "${schema}", public`);
    const tables = new Set((await listTables(transaction)).map(({ table }) => table));
    if (tables.size === 0) return;
    if (!tables.has("vendors") || !tables.has(JOURNAL_TABLE) || !(await isFree(transaction, number)))
      throw new OperationError(
        "DATABASE_NOT_EMPTY",
        "The new place has tables already. Choose an empty database or schema.",
      );
    await dropTables(transaction);
  });
}

/** Whether tables of a cell have no rows of vendors, belong to no other cell, or are left by an attempt that was killed. */
async function isFree(transaction: postgres.TransactionSql, number: number): Promise<boolean> {
  const { isEmpty, isLeft, newestId } = firstRow(
    await transaction<{ isEmpty: boolean; isLeft: boolean; newestId: string }[]>`
      select not exists (select from vendors) as "isEmpty",
        coalesce(obj_description('vendors'::regclass, 'pg_class') = ${UNREGISTERED}, false) as "isLeft",
        (select last_value from vendors_id_seq)::text as "newestId"`,
  );
  const owner = cellOfVendor(Number(newestId));
  return isLeft ? owner === number : isEmpty && (owner === HOME_CELL || owner === number);
}
