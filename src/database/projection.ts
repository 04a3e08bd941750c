import { getTableColumns, getTableName, type Column, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { required } from "../kernel/required-values.ts";
import { toRecord } from "../kernel/typed-records.ts";

/*
 * How a table's rows are read for the graph. A request's selection becomes one SQL expression with nested objects for
 * its edges, so a page of records costs one statement whatever is selected. The database returns values in their wire
 * format: amounts as decimal strings, instants in UTC with milliseconds.
 */

/** The selected fields of a record by name, each with its own selection. */
export type Selection = ReadonlyMap<string, Selection>;

/** The row that an expression is made of, by the name it has in the statement. */
export type RowAlias = string;

/** A value of a row: a column, or SQL made of the row's alias. */
export type ProjectedValue = PgColumn | ((row: RowAlias) => string);

/** Columns of the same row that form an object; null if its discriminating column is null. */
export interface ProjectedObject {
  fields: Record<string, ProjectedValue>;
  presentColumn?: PgColumn;
}

/** Rows of another table. The condition is SQL made of the aliases of both. */
export interface ProjectedEdge {
  projection: () => Projection;
  joinCondition: (child: RowAlias, parent: RowAlias) => string;
  /** SQL made of the aliases of both, for edges to many. */
  orderBy?: (child: RowAlias, parent: RowAlias) => string;
  limit?: number;
  /** An empty list is null. */
  nullIfEmpty?: boolean;
  /** The parent's foreign key, where many rows of a page have the same record. It is then read once for all of them. */
  sharedKey?: PgColumn;
  /** The condition itself says whose rows they are: those of another vendor, which point at the parent. */
  crossesVendors?: boolean;
  /** The column with the parent's vendor, where the rows are those of its child vendors. */
  ownerColumn?: PgColumn;
  /** Few parents have such rows. What is read of them costs nothing where there are none. */
  isRare?: boolean;
  /** The reader knows that there are no such rows, so a statement that is planned each time leaves them out. */
  isAbsent?: boolean;
}

/** How texts of rows are kept from one request to the next. */
export interface KeptRows {
  /** SQL of the version of all that the rows of a vendor are made of. */
  versionOf: (vendorId: number) => SQL;
  /** SQL of whether every write that changes what is read of a row moves the version in its own transaction. */
  isStable: (row: RowAlias) => string;
}

/** How the rows of a table are read: their values, nested objects, and edges to one or many rows. */
export interface Projection {
  table: PgTable;
  fields: Record<string, ProjectedValue>;
  objects?: Record<string, ProjectedObject>;
  one?: Record<string, ProjectedEdge>;
  many?: Record<string, ProjectedEdge>;
  kept?: KeptRows;
  /** Fields whose resolver is made of others: which those are. */
  requiredFields?: Record<string, readonly string[]>;
}

/** A name in SQL. */
export const quoteIdentifier = (name: string): string => `"${name}"`;

/** A column of a row in SQL. */
export const columnOfRow = (row: RowAlias, column: Column): string => `${row}.${quoteIdentifier(column.name)}`;

/** The row that a foreign key of the parent points at. */
export const referencedRow = (projection: () => Projection, key: PgColumn): ProjectedEdge => ({
  projection,
  joinCondition: (child, parent) => `${child}."id" = ${columnOfRow(parent, key)}`,
});

/** The same, where many rows point at few. */
export const sharedRow = (projection: () => Projection, key: PgColumn): ProjectedEdge => ({
  ...referencedRow(projection, key),
  sharedKey: key,
});

/** The rows whose foreign key points at the parent. */
export const referencingRows = (projection: () => Projection, key: PgColumn, order: PgColumn): ProjectedEdge => ({
  projection,
  joinCondition: (child, parent) => `${columnOfRow(child, key)} = ${parent}."id"`,
  orderBy: (child) => columnOfRow(child, order),
});

/** A projection of rows to which nothing has happened yet: some of its edges, by their names, lead to no row. */
export function withoutRowsOf(projection: Projection, ...names: string[]): Projection {
  const mark = (edges: Record<string, ProjectedEdge> = {}) =>
    Object.fromEntries(
      Object.entries(edges).map(([name, edge]) => [name, { ...edge, isAbsent: names.includes(name) }]),
    );
  return { ...projection, one: mark(projection.one), many: mark(projection.many) };
}

/** The columns of a table, by their own names. */
export function pickColumns<Table extends PgTable, Name extends keyof Table["_"]["columns"] & string>(
  table: Table,
  ...names: Name[]
): Record<Name, PgColumn> {
  const columns = getTableColumns(table);
  return toRecord(names, (name) => required<PgColumn>(columns[name], name));
}

/** A function of PostgreSQL takes at most a hundred arguments. */
const MAX_BUILT_FIELDS = 50;

const compiledSql = new WeakMap<Selection, Map<Projection, string>>();

/** SQL of one JSON value with the selected fields of a row. In the statement the row has its table's name. */
export function toJsonSql(projection: Projection, selection: Selection): string {
  const sqlByProjection = compiledSql.get(selection) ?? new Map<Projection, string>();
  compiledSql.set(selection, sqlByProjection);
  let text = sqlByProjection.get(projection);
  if (text === undefined) {
    text = new NestedSqlBuilder().rowSql(projection, selection, quoteIdentifier(getTableName(projection.table)));
    sqlByProjection.set(projection, text);
  }
  return text;
}

/** Builds SQL of nested JSON; each row in the statement has an alias of its own. */
export class NestedSqlBuilder {
  private aliasCount = 0;

  /** @param scope Begins the aliases, for a part of a statement that another builder makes. */
  constructor(private readonly scope = "") {}

  nextAlias(prefix: string): RowAlias {
    return `${this.scope}${prefix}${++this.aliasCount}`;
  }

  /** JSON of a row with its selected values. */
  rowSql(projection: Projection, selection: Selection, alias: RowAlias): string {
    return this.jsonObjectSql(this.valuesOf(projection, selection, alias));
  }

  /** A JSON object of any number of fields. A subselect is planned by itself, so a function call is used where it can be. */
  private jsonObjectSql(values: readonly [name: string, sql: string][]): string {
    if (values.length <= MAX_BUILT_FIELDS)
      return `json_build_object(${values.map(([name, value]) => `'${name}', ${value}`).join(", ")})`;
    const record = this.nextAlias("r");
    const list = values.map(([name, value]) => `${value} as ${quoteIdentifier(name)}`).join(", ");
    return `(select to_json(${record}) from (select ${list}) ${record})`;
  }

  /** The selected values of a row by name, those that its resolvers need among them. */
  valuesOf(projection: Projection, selection: Selection, alias: RowAlias): [name: string, sql: string][] {
    return [...requiredNames(projection, selection)].flatMap(([name, below]) => {
      const value = this.valueSql(projection, name, below, alias);
      return value === undefined ? [] : [[name, value]];
    });
  }

  private valueSql(
    { fields, objects, one, many }: Projection,
    name: string,
    selection: Selection,
    alias: RowAlias,
  ): string | undefined {
    if (fields[name]) return projectedValueSql(fields[name], alias);
    if (objects?.[name]) return this.objectSql(objects[name], selection, alias);
    if (one?.[name]) return this.edgeSql(one[name], selection, alias);
    if (many?.[name]) return this.listSql(many[name], selection, alias);
    return undefined;
  }

  private objectSql({ fields, presentColumn }: ProjectedObject, selection: Selection, alias: RowAlias): string {
    const object = this.jsonObjectSql(
      [...withDatabaseId(fields, selection).keys()].flatMap((name) =>
        fields[name] ? [[name, projectedValueSql(fields[name], alias)]] : [],
      ),
    );
    return presentColumn
      ? `case when ${columnOfRow(alias, presentColumn)} is null then null else ${object} end`
      : object;
  }

  private edgeSql(edge: ProjectedEdge, selection: Selection, parent: RowAlias): string {
    const { projection, child, from } = this.childSource(edge, parent);
    const limit = edge.orderBy ? ` order by ${edge.orderBy(child, parent)} limit 1` : "";
    return `(select ${this.rowSql(projection, selection, child)} ${from}${limit})`;
  }

  private listSql(edge: ProjectedEdge, selection: Selection, parent: RowAlias): string {
    const { projection, child, from } = this.childSource(edge, parent);
    const order = edge.orderBy ? ` order by ${edge.orderBy(child, parent)}` : "";
    const limit = edge.limit === undefined ? "" : ` limit ${edge.limit}`;
    const list = `to_json(array(select ${this.rowSql(projection, selection, child)} ${from}${order}${limit}))`;
    return edge.nullIfEmpty ? `nullif(${list}::text, '[]')::json` : list;
  }

  /** The rows below a parent, and how they are read. */
  childSource({ projection: projectionOf, joinCondition, crossesVendors }: ProjectedEdge, parent: RowAlias) {
    const projection = projectionOf();
    const child = this.nextAlias("t");
    const vendorCondition = crossesVendors ? "true" : `${child}."vendor_id" = ${parent}."vendor_id"`;
    return {
      projection,
      child,
      from: `from ${quoteIdentifier(getTableName(projection.table))} ${child} where ${vendorCondition} and ${joinCondition(child, parent)}`,
    };
  }
}

/**
 * The selected fields of a row, the fields that its resolvers need, and always its number, for ids and dependent lists.
 */
function requiredNames({ fields, requiredFields }: Projection, selection: Selection): Map<string, Selection> {
  const names = withDatabaseId(fields, selection);
  if (fields["id"]) names.set("id", EMPTY_SELECTION);
  for (const name of selection.keys())
    for (const other of requiredFields?.[name] ?? []) if (!names.has(other)) names.set(other, EMPTY_SELECTION);
  return names;
}

/** A global id can be made of the number that a row shows. */
function withDatabaseId(fields: Projection["fields"], selection: Selection): Map<string, Selection> {
  const names = new Map(selection);
  if (names.has("id") && fields["databaseId"]) names.set("databaseId", EMPTY_SELECTION);
  return names;
}

/** Nothing below. */
const EMPTY_SELECTION: Selection = new Map();

function projectedValueSql(value: ProjectedValue, alias: RowAlias): string {
  if (typeof value === "function") return value(alias);
  const column = columnOfRow(alias, value);
  const type = value.getSQLType();
  if (type.startsWith("numeric")) return decimalSql(column);
  if (type.startsWith("timestamp")) return utcSql(column);
  return column;
}

/** An exact number as a decimal string without trailing zeros. */
export const decimalSql = (sql: string): string => `trim_scale(${sql})::text`;

/** An instant in UTC with milliseconds. */
export const utcSql = (sql: string): string => `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
