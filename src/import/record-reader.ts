import { rowProblem, type RowProblem } from "./import.refusal.ts";

export type FileFormat = "CSV" | "JSON_LINES";

/** A record of a file: a line of JSON, or a row of CSV, whose quoted cells may span lines. */
export interface FileRecord {
  /** The line that it begins in. */
  line: number;
  content: Buffer | RowProblem;
}

/** A record is kept in memory as a whole, so that its length has a limit. */
const MAX_RECORD_BYTES = 1_000_000;

const [NEWLINE, RETURN, QUOTE, COMMA] = [10, 13, 34, 44];
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];

const tooLong = () => rowProblem("LINE_TOO_LONG", null, "The line has more than 1 MB.");
const unclosed = () =>
  rowProblem("QUOTES_NOT_CLOSED", null, "The row has quotes that are not closed, or text after closing quotes.");

/**
 * Reads the records of a file in flat memory. A record that cannot be read costs one line: the next line begins a new
 * record. Empty lines are left out.
 */
export async function* readRecords(chunks: AsyncIterable<Buffer>, format: FileFormat): AsyncGenerator<FileRecord> {
  const splitter = new RecordSplitter(format);
  for await (const chunk of chunks) yield* splitter.split(chunk, false);
  yield* splitter.split(Buffer.alloc(0), true);
}

class RecordSplitter {
  private pending: Buffer = Buffer.alloc(0);
  private line = 1;
  private isAtStart = true;
  /** True while the rest of a refused line is dropped. */
  private isSkipping = false;

  constructor(private readonly format: FileFormat) {}

  *split(chunk: Buffer, isLast: boolean): Generator<FileRecord> {
    this.pending = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
    if (this.isAtStart) {
      if (this.pending.length < UTF8_MARK.length && !isLast) return;
      this.isAtStart = false;
      if (this.pending.subarray(0, 3).equals(UTF8_MARK)) this.pending = this.pending.subarray(3);
      else if (UTF16_MARKS.some((mark) => this.pending.subarray(0, 2).equals(mark))) {
        yield { line: 1, content: rowProblem("ENCODING_NOT_UTF8", null, "The file is UTF-16.") };
        this.pending = Buffer.alloc(0);
        this.isSkipping = true;
      }
    }
    while (this.pending.length > 0) {
      const record = this.isSkipping ? this.skipLine() : this.takeRecord(isLast);
      if (record === "INCOMPLETE") return;
      if (record && !isBlank(record.content)) yield record;
    }
  }

  /** Drops what is left of a line. */
  private skipLine(): undefined {
    const end = this.pending.indexOf(NEWLINE);
    this.isSkipping = end < 0;
    this.pending = end < 0 ? Buffer.alloc(0) : this.pending.subarray(end + 1);
    if (end >= 0) this.line++;
  }

  private takeRecord(isLast: boolean): FileRecord | "INCOMPLETE" {
    const end = this.format === "CSV" ? findEndOfRow(this.pending, isLast) : this.pending.indexOf(NEWLINE);
    const isEnded = end !== IN_QUOTES && end !== BROKEN && end >= 0;
    if (isEnded) return this.take(end, end + 1);
    if (end === BROKEN) return this.refuseLine(unclosed());
    if (this.pending.length > MAX_RECORD_BYTES) {
      const hasLines = this.pending.subarray(0, MAX_RECORD_BYTES).includes(NEWLINE);
      return this.refuseLine(end === IN_QUOTES && hasLines ? unclosed() : tooLong());
    }
    if (!isLast) return "INCOMPLETE";
    return end === IN_QUOTES ? this.refuseLine(unclosed()) : this.take(this.pending.length, this.pending.length);
  }

  private take(end: number, next: number): FileRecord {
    const content = this.pending.subarray(0, this.pending[end - 1] === RETURN ? end - 1 : end);
    const { line } = this;
    this.line += 1 + countNewlines(content);
    this.pending = this.pending.subarray(next);
    return { line, content: content.length > MAX_RECORD_BYTES ? tooLong() : content };
  }

  private refuseLine(content: RowProblem): FileRecord {
    this.isSkipping = true;
    return { line: this.line, content };
  }
}

const BROKEN = -3;
const IN_QUOTES = -2;

/**
 * The index of the newline that ends the first row; -1 if it does not end here, IN_QUOTES if it does not because of
 * quotes, and BROKEN if text follows closing quotes. Only a quote at the start of a cell opens quotes.
 */
function findEndOfRow(bytes: Buffer, isLast: boolean): number {
  let isInQuotes = false;
  let isCellStart = true;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (isInQuotes) {
      if (byte !== QUOTE) continue;
      const next = bytes[index + 1];
      if (next === QUOTE) index++;
      else if (next === undefined && !isLast) return IN_QUOTES;
      else if (next === undefined || next === COMMA || next === NEWLINE || next === RETURN) isInQuotes = false;
      else return BROKEN;
    } else if (byte === QUOTE && isCellStart) isInQuotes = true;
    else if (byte === NEWLINE) return index;
    isCellStart = byte === COMMA;
  }
  return isInQuotes ? IN_QUOTES : -1;
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

const isBlank = (content: FileRecord["content"]): boolean =>
  Buffer.isBuffer(content) && (content.length === 0 || content.toString("latin1").trim() === "");
