import type { Selection } from "../projection.ts";

/** How a value that the database has is written as JSON. */
export type LeafFormat =
  | "TEXT"
  | "UUID"
  | "BOOLEAN"
  | "INT"
  | "BIG_INT"
  | "DECIMAL_STRING"
  | "DECIMAL_NUMBER"
  | "TIME"
  | "TIME_WITHOUT_ZONE"
  | "JSON_OBJECT"
  /** The JSON of each stored word that the answer knows. */
  | ReadonlyMap<string, string>;

/**
 * What a field consists of, as far as the database can write it. `CODE` is left to code, and `CODE_OF_VALUE` to code that needs only the
 * value under the field's name.
 */
export type TextContent =
  | "CODE"
  | "CODE_OF_VALUE"
  | "RECORD_NUMBER"
  | { constant: string }
  | { globalIdOf: string }
  | { format: LeafFormat; isList: boolean }
  | { fields: readonly TextField[]; isList: boolean };

/** A selected field under its key in the answer. */
export interface TextField {
  /** The key as JSON. */
  key: string;
  /** The field's name in the projection. */
  name: string;
  content: TextContent;
  /** The JSON that stands for null; undefined where null is an error. */
  nullText: string | undefined;
  /** The number under which code completes the field where the database cannot. */
  gap: number;
  /** What is read below the field for code. */
  selection: Selection;
}

/**
 * How the database writes a record's part of an answer. What it cannot write is left as a gap: the field's number and the
 * values that its resolver needs, between two characters that JSON never contains.
 */
export class TextPlan {
  constructor(readonly fields: readonly TextField[]) {}
}

/** The characters around a gap. PostgreSQL escapes both within JSON strings. */
export const GAP_START = "\u0001";
export const GAP_END = "\u0002";

/** A gap with these values. Without values it is what is null and must not be: code reports the error. */
export const gapText = ({ gap }: TextField, values: object): string =>
  `${GAP_START}${gap}${JSON.stringify(values)}${GAP_END}`;

/** Whether code needs more of the row than the value under the field's name. */
export const needsRow = ({ content }: TextField): boolean =>
  content === "CODE" || content === "RECORD_NUMBER" || (typeof content === "object" && "globalIdOf" in content);

/** The constant in SQL of a gap's first or last character. */
export const GAP_START_SQL = String.raw`E'\x01'`;
export const GAP_END_SQL = String.raw`E'\x02'`;
