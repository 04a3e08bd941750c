import { sql } from "drizzle-orm";
import { openDatabase, type Database, type DatabaseOptions } from "../database/client.ts";
import { firstRow } from "../database/rows.ts";
import { OperationError } from "../operations/operation-error.ts";
import type { Cell, CellPlace } from "./cell.ts";

/** How connections to a cell are made, apart from its address. */
export type CellConnection = Omit<DatabaseOptions, "url" | "schema" | "isDistributed">;

/**
 * Opens the database of a cell. @throws an OperationError if its connections see the tables of another schema, as behind a
 * transaction pooler, which takes no search path from its callers.
 */
export async function openCellDatabase(
  { name, url, schema, isDistributed }: Pick<Cell, "name" | "url" | "schema" | "isDistributed">,
  connection: CellConnection,
): Promise<Database> {
  const database = openDatabase({
    ...{ ...connection, url, isDistributed },
    ...(schema !== null && { schema }),
  });
  try {
    const rows = await database.handle.execute(sql`select current_schema() as schema`);
    const found = firstRow(Array.from(rows as Iterable<{ schema: string | null }>)).schema;
    if (schema !== null && found !== schema)
      throw new OperationError("CELL_NOT_OPEN", schemaNotSeen(name, new URL(url), schema));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Opens a place that is to become that of a cell, as processes will. @throws an OperationError if they would not see its tables.
 */
export async function requireVisibleTables(name: string, place: CellPlace, connection: CellConnection): Promise<void> {
  const database = await openCellDatabase({ name, ...place }, connection);
  await database.close();
}

const schemaNotSeen = (name: string, { username, pathname }: URL, schema: string): string =>
  `The connections of the cell ${name} do not see its schema. Behind a transaction pooler, set the search path of its role: alter role "${decodeURIComponent(username)}" in database "${decodeURIComponent(pathname.slice(1))}" set search_path = "${schema}", public. Then let the pooler open its connections again.`;
