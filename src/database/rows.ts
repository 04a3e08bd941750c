import { invariant } from "../kernel/refusals.ts";

/** The row of a statement that always answers one: it inserts, counts, or changes a row that is locked. */
export function firstRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows;
  invariant(row !== undefined, "the statement answers a row");
  return row;
}
