import type { SpanDescription } from "../kernel/tracing.ts";

const MAX_TEXT_LENGTH = 2_000;
const OPERATION = /^\s*(?:with\b[\s\S]*?\)\s*)?(\w+)/i;
const TABLE = /\b(?:from|into|update)\s+"?(\w+)"?/i;

/** The span of a statement: its text, whose values are parameters, and never these. */
export function describeStatement(text: string): SpanDescription {
  const operation = (OPERATION.exec(text)?.[1] ?? "statement").toLowerCase();
  const table = TABLE.exec(text)?.[1];
  return {
    name: table === undefined ? operation : `${operation} ${table}`,
    kind: "CLIENT",
    attributes: { "db.system.name": "postgresql", "db.query.text": text.slice(0, MAX_TEXT_LENGTH) },
  };
}
