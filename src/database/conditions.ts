import { and, gte, lte, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** A condition that holds only where its value was given. */
export const whenGiven = <T>(value: T | null | undefined, condition: (value: T) => SQL | undefined): SQL | undefined =>
  value == null ? undefined : condition(value);

/** All of the conditions hold; those that were not given do not count. */
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

/** What a list is sorted by: a time that is not set counts as earliest. Indexes hold it in these very words. */
export const sortExpression = (column: PgColumn): SQL =>
  column.notNull ? sql`${column}` : sql`coalesce(${column}, '-infinity')`;

/** As `within`, for a time that may not be set, by the index of the lists that are sorted by it. What is not set lies in no period. */
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

const textArrayEncoder = {
  mapToDriverValue: (words: readonly string[]) => `{${words.map((word) => JSON.stringify(word)).join(",")}}`,
};

/** The pattern of a text that stands anywhere in a value; its wildcards are literals. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

/** What stands between the texts of a search column; nothing that is looked for goes across it. */
const SEARCH_TEXT_SEPARATOR = "\x1f";

/**
 * The keyword is in one of the texts of a search column, in upper or lower case. What has no three letters or digits in a
 * row has no trigrams: then the planner must not think that the index could tell.
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
