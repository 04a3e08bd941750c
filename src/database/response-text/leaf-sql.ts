import { Column } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { columnOfRow, utcSql, type ProjectedValue, type RowAlias } from "../projection.ts";
import { quoteText } from "./text-parts.ts";
import type { LeafFormat } from "./text-plan.ts";

/** JSON of a value in SQL. */
export interface LeafSql {
  /** Null where the value is null, or where only code can write it. */
  sql: string;
  /** Whether the quotes around it are missing. */
  isUnquoted: boolean;
  /** Which nulls it has: only those of the value, or also some for code. */
  nulls: "NONE" | "OF_VALUE" | "FOR_CODE";
  /** The value, where it is computed once and `sql` names it `v`. */
  computed?: string;
}

/** The JSON of a single value; undefined where the database could write something else than code does. */
export function leafSql(
  value: ProjectedValue,
  format: LeafFormat,
  row: RowAlias,
  nullText: string | undefined,
): LeafSql | undefined {
  return value instanceof Column
    ? columnSql(value, columnOfRow(row, value), format)
    : computedSql(value(row), format, nullText);
}

const json = (sql: string, isNeverNull = false): LeafSql => ({
  sql,
  isUnquoted: false,
  nulls: isNeverNull ? "NONE" : "OF_VALUE",
});

const unquoted = (sql: string, isNeverNull = false): LeafSql => ({ ...json(sql, isNeverNull), isUnquoted: true });

/** A few values are left to code: those that JavaScript would round, say. */
const jsonWhere = (condition: string, sql: string): LeafSql => ({
  sql: `case when ${condition} then ${sql} end`,
  isUnquoted: false,
  nulls: "FOR_CODE",
});

function columnSql(value: PgColumn, column: string, format: LeafFormat): LeafSql | undefined {
  const type = value.getSQLType();
  const { notNull } = value;
  if (typeof format === "object") return type === "text" ? wordSql(value, column, format) : undefined;
  switch (format) {
    case "TEXT":
      return type === "text" ? json(`to_json(${column})`, notNull) : undefined;
    case "UUID":
      return type === "uuid" ? unquoted(column, notNull) : undefined;
    case "BOOLEAN":
      return type === "boolean" ? json(`${column}::text`, notNull) : undefined;
    case "INT":
      return isInt(type) ? json(column, notNull) : undefined;
    case "BIG_INT":
      // No sequence ever gets to numbers that JavaScript rounds.
      if (isInt(type) || value.generatedIdentity) return json(column, notNull);
      return type === "bigint"
        ? jsonWhere(`${column} between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`, column)
        : undefined;
    case "DECIMAL_STRING":
      return type.startsWith("numeric") ? unquoted(`trim_scale(${column})`, notNull) : undefined;
    case "DECIMAL_NUMBER":
      return decimalNumberSql(column, type);
    case "TIME":
    case "TIME_WITHOUT_ZONE":
      // Never `notNull`: infinity is written as null.
      return type.startsWith("timestamp")
        ? unquoted(format === "TIME" ? utcSql(column) : utcSql(column).replace('"Z"', ""))
        : undefined;
    case "JSON_OBJECT":
      return type === "jsonb" ? jsonWhere(`${column} = '{}'`, "'{}'") : undefined;
  }
}

const isInt = (type: string): boolean => type === "integer" || type === "smallint";

/** JavaScript writes a number of at most 15 digits with these digits, and in plain notation from 0.000001 on. */
const EXACT_DIGITS = 15;
const PLAIN_DECIMALS = 6;

function decimalNumberSql(column: string, type: string): LeafSql | undefined {
  const decimals = Number(/^numeric\(\d+, (\d+)\)$/.exec(type)?.[1] ?? EXACT_DIGITS);
  if (decimals >= EXACT_DIGITS) return undefined;
  const isShort = `abs(${column}) < 1e${EXACT_DIGITS - decimals}`;
  const isPlain = decimals > PLAIN_DECIMALS ? ` and (abs(${column}) >= 1e-${PLAIN_DECIMALS} or ${column} = 0)` : "";
  return jsonWhere(isShort + isPlain, `trim_scale(${column})`);
}

/** The words of a column with a check for them; undefined where the answer does not know one. */
function wordSql(
  { enumValues: words = [], notNull }: PgColumn,
  column: string,
  format: ReadonlyMap<string, string>,
): LeafSql | undefined {
  const texts = words.map((word) => [word, format.get(word)] as const);
  if (texts.length === 0 || texts.some(([, text]) => text === undefined)) return undefined;
  const changed = texts.filter(([word, text]) => text !== `"${word}"`);
  if (changed.length === 0) return unquoted(column, notNull);
  const cases = changed.map(([word, text]) => `when ${quoteText(word)} then ${quoteText(String(text))}`);
  return json(`case ${column} ${cases.join(" ")} else '"' || ${column} || '"' end`, notNull);
}

/** A computed value has no type here, so it is read as the one that the answer has. */
function computedSql(sql: string, format: LeafFormat, nullText: string | undefined): LeafSql | undefined {
  if (typeof format === "object") return checkedSql(sql, wordCasesSql(format), nullText);
  switch (format) {
    case "TEXT":
    case "DECIMAL_STRING":
    case "TIME":
      return json(`to_json((${sql})::text)`);
    case "UUID":
      return unquoted(`(${sql})::uuid`);
    case "BOOLEAN":
      return json(`(${sql})::boolean::text`);
    case "INT":
      return checkedSql(
        sql,
        "when v::numeric = trunc(v::numeric) and abs(v::numeric) < 2147483648 then v::numeric::bigint::text",
        nullText,
      );
    case "DECIMAL_NUMBER":
      return checkedSql(
        sql,
        `when abs(v::numeric) < 1e${EXACT_DIGITS - PLAIN_DECIMALS} and scale(trim_scale(v::numeric)) <= ${PLAIN_DECIMALS} then trim_scale(v::numeric)::text`,
        nullText,
      );
    default:
      return undefined;
  }
}

function checkedSql(computed: string, cases: string, nullText: string | undefined): LeafSql {
  const nullCase = nullText === undefined ? "" : `when v is null then ${quoteText(nullText)} `;
  return { sql: `case ${nullCase}${cases} end`, isUnquoted: false, nulls: "FOR_CODE", computed };
}

const wordCasesSql = (texts: ReadonlyMap<string, string>): string =>
  [...texts].map(([word, text]) => `when v::text = ${quoteText(word)} then ${quoteText(text)}`).join(" ");

/** JSON of a whole list; undefined for types that are left to code. */
export function listSql(value: ProjectedValue, format: LeafFormat | undefined, row: RowAlias): LeafSql | undefined {
  if (!(value instanceof Column)) return undefined;
  const column = columnOfRow(row, value);
  const type = value.getSQLType();
  if (type === "text[]" && format === "TEXT")
    return jsonWhere(`array_position(${column}, null) is null`, `to_json(${column})`);
  if (type === "jsonb") return jsonWhere(`${column} = '[]'`, "'[]'");
  return type.endsWith("[]") ? jsonWhere(`cardinality(${column}) = 0`, "'[]'") : undefined;
}
