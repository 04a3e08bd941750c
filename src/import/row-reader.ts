import { extname } from "node:path";
import { parse } from "csv-parse/sync";
import { coerceInputValue, type GraphQLInputObjectType, type GraphQLSchema } from "graphql";
import { findOversizedValue, toFieldError } from "../graphql/documents/variable-errors.ts";
import { parseJsonBody } from "../kernel/json-reader.ts";
import { Refusal, type FieldError } from "../kernel/refusals.ts";
import { CsvHeader } from "./csv-header.ts";
import { problemsOfFields, rowProblem, type RowProblem } from "./import.refusal.ts";
import { readRecords, type FileFormat } from "./record-reader.ts";

/** A row that was read: its values as the type of its kind reads them, or what is wrong with it. */
export interface FileRow {
  line: number;
  /** The merchant's own id of its record; of a try, that of its payment. Null if it cannot be read. */
  partnerId: string | null;
  /** The values as they were written, for comparing a row with an earlier one of its id. */
  written: object | null;
  values: unknown;
  problems: readonly RowProblem[];
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const formats: Readonly<Record<string, FileFormat>> = {
  ".csv": "CSV",
  ".jsonl": "JSON_LINES",
  ".ndjson": "JSON_LINES",
};

/** The format by the ending of a file's name; undefined if it is another one. */
export const formatOfFile = (name: string): FileFormat | undefined => formats[extname(name).toLowerCase()];

/** A line whose values cannot be read. */
class UnreadableLine extends Error {
  constructor(readonly problems: readonly RowProblem[]) {
    super("A line cannot be read.");
  }
}

/** Reads the rows of a file one by one. Where the header of a CSV file cannot be used, it is the only row. */
export async function* readRows(
  chunks: AsyncIterable<Buffer>,
  format: FileFormat,
  rowType: GraphQLInputObjectType,
  schema: GraphQLSchema,
): AsyncGenerator<FileRow> {
  let header: CsvHeader | undefined;
  for await (const { line, content } of readRecords(chunks, format)) {
    try {
      if (!Buffer.isBuffer(content)) throw new UnreadableLine([content]);
      if (format === "JSON_LINES") yield toRow(line, readObject(content), rowType, schema);
      else if (header) yield toRow(line, toValues(header, readCells(content)), rowType, schema);
      else header = toHeader(readCells(content), rowType);
    } catch (error) {
      if (!(error instanceof UnreadableLine)) throw error;
      yield { line, partnerId: null, written: null, values: null, problems: error.problems };
      if (format === "CSV" && !header) return;
    }
  }
}

function toHeader(names: readonly string[], rowType: GraphQLInputObjectType): CsvHeader {
  const problems = CsvHeader.problemsOf(names, rowType);
  if (problems.length > 0) throw new UnreadableLine(problems);
  return new CsvHeader(names, rowType);
}

function toValues(header: CsvHeader, cells: readonly string[]): object {
  if (cells.length === header.width) return header.toValues(cells);
  const counts = `The row has ${cells.length} cells, and the first line has ${header.width}.`;
  throw new UnreadableLine([rowProblem("LINE_NOT_READABLE", null, counts)]);
}

function decode(content: Buffer): string {
  const refuse = (message: string) => new UnreadableLine([rowProblem("ENCODING_NOT_UTF8", null, message)]);
  let text: string;
  try {
    text = utf8.decode(content);
  } catch {
    throw refuse("The line has bytes that are not UTF-8.");
  }
  if (text.includes("\0")) throw refuse("The line has NUL characters.");
  return text;
}

function readCells(content: Buffer): string[] {
  const text = decode(content);
  try {
    return parse(text, { trim: true, relax_column_count: true })[0] ?? [];
  } catch {
    throw new UnreadableLine([
      rowProblem("QUOTES_NOT_CLOSED", null, "A cell has quotes inside of it that are not doubled."),
    ]);
  }
}

function readObject(content: Buffer): object {
  decode(content);
  const refuse = (message: string) => new UnreadableLine([rowProblem("LINE_NOT_READABLE", null, message)]);
  let value: unknown;
  try {
    value = parseJsonBody(content);
  } catch (error) {
    if (error instanceof Refusal) throw refuse(error.message.replace("The body", "The line"));
    throw error;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw refuse("The line is not a JSON object.");
  return value;
}

function toRow(line: number, written: object, rowType: GraphQLInputObjectType, schema: GraphQLSchema): FileRow {
  const idField = "payment_id" in rowType.getFields() ? "payment_id" : "partnerId";
  const id: unknown = Object.hasOwn(written, idField) ? written[idField as keyof typeof written] : null;
  const row = { line, partnerId: typeof id === "string" ? id.slice(0, 255) : null, written };
  const oversized = findOversizedValue(written, []);
  if (oversized) return { ...row, values: null, problems: problemsOfFields([oversized]) };
  const errors: FieldError[] = [];
  const values: unknown = coerceInputValue(written, rowType, (path, _value, error) => {
    if (errors.length < MAX_ERRORS) errors.push(toFieldError(schema, path, error.message));
  });
  return { ...row, values, problems: problemsOfFields(errors) };
}

/** More errors of one row are of no use. */
const MAX_ERRORS = 20;
