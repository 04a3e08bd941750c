/** A comment, a text, a quoted name or a body between dollar signs: a semicolon in it ends no statement. */
const OPAQUE = /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[^]*?\$\1\$/g;

/** Splits a text of SQL into its statements, without the semicolons. A distributed engine takes them one by one. */
export function splitStatements(text: string): string[] {
  const masked = text.replace(OPAQUE, (part) => "x".repeat(part.length));
  const statements: string[] = [];
  let start = 0;
  for (let end = masked.indexOf(";"); start < text.length; end = masked.indexOf(";", start)) {
    const until = end < 0 ? text.length : end;
    statements.push(text.slice(start, until).trim());
    start = until + 1;
  }
  return statements.filter((statement) => statement.replace(/--[^\n]*|\/\*[^]*?\*\//g, "").trim() !== "");
}
