import { and, eq, getTableColumns, sql, type SQL, type InferInsertModel, type InferSelectModel } from "drizzle-orm";
import {
  PgDatabase,
  PgDialect,
  PgPreparedQuery,
  PgSession,
  type PgColumn,
  type PgQueryResultHKT,
  type PgTable,
  type PreparedQueryConfig,
} from "drizzle-orm/pg-core";
import { required } from "../kernel/required-values.ts";
import type { Handle } from "./client.ts";

/*
 * Building a statement costs Drizzle more than sending it. Statements that every request needs are built once, with
 * placeholders for their values, and run on any handle.
 */

/** The arguments of a session's prepareQuery. */
type PreparedArguments = Parameters<PgSession["prepareQuery"]>;
type Values = Record<string, unknown>;

/** A statement of Drizzle's that can be prepared. */
interface PreparableQuery<Rows> {
  prepare(name: string): { execute(values?: Values): Promise<Rows> };
}

/** A statement that is built and not run. */
class DraftQuery<Config extends PreparedQueryConfig> extends PgPreparedQuery<Config> {
  override execute(): never {
    throw new Error("A draft is not run.");
  }
}

/** A session that runs nothing and captures the statement to prepare. */
class CapturingSession extends PgSession {
  captured: PreparedArguments | undefined;

  override prepareQuery<Config extends PreparedQueryConfig>(
    ...prepareArguments: PreparedArguments
  ): PgPreparedQuery<Config> {
    this.captured = prepareArguments;
    const [query] = prepareArguments;
    return new DraftQuery<Config>(query, undefined, undefined);
  }

  override transaction(): never {
    throw new Error("A draft has no transaction.");
  }
}

function captureStatement(build: (db: Handle) => PreparableQuery<unknown>): PreparedArguments {
  const dialect = new PgDialect();
  const session = new CapturingSession(dialect);
  build(new PgDatabase(dialect, session, undefined)).prepare("draft");
  const [query, fields, , arrays] = required(session.captured, "the draft");
  return [query, fields, undefined, arrays];
}

// A handle is always a whole database; its type has only what repositories use.
const runPrepared = <Rows>(db: Handle, statement: PreparedArguments, values: Values): Promise<Rows> =>
  (db as PgDatabase<PgQueryResultHKT>)._.session.prepareQuery(...statement).execute(values) as Promise<Rows>;

/** A statement with placeholders that is built when it is first run. */
export function preparedStatement<Rows>(
  build: (db: Handle) => PreparableQuery<Rows>,
): (db: Handle, values: Values) => Promise<Rows> {
  let statement: PreparedArguments | undefined;
  return (db, values) => runPrepared(db, (statement ??= captureStatement(build)), values);
}

/** A statement in SQL, with placeholders, that is built when it is first run. */
export function preparedExecution<Row>(statement: SQL): (db: Handle, values: Values) => Promise<Iterable<Row>> {
  let built: PreparedArguments | undefined;
  return (db, values) =>
    runPrepared(db, (built ??= [new PgDialect().sqlToQuery(statement), undefined, undefined, false]), values);
}

const statementsByTable = new WeakMap<PgTable, Map<string, PreparedArguments>>();

/** The draft of a table's statement that sets certain columns. */
function statementFor(table: PgTable, key: string, build: (db: Handle) => PreparableQuery<unknown>): PreparedArguments {
  const statements = statementsByTable.get(table) ?? new Map<string, PreparedArguments>();
  statementsByTable.set(table, statements);
  const statement = statements.get(key) ?? captureStatement(build);
  statements.set(key, statement);
  return statement;
}

/** Placeholders named by their columns. A null is written into the text: columns do not accept a placeholder for it. */
class PlaceholderRow {
  readonly values: Values = {};
  /** The columns that have placeholders, and those that are null. */
  key = "";

  /** A row with places for what is set of it. */
  addRow(row: Values, prefix: string): Values {
    const placeholders: Values = {};
    for (const [column, value] of Object.entries(row)) {
      if (value === undefined) continue;
      this.key += value === null ? `${prefix}${column}=null ` : `${prefix}${column} `;
      placeholders[column] = value === null ? null : sql.placeholder(prefix + column);
      if (value !== null) this.values[prefix + column] = value;
    }
    return placeholders;
  }
}

/** Inserts rows, and returns them. */
export function insertRows<Table extends PgTable>(
  db: Handle,
  table: Table,
  rows: readonly InferInsertModel<Table>[],
): Promise<InferSelectModel<Table>[]>;
/** Inserts rows, and returns some of their columns. */
export function insertRows<Table extends PgTable, Key extends keyof Table["_"]["columns"] & string>(
  db: Handle,
  table: Table,
  rows: readonly InferInsertModel<Table>[],
  returning: readonly Key[],
): Promise<Pick<InferSelectModel<Table>, Key & keyof InferSelectModel<Table>>[]>;
export function insertRows(
  db: Handle,
  table: PgTable,
  rows: readonly Values[],
  returning?: readonly string[],
): Promise<Values[]> {
  const placeholders = new PlaceholderRow();
  const placeholderRows = rows.map((row, index) => placeholders.addRow(row, `${index}.`));
  const columns = getTableColumns(table);
  const statement = statementFor(table, `insert ${placeholders.key}${returning?.join(" ") ?? "*"}`, (builder) => {
    const insert = builder.insert(table).values(placeholderRows);
    if (!returning) return insert.returning();
    if (returning.length === 0) return insert;
    return insert.returning(Object.fromEntries(returning.map((key) => [key, required(columns[key], key)])));
  });
  return runPrepared(db, statement, placeholders.values);
}

/** Updates columns of a vendor's row, and returns the row; undefined if the vendor has no such row. */
export function updateRow<Table extends PgTable & { vendorId: PgColumn; id: PgColumn }>(
  db: Handle,
  table: Table,
  vendorId: number,
  id: number,
  values: Partial<InferInsertModel<Table>>,
): Promise<InferSelectModel<Table>[]> {
  const placeholders = new PlaceholderRow();
  const placeholderRow = placeholders.addRow(values, "");
  const statement = statementFor(table, `update ${placeholders.key}`, (on) =>
    on
      .update<PgTable>(table)
      .set(placeholderRow)
      .where(and(eq(table.vendorId, sql.placeholder("of.vendorId")), eq(table.id, sql.placeholder("of.id"))))
      .returning(),
  );
  return runPrepared(db, statement, { ...placeholders.values, "of.vendorId": vendorId, "of.id": id });
}

/** A vendor's row, locked until the transaction ends; undefined if the vendor has no such row. */
export function lockRow<Table extends PgTable & { vendorId: PgColumn; id: PgColumn }>(
  db: Handle,
  table: Table,
  vendorId: number,
  id: number,
): Promise<InferSelectModel<Table>[]> {
  const statement = statementFor(table, "lock", (on) =>
    on
      .select()
      .from(table as PgTable)
      .where(and(eq(table.vendorId, sql.placeholder("vendorId")), eq(table.id, sql.placeholder("id"))))
      .for("no key update"),
  );
  return runPrepared(db, statement, { vendorId, id });
}
