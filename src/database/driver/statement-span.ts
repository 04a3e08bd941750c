import type { SpanDescription } from "../../kernel/tracing.ts";

const MAX_TEXT_LENGTH = 2_000;
const OPERATION = /^\s*(\w+)/;
const TABLE = /\b(?:from|into|update)\s+"?(\w+)"?/i;
const TOKENS = /'(?:[^']|'')*'|"[^"]*"|[()]|\b(?:select|insert|update|delete|merge)\b/gi;

/** The statement after its common table expressions. */
function mainStatementOf(text: string): string {
  if (!/^\s*with\b/i.test(text)) return text;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === "(") depth++;
    else if (token === ")") depth--;
    else if (depth === 0 && /^\w/.test(token)) return text.slice(index);
  }
  return text;
}

/** The span of a statement: its text, whose values are parameters, and never these. */
export function describeStatement(text: string): SpanDescription {
  const statement = mainStatementOf(text);
  const operation = (OPERATION.exec(statement)?.[1] ?? "statement").toLowerCase();
  const table = TABLE.exec(statement)?.[1];
  return {
    name: table === undefined ? operation : `${operation} ${table}`,
    kind: "CLIENT",
    attributes: { "db.system.name": "postgresql", "db.query.text": text.slice(0, MAX_TEXT_LENGTH) },
  };
}
