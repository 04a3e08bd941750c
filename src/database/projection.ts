import { getTableName, type Column } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";

/*
 * How a table's rows are read as the graph shows them. A request's selection is turned into one SQL expression that
 * nests what lies below each edge, so a page of records costs one statement whatever is selected of it. Values leave
 * the database as they stand on the wire: amounts as decimal strings, instants in UTC with milliseconds.
 */

/** What is asked of a record: the names of its fields, and what is asked below those that have fields themselves. */
export type Selection = ReadonlyMap<string, Selection>;

/** The row that an expression is made of, by the name it has in the statement. */
export type Alias = string;

/** A value of a row: a column, or SQL made of the row's alias. */
export type Leaf = PgColumn | ((row: Alias) => string);

/** Values of the same row that are shown as an object; null where the column that tells it is. */
export interface Part {
  fields: Record<string, Leaf>;
  presentBy?: PgColumn;
}

/** Rows of another table. The condition is SQL made of the aliases of both. */
export interface Edge {
  shape: () => Shape;
  on: (child: Alias, parent: Alias) => string;
  /** SQL made of the aliases of both, for edges to many. */
  order?: (child: Alias, parent: Alias) => string;
  most?: number;
  /** An empty list is null. */
  nullIfEmpty?: boolean;
  /** The condition itself says whose rows they are: those of another vendor, which point at the parent. */
  crosses?: boolean;
}

/** How the rows of a table are read: their values, parts, and edges to one or many rows. */
export interface Shape {
  table: PgTable;
  fields: Record<string, Leaf>;
  parts?: Record<string, Part>;
  one?: Record<string, Edge>;
  many?: Record<string, Edge>;
  /** Fields whose resolver is made of others: which those are. */
  needs?: Record<string, readonly string[]>;
}

const quoted = (name: string): string => `"${name}"`;

/** A column of a row in SQL. */
export const at = (row: Alias, column: Column): string => `${row}.${quoted(column.name)}`;

/** The row that a foreign key of the parent points at. */
export const pointedAt = (shape: () => Shape, key: PgColumn): Edge => ({
  shape,
  on: (child, parent) => `${child}."id" = ${at(parent, key)}`,
});

/** The rows whose foreign key points at the parent. */
export const pointing = (shape: () => Shape, key: PgColumn, order: PgColumn, most?: number): Edge => ({
  shape,
  on: (child, parent) => `${at(child, key)} = ${parent}."id"`,
  order: (child) => at(child, order),
  ...(most !== undefined && { most }),
});

/** Columns of a table under their own names. */
export function columnsOf<Name extends string>(table: PgTable, ...names: Name[]): Record<Name, PgColumn> {
  const columns = table as unknown as Record<Name, PgColumn>;
  return Object.fromEntries(names.map((name) => [name, columns[name]])) as Record<Name, PgColumn>;
}

const compiled = new WeakMap<Selection, Map<Shape, string>>();

/** SQL of one JSON value with what is selected of a row. The row stands in the statement under its table's name. */
export function jsonOf(shape: Shape, selection: Selection): string {
  const known = compiled.get(selection) ?? new Map<Shape, string>();
  compiled.set(selection, known);
  let text = known.get(shape);
  if (text === undefined) {
    text = new Nesting().row(shape, selection, quoted(getTableName(shape.table)));
    known.set(shape, text);
  }
  return text;
}

class Nesting {
  private aliases = 0;

  /** `(select to_json(r) from (select …) r)`: an object of any number of fields. */
  row(shape: Shape, selection: Selection, alias: Alias): string {
    const record = `r${++this.aliases}`;
    return `(select to_json(${record}) from (select ${this.values(shape, selection, alias)}) ${record})`;
  }

  private values(shape: Shape, selection: Selection, alias: Alias): string {
    const list = [...namesIn(shape, selection)].flatMap(([name, below]) => {
      const value = this.value(shape, name, below, alias);
      return value === undefined ? [] : [`${value} as ${quoted(name)}`];
    });
    return list.length === 0 ? "1 as _" : list.join(", ");
  }

  private value({ fields, parts, one, many }: Shape, name: string, below: Selection, alias: Alias): string | undefined {
    if (fields[name]) return leaf(fields[name], alias);
    if (parts?.[name]) return this.part(parts[name], below, alias);
    if (one?.[name]) return this.edge(one[name], below, alias);
    if (many?.[name]) return this.list(many[name], below, alias);
    return undefined;
  }

  private part({ fields, presentBy }: Part, below: Selection, alias: Alias): string {
    const values = [...withNumber(fields, below).keys()].flatMap((name) =>
      fields[name] ? [`${leaf(fields[name], alias)} as ${quoted(name)}`] : [],
    );
    const record = `r${++this.aliases}`;
    const object = `(select to_json(${record}) from (select ${values.join(", ") || "1 as _"}) ${record})`;
    return presentBy ? `case when ${at(alias, presentBy)} is null then null else ${object} end` : object;
  }

  private edge(edge: Edge, below: Selection, parent: Alias): string {
    const { shape, child, from } = this.below(edge, parent);
    const limit = edge.order ? ` order by ${edge.order(child, parent)} limit 1` : "";
    return `(select ${this.row(shape, below, child)} ${from}${limit})`;
  }

  private list(edge: Edge, below: Selection, parent: Alias): string {
    const { shape, child, from } = this.below(edge, parent);
    const record = `r${++this.aliases}`;
    const order = edge.order ? ` order by ${edge.order(child, parent)}` : "";
    const limit = edge.most === undefined ? "" : ` limit ${edge.most}`;
    const rows = `select ${this.values(shape, below, child)} ${from}${order}${limit}`;
    const list = edge.nullIfEmpty ? `json_agg(${record})` : `coalesce(json_agg(${record}), '[]'::json)`;
    return `(select ${list} from (${rows}) ${record})`;
  }

  private below({ shape: shapeOf, on, crosses }: Edge, parent: Alias) {
    const shape = shapeOf();
    const child = `t${++this.aliases}`;
    const fence = crosses ? "true" : `${child}."vendor_id" = ${parent}."vendor_id"`;
    return {
      shape,
      child,
      from: `from ${quoted(getTableName(shape.table))} ${child} where ${fence} and ${on(child, parent)}`,
    };
  }
}

/** What is selected of a row, with what resolvers need besides; its number always, for ids and lists that hang on it. */
function namesIn({ fields, needs }: Shape, selection: Selection): Map<string, Selection> {
  const names = withNumber(fields, selection);
  if (fields["id"]) names.set("id", NOTHING);
  for (const name of selection.keys())
    for (const other of needs?.[name] ?? []) if (!names.has(other)) names.set(other, NOTHING);
  return names;
}

/** A global id is made of the number, where a row shows that under its own name. */
function withNumber(fields: Shape["fields"], selection: Selection): Map<string, Selection> {
  const names = new Map(selection);
  if (names.has("id") && !fields["id"] && fields["databaseId"]) names.set("databaseId", NOTHING);
  return names;
}

/** Nothing below. */
const NOTHING: Selection = new Map();

function leaf(value: Leaf, alias: Alias): string {
  if (typeof value === "function") return value(alias);
  const column = at(alias, value);
  const type = value.getSQLType();
  if (type.startsWith("numeric")) return decimal(column);
  if (type.startsWith("timestamp")) return utc(column);
  return column;
}

/** An exact number as a decimal string without trailing zeros. */
export const decimal = (sql: string): string => `trim_scale(${sql})::text`;

/** An instant in UTC with milliseconds. */
export const utc = (sql: string): string => `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
