import postgres from "postgres";
import { migrateSchema } from "../database/migrations/migrate-schema.ts";
import { makeOrdinaryRole } from "../database/ordinary-role.ts";
import { firstRow } from "../database/rows.ts";
import { firstVendorIdOf } from "../kernel/cell-numbers.ts";
import { OperationError } from "../operations/operation-error.ts";
import type { Cell, CellPlace } from "./cell.ts";
import type { CellService } from "./cell.service.ts";

/** Recoup is tested with this version and later ones. */
const MIN_SERVER_VERSION = 150_000;

/** A database that is to become a cell, as it was found. */
interface Server {
  isSuperuser: boolean;
  isCitus: boolean;
}

/**
 * Makes a database or a schema a cell: migrates it, lets its vendors begin with its own first id, and registers it. An addition that
 * was interrupted can be repeated. @throws an OperationError if the place cannot be a cell.
 */
export async function addCell(
  service: CellService,
  name: string,
  place: Omit<CellPlace, "isDistributed">,
): Promise<Cell> {
  const schema = place.schema ?? "public";
  const present = await service.all();
  if (present.some((cell) => cell.name === name))
    throw new OperationError("CELL_EXISTS", "There is a cell with this name. Choose another one.");
  if (present.some((cell) => (cell.schema ?? "public") === schema && isSameDatabase(cell.url, place.url)))
    throw new OperationError("CELL_EXISTS", "This database and schema are a cell already.");
  const number = await service.nextNumber();
  const session = postgres(place.url, { max: 1, onnotice: () => undefined, fetch_types: false, connect_timeout: 5 });
  try {
    const server = await inspectServer(session, place.schema);
    await refuseOtherVendors(session, schema);
    // The schema belongs to the role that made it, so the role comes first.
    const { isSuperuser, isCitus } = server;
    const url = isSuperuser ? await makeOrdinaryRole(session, { url: place.url, schema, number, isCitus }) : place.url;
    await migrateSchema(url, schema);
    // Beside the triggers, which Citus does not have: the gateway writes entries and never changes one.
    if (server.isSuperuser)
      await session.unsafe(
        `revoke update, delete, truncate on "${schema}".ledger_entries from "${new URL(url).username}"`,
      );
    await session`select setval(pg_get_serial_sequence(${`"${schema}".vendors`}, 'id'), ${firstVendorIdOf(number)}::bigint, false)`;
    return await service.add(number, name, { ...place, url, isDistributed: server.isCitus });
  } finally {
    await session.end({ timeout: 5 });
  }
}

async function inspectServer(session: postgres.Sql, schema: string | null): Promise<Server> {
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

/** @throws an OperationError if vendors are there already: their ids are of another installation, or of the home database. */
async function refuseOtherVendors(session: postgres.Sql, schema: string): Promise<void> {
  const { found } = firstRow(
    await session<{ found: boolean }[]>`select to_regclass(${`"${schema}".vendors`}) is not null as found`,
  );
  if (!found) return;
  const vendors = await session.unsafe(`select from "${schema}".vendors limit 1`);
  if (vendors.length > 0)
    throw new OperationError("DATABASE_NOT_EMPTY", "The schema has vendors already. Choose an empty one.");
}

/** Whether two addresses lead to one database, as far as the addresses themselves say. */
function isSameDatabase(one: string, other: string): boolean {
  const placeOf = (address: string) => {
    const { hostname, port, pathname } = new URL(address);
    return `${hostname}:${port || "5432"}${pathname}`;
  };
  return placeOf(one) === placeOf(other);
}
