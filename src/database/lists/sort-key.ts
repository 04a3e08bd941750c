import { sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { isWritableInstant } from "../../kernel/instants.ts";
import { sortExpression } from "../conditions.ts";
import { columnOfRow, decimalSql, utcSql, type RowAlias, type ProjectedValue } from "../projection.ts";

/** How values of a database type are written into a cursor, and which texts are valid values. */
interface SortValueType {
  cast: string;
  toText: (value: string) => string;
  isValid: (text: string) => boolean;
}

const sortValueTypes: Record<"timestamp" | "integer" | "numeric" | "text", SortValueType> = {
  timestamp: {
    cast: "timestamptz",
    toText: utcSql,
    // A day that no calendar has is one of the next month to JavaScript, and an error to the database.
    isValid: (text) => isWritableInstant(new Date(text)) && new Date(text).toISOString() === text,
  },
  // Compared as an integer: as a numeric, the index could not lead to the first row of the slice.
  integer: { cast: "bigint", toText: (value) => `${value}::text`, isValid: (text) => /^-?\d{1,15}$/.test(text) },
  numeric: { cast: "numeric", toText: decimalSql, isValid: (text) => /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) },
  text: { cast: "text", toText: (value) => value, isValid: (text) => !text.includes("\0") && text.isWellFormed() },
};

function sortValueTypeOf(column: PgColumn): SortValueType {
  const type = column.getSQLType();
  if (type.startsWith("timestamp")) return sortValueTypes.timestamp;
  if (/^(?:bigint|integer)/.test(type)) return sortValueTypes.integer;
  return type.startsWith("numeric") ? sortValueTypes.numeric : sortValueTypes.text;
}

/** A sort key: how rows are compared, and how a row's value is written into a cursor. */
export interface SortKey {
  /** SQL of a value that every row has, in the words of the index. */
  expression: SQL;
  /** SQL of the value as written into a cursor; null for an unset time. */
  text: SQL;
  /** Whether a text, or null, can be the value of a row. */
  isValue: (text: string | null) => boolean;
  /** A value of a cursor as a parameter of the type that `expression` has. */
  toParameter: (text: string | null) => SQL;
}

/**
 * The sort key of a column, or of SQL made of the row's alias. A column that can be null is a time: one that is not set
 * counts as the earliest. SQL gives a time for every row.
 */
export function sortKeyOf(sort: ProjectedValue, alias: RowAlias): SortKey {
  return typeof sort === "function"
    ? keyOf(sql.raw(sort(alias)), sort(alias), sortValueTypes.timestamp, false)
    : keyOf(sortExpression(sort), columnOfRow(alias, sort), sortValueTypeOf(sort), !sort.notNull);
}

const keyOf = (expression: SQL, value: string, type: SortValueType, isNullable: boolean): SortKey => ({
  expression,
  text: sql.raw(type.toText(value)),
  isValue: (text) => (text === null ? isNullable : type.isValid(text)),
  toParameter: (text) => sql`${text ?? "-infinity"}::${sql.raw(type.cast)}`,
});
