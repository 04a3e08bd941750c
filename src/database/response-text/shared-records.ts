import type { PgColumn } from "drizzle-orm/pg-core";
import { groupBy } from "../../kernel/group-by.ts";
import { itemAt } from "../../kernel/required-values.ts";
import type { Projection } from "../projection.ts";

/** How the database writes rows. */
export interface TextSql {
  /** SQL of a row's text. In the statement the row has its table's name. */
  sql: string;
  /** Records that are read by statements of their own; their places are in the text. */
  shared: readonly SharedRecord[];
}

/**
 * A record that many rows of a page have in common, or that few rows have. It is read once, and its text put in each
 * place.
 */
export interface SharedRecord {
  projection: Projection;
  /** The column with the reading vendor, where the records are those of its child vendors. */
  ownerColumn: PgColumn | undefined;
  text: TextSql;
  /** The text in place of a record that does not exist. */
  absentText: string;
}

/** The characters around a place: the shared record's number and the row's. PostgreSQL escapes both within JSON strings. */
const PLACE_START = "\u0003";
const PLACE_END = "\u0004";
const PLACE_START_SQL = String.raw`E'\x03'`;
const PLACE_END_SQL = String.raw`E'\x04'`;

/** A place for the shared record with a row's number. */
export const placeOfRow = (shared: number, row: unknown): string =>
  `${PLACE_START}${placeKey(shared, Number(row))}${PLACE_END}`;

/** SQL of a place for the shared record with a row's number. */
export const placeSql = (shared: number, row: string): string =>
  `concat(${PLACE_START_SQL}, '${shared}:', ${row}, ${PLACE_END_SQL})`;

/** Rows of a shared record, by its number. */
export interface SharedRows {
  shared: number;
  record: SharedRecord;
  rows: readonly number[];
}

/** Reads the texts of rows by the shared record and the row's number, with one statement. */
type ReadTexts = (requested: readonly SharedRows[]) => Promise<ReadonlyMap<string, string>>;

/** The key of a text. */
export const placeKey = (shared: number, row: number): string => `${shared}:${row}`;

/** A text from the start of a place to the next one. */
interface PlacedText {
  key: string;
  rest: string;
}

/** The texts with all shared records in their places. */
export async function insertSharedRecords(
  texts: readonly string[],
  records: readonly SharedRecord[],
  readTexts: ReadTexts,
): Promise<readonly string[]> {
  const split = texts.map((text) => {
    const [first = "", ...others] = text.split(PLACE_START);
    return { first, places: others.map(readPlace) };
  });
  const keys = new Set(split.flatMap(({ places }) => places.map(({ key }) => key)));
  if (keys.size === 0) return texts;
  const found = await readTexts(toSharedRows(keys, records));
  return split.map(({ first, places }) =>
    places.reduce((text, { key, rest }) => text + (found.get(key) ?? absentTextOf(key, records)) + rest, first),
  );
}

function readPlace(part: string): PlacedText {
  const end = part.indexOf(PLACE_END);
  return { key: part.slice(0, end), rest: part.slice(end + 1) };
}

const sharedOf = (key: string): number => Number(key.slice(0, key.indexOf(":")));
const rowOf = (key: string): number => Number(key.slice(key.indexOf(":") + 1));

const absentTextOf = (key: string, records: readonly SharedRecord[]): string =>
  itemAt(records, sharedOf(key)).absentText;

function toSharedRows(keys: ReadonlySet<string>, records: readonly SharedRecord[]): SharedRows[] {
  const keysByRecord = groupBy([...keys], sharedOf);
  return [...keysByRecord].map(([shared, own]) => ({ shared, record: itemAt(records, shared), rows: own.map(rowOf) }));
}
