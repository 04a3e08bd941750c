import { firstOf } from "../../kernel/required-values.ts";

/** A piece of a text: constant characters, or an expression in SQL. A null expression adds nothing. */
export type TextPart = { constant: string } | { sql: string };

/** A function of PostgreSQL takes at most a hundred arguments. */
const MAX_ARGUMENTS = 100;

/** The text as a constant in SQL. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** SQL of all parts, one after the other. */
export function concatSql(parts: readonly TextPart[]): string {
  let pieces = mergeConstants(parts).map((part) => ("sql" in part ? part.sql : quoteText(part.constant)));
  while (pieces.length > 1) {
    const calls: string[] = [];
    for (let start = 0; start < pieces.length; start += MAX_ARGUMENTS)
      calls.push(`concat(${pieces.slice(start, start + MAX_ARGUMENTS).join(", ")})`);
    pieces = calls;
  }
  return pieces.length === 0 ? "''" : `(${firstOf(pieces)})::text`;
}

function mergeConstants(parts: readonly TextPart[]): TextPart[] {
  const merged: TextPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (last && "constant" in last && "constant" in part)
      merged[merged.length - 1] = { constant: last.constant + part.constant };
    else merged.push(part);
  }
  return merged;
}
