import type { SortDirection } from "../../../schema/vocabulary.ts";
import { invalidField } from "../../kernel/refusals.ts";
import type { SortKey } from "./sort-key.ts";

/*
 * The one format of cursors: base64url of the JSON array `[version, sort, value, id]`. To callers it is opaque text.
 */

/** Goes up with each change of the format. Cursors of other versions, and those before there were versions, are refused. */
const VERSION = 1;

/** The place of a row in its list: after all rows with a smaller value, or with the same value and a smaller id. */
export interface CursorPosition {
  /** The value that the list is sorted by; null for a time that is not set. */
  value: string | null;
  id: number;
}

/** The name of a list in one order. It is part of a cursor, so that the cursor is invalid in another list or order. */
export const sortNameOf = (list: string, field: string, direction: SortDirection): string =>
  `${list} ${field} ${direction}`;

export const encodeCursor = (sortName: string, { value, id }: CursorPosition): string =>
  Buffer.from(JSON.stringify([VERSION, sortName, value, id])).toString("base64url");

/** @throws a Refusal that names the argument unless the cursor is of this version, list and order. */
export function decodeCursor(cursor: string, sortName: string, key: SortKey, argument: string): CursorPosition {
  const [, , value, id] = partsOf(cursor);
  const isPosition =
    (value === null || typeof value === "string") &&
    key.isValue(value) &&
    typeof id === "number" &&
    Number.isSafeInteger(id) &&
    id > 0;
  // Encoded again it must be the same: each position has one cursor.
  if (!isPosition || encodeCursor(sortName, { value, id }) !== cursor)
    throw invalidField(
      argument,
      "is not a cursor of this list with this sort order; use one from `pageInfo` or an edge.",
    );
  return { value, id };
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
