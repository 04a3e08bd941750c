import type postgres from "postgres";
import { migrateSchema } from "../database/migrations/migrate-schema.ts";
import { firstRow } from "../database/rows.ts";
import { firstVendorIdOf } from "../kernel/cell-numbers.ts";
import { OperationError } from "../operations/operation-error.ts";
import type { CellConnection } from "./cell-database.ts";
import {
  inspectServer,
  makePlaceRole,
  makeVisibleSchema,
  openPlaceSession,
  protectLedger,
  refuseTakenPlace,
} from "./cell-place.ts";
import type { Cell, CellPlace } from "./cell.ts";
import type { CellService } from "./cell.service.ts";

/**
 * Makes a database or a schema a cell: migrates it, lets its vendors begin with its own first id, and registers it. An addition that
 * was interrupted can be repeated. @throws an OperationError if the place cannot be a cell.
 */
export async function addCell(
  service: CellService,
  name: string,
  place: Omit<CellPlace, "isDistributed">,
  connection: CellConnection,
): Promise<Cell> {
  const schema = place.schema ?? "public";
  const present = await service.all();
  if (present.some((cell) => cell.name === name))
    throw new OperationError("CELL_EXISTS", "There is a cell with this name. Choose another one.");
  refuseTakenPlace(present, place);
  const number = await service.nextNumber();
  const session = openPlaceSession(place.url);
  try {
    const server = await inspectServer(session, place.schema);
    await refuseOtherVendors(session, schema);
    // The schema belongs to the role that made it, so the role comes first.
    const url = await makePlaceRole(session, server, { url: place.url, schema, number });
    const added = { ...place, url, isDistributed: server.isCitus };
    await makeVisibleSchema(name, added, connection);
    await migrateSchema(url, schema);
    await protectLedger(session, server, schema, url);
    await session`select setval(pg_get_serial_sequence(${`"${schema}".vendors`}, 'id'), ${firstVendorIdOf(number)}::bigint, false)`;
    return await service.add(number, name, added);
  } finally {
    await session.end({ timeout: 5 });
  }
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
