import { getTableColumns, getTableName, sql, type InferInsertModel, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { groupBy } from "../kernel/group-by.ts";
import type { Handle } from "./client.ts";
import { isDistributed } from "./distributed-handles.ts";
import { insertRows, preparedExecution } from "./prepared-statements.ts";

/*
 * Statements that write any number of rows: the rows are one JSON parameter, so that the text, and with it the prepared
 * statement, is the same for every number of them. A cluster gets a few rows as VALUES, which it passes on to their node as they are.
 */

type VendorTable = PgTable & { vendorId: PgColumn; id: PgColumn };
type Row = Readonly<Record<string, unknown>>;
type Execution = ReturnType<typeof preparedExecution<Row>>;

/** So many rows at most are written as VALUES: each number of them is a statement of its own, which connections prepare by name. */
const MAX_ROWS_OF_VALUES = 8;

/** Whether rows are written as VALUES: a few of them, on a cluster. */
export const areWrittenAsValues = (db: Handle, rows: readonly unknown[]): boolean =>
  isDistributed(db) && rows.length <= MAX_ROWS_OF_VALUES;

const executions = new WeakMap<PgTable, Map<string, Execution>>();

function executionFor(table: PgTable, key: string, build: () => SQL): Execution {
  const ofTable = executions.get(table) ?? new Map<string, Execution>();
  executions.set(table, ofTable);
  const execution = ofTable.get(key) ?? preparedExecution<Row>(build());
  ofTable.set(key, execution);
  return execution;
}

/** The keys that a row sets; a column that is undefined gets its default. */
const setKeysOf = (row: Row): string =>
  Object.keys(row)
    .filter((key) => row[key] !== undefined)
    .sort()
    .join(" ");

/** A value as PostgreSQL reads it from JSON. */
function toJsonValue(column: PgColumn, value: unknown): unknown {
  if (value === null || value === undefined || Array.isArray(value) || column.dataType === "json") return value;
  return column.mapToDriverValue(value);
}

function toJsonRow(columns: Readonly<Record<string, PgColumn>>, row: Row): object {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([key, column]) =>
      row[key] === undefined ? [] : [[column.name, toJsonValue(column, row[key])]],
    ),
  );
}

const namesOf = (columns: Readonly<Record<string, PgColumn>>, keys: string): string[] =>
  Object.entries(columns).flatMap(([key, { name }]) => (keys.split(" ").includes(key) ? [`"${name}"`] : []));

/** The statements for rows that set the same columns, and the values of each. */
const byKeys = (table: PgTable, rows: readonly Row[]) => {
  const columns = getTableColumns(table) as Record<string, PgColumn>;
  return [...groupBy(rows, setKeysOf)].map(([keys, group]) => ({
    keys,
    names: namesOf(columns, keys),
    rows: JSON.stringify(group.map((row) => toJsonRow(columns, row))),
  }));
};

/** Inserts rows of a vendor. @returns what the list of columns names, by the names of the columns, as the driver reads it. */
export async function insertRowBatch<Table extends PgTable & { vendorId: PgColumn }>(
  db: Handle,
  table: Table,
  vendorId: number,
  rows: readonly Omit<InferInsertModel<Table>, "vendorId">[],
  returning: readonly PgColumn[] = [],
): Promise<Row[]> {
  if (areWrittenAsValues(db, rows)) return insertAsValues(db, table, vendorId, rows, returning);
  const inserted: Row[] = [];
  const name = sql.raw(`"${getTableName(table)}"`);
  for (const { keys, names, rows: values } of byKeys(table, rows)) {
    const columns = sql.raw(names.join(", "));
    const returned = returning.map((column) => `"${column.name}"`).join(", ");
    const execute = executionFor(
      table,
      `insert ${keys} ${returned}`,
      () => sql`insert into ${name} ("vendor_id", ${columns})
        select ${sql.placeholder("vendorId")}::bigint, ${columns}
        from json_populate_recordset(null::${name}, ${sql.placeholder("rows")}::text::json)
        ${returned === "" ? sql`` : sql.raw(`returning ${returned}`)}`,
    );
    inserted.push(...(await execute(db, { vendorId, rows: values })));
  }
  return inserted;
}

async function insertAsValues(
  db: Handle,
  table: PgTable,
  vendorId: number,
  rows: readonly Row[],
  returning: readonly PgColumn[],
): Promise<Row[]> {
  if (rows.length === 0) return [];
  const named = Object.entries(getTableColumns(table)).filter(([, column]) => returning.includes(column));
  const inserted: readonly Row[] = await insertRows(
    db,
    table,
    rows.map((row) => ({ ...row, vendorId })),
    named.map(([key]) => key),
  );
  return inserted.map((row) => Object.fromEntries(named.map(([key, { name }]) => [name, row[key]])));
}

/**
 * Sets columns of rows of a vendor by their ids. The caller has locked the rows, in the order of their ids. A row that has the values
 * already is not written again: each new version of a row is one more entry of every index.
 */
export async function updateRowBatch<Table extends VendorTable>(
  db: Handle,
  table: Table,
  vendorId: number,
  changes: readonly { id: number; values: Partial<InferInsertModel<Table>> }[],
): Promise<void> {
  const rows = changes.map(({ id, values }): Row => ({ ...values, id, vendorId: undefined }));
  const ids = `{${changes.map(({ id }) => id).join(",")}}`;
  const name = sql.raw(`"${getTableName(table)}"`);
  for (const { keys, names, rows: values } of byKeys(table, rows)) {
    const changed = names.filter((column) => column !== '"id"');
    const assignments = changed.map((column) => `${column} = v.${column}`);
    const listOf = (row: string) => sql.raw(changed.map((column) => `${row}.${column}`).join(", "));
    const execute = executionFor(
      table,
      `update ${keys}`,
      () => sql`update ${name} set ${sql.raw(assignments.join(", "))}
        from json_populate_recordset(null::${name}, ${sql.placeholder("rows")}::text::json) v
        where ${name}."vendor_id" = ${sql.placeholder("vendorId")}::bigint and ${name}."id" = any(${sql.placeholder("ids")}::bigint[])
          and ${name}."id" = v."id" and (${listOf(`"${getTableName(table)}"`)}) is distinct from (${listOf("v")})`,
    );
    // The ids stand beside the rows, so that any plan finds the rows by them.
    await execute(db, { vendorId, rows: values, ids });
  }
}
