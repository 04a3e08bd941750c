import { and, gte, lte, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** A condition that applies only if its value is given. */
export const whenGiven = <T>(value: T | null | undefined, condition: (value: T) => SQL | undefined): SQL | undefined =>
  value == null ? undefined : condition(value);

/** The conjunction of the given conditions; undefined ones are left out. */
export const allOf = (first: SQL, ...others: (SQL | undefined)[]): SQL => and(first, ...others) ?? first;

/** A stretch of time, both ends included. */
export interface TimeRange {
  from?: Date | null;
  until?: Date | null;
}

/** The column lies within the period, as far as one was given. */
export const isWithinRange = (column: PgColumn | SQL, range: TimeRange | null | undefined): SQL | undefined =>
  and(
    whenGiven(range?.from, (from) => gte(column as PgColumn, from)),
    whenGiven(range?.until, (until) => lte(column as PgColumn, until)),
  );

/** The sort expression of a list: an unset time counts as earliest. Indexes use the same expression. */
export const sortExpression = (column: PgColumn): SQL =>
  column.notNull ? sql`${column}` : sql`coalesce(${column}, '-infinity')`;

/** As `within`, for a nullable time, by the index of the lists that are sorted by it. An unset time is in no period. */
export const isSetWithinRange = (column: PgColumn, range: TimeRange | null | undefined): SQL | undefined => {
  const { from, until } = range ?? {};
  if (from == null && until == null) return undefined;
  const value = sortExpression(column);
  return and(
    sql`${value} ${from == null ? sql`> '-infinity'` : sql`>= ${from.toISOString()}::timestamptz`}`,
    whenGiven(until, (end) => sql`${value} <= ${end.toISOString()}::timestamptz`),
  );
};

/** The column is one of some words. */
export const isOneOf = (column: PgColumn, words: readonly string[]): SQL =>
  sql`${column} = any(${sql.param(words, textArrayEncoder)})`;

/** Words as one parameter. */
export const toTextArray = (words: readonly string[]): string =>
  `{${words.map((word) => `"${word.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;

const textArrayEncoder = { mapToDriverValue: toTextArray };

/** The pattern for a text anywhere in a value; wildcards in the text are literals. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

/** Separates the texts of a search column, so that no keyword matches across two of them. */
const SEARCH_TEXT_SEPARATOR = "\x1f";

/**
 * The keyword is in one of the texts of a search column, case-insensitive. A keyword without three letters or digits in
 * a row has no trigrams: the planner must not use the index for it.
 */
export const matchesKeyword = (searchText: PgColumn, keyword: string): SQL =>
  keyword.includes(SEARCH_TEXT_SEPARATOR)
    ? sql`false`
    : /[\p{L}\p{N}]{3}/u.test(keyword)
      ? sql`${searchText} like lower(${containsPattern(keyword)}::text)`
      : sql`strpos(${searchText}, lower(${keyword}::text)) > 0`;

/** The digits of a keyword that can be a part of a phone number, or null where it cannot. */
export const phoneDigitsOf = (keyword: string): string | null =>
  /^[\d\s()+./-]+$/.test(keyword) ? keyword.replace(/\D/g, "") || null : null;

/** The id in a column is one of these. The ids are one parameter, so the statement is the same for any number of them. */
export const idIsOneOf = (column: PgColumn, ids: readonly number[]): SQL => sql`${column} = any(${bigintArray(ids)})`;

/** Ids as one parameter. */
export const bigintArray = (ids: readonly number[]): SQL => sql`${`{${ids.join(",")}}`}::bigint[]`;
