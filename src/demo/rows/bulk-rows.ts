import { getTableColumns, sql } from "drizzle-orm";
import { getTableConfig, type PgTable } from "drizzle-orm/pg-core";
import type { Handle } from "../../database/client.ts";
import { itemAt } from "../../kernel/required-values.ts";

/** A row to insert. Where the table has an id, it was drawn before. */
type BulkRow<T extends PgTable> = T["$inferInsert"] & { id?: number };

/** Draws the ids of `count` new rows from a table's sequence. */
export async function drawIds(handle: Handle, table: PgTable, count: number): Promise<number[]> {
  const { name } = getTableConfig(table);
  const rows = await handle.execute(
    sql`select nextval(pg_get_serial_sequence(${name}::text, 'id')) as id from generate_series(1, ${count}::integer)`,
  );
  return [...(rows as Iterable<{ id: string }>)].map(({ id }) => Number(id));
}

/** Draws an id from a table's sequence for each draft. */
export async function assignIds(handle: Handle, table: PgTable, drafts: readonly { id: number }[]): Promise<void> {
  const ids = await drawIds(handle, table, drafts.length);
  for (const [index, draft] of drafts.entries()) draft.id = itemAt(ids, index);
}

/** Inserts all rows by one statement with one JSON parameter. All rows must have the columns of the first. */
export async function insertRowsAsJson<T extends PgTable>(
  handle: Handle,
  table: T,
  rows: readonly BulkRow<T>[],
): Promise<void> {
  const [first] = rows as readonly Record<string, unknown>[];
  if (!first) return;
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => Object.hasOwn(first, key));
  const named = (rows as readonly Record<string, unknown>[]).map((row) =>
    Object.fromEntries(columns.map(([key, { name }]) => [name, toJsonValue(row[key])])),
  );
  const names = sql.join(
    columns.map(([, { name }]) => sql.identifier(name)),
    sql`, `,
  );
  await handle.execute(
    sql`insert into ${table} (${names}) overriding system value select ${names} from json_populate_recordset(null::${table}, ${JSON.stringify(named)}::text::json)`,
  );
}

/** JSON has no type for bytes, so they are written in PostgreSQL's hexadecimal form. */
const toJsonValue = (value: unknown): unknown => (Buffer.isBuffer(value) ? `\\x${value.toString("hex")}` : value);
