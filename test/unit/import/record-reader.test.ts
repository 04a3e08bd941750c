import fc from "fast-check";
import { expect, test } from "vitest";
import { readRecords, type FileFormat } from "../../../src/import/record-reader.ts";

/** The records of a file that arrives in pieces: `line: content`, or `line! code`. */
async function recordsOf(bytes: Buffer, format: FileFormat = "CSV", pieceLength = bytes.length || 1) {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
  }
  const records: string[] = [];
  for await (const { line, content } of readRecords(pieces(), format))
    records.push(Buffer.isBuffer(content) ? `${line}: ${content.toString()}` : `${line}! ${content.code}`);
  return records;
}

test.each([
  ["line ends of both kinds, and none at the end", "a,b\r\n1,2\n3,4", ["1: a,b", "2: 1,2", "3: 3,4"]],
  ["empty lines, which are left out", "a\n\n \nb\n", ["1: a", "4: b"]],
  ["a byte order mark", "\ufeffa\nb", ["1: a", "2: b"]],
  ["newlines and commas in quotes", 'a,"b\n,c"\nd', ['1: a,"b\n,c"', "3: d"]],
  ["doubled quotes", '"a ""b"", c"\nd', ['1: "a ""b"", c"', "2: d"]],
  ["quotes at the end of the file", 'a,"b"', ['1: a,"b"']],
  ["quotes within a cell, which open nothing", 'a 5" disk\nb', ['1: a 5" disk', "2: b"]],
  ["text after closing quotes, which costs one line", 'x\n"a"b,c\nd', ["1: x", "2! QUOTES_NOT_CLOSED", "3: d"]],
  [
    "quotes that are never closed, which cost one line",
    'x\n"a,b\nc\nd',
    ["1: x", "2! QUOTES_NOT_CLOSED", "3: c", "4: d"],
  ],
])("readRecords reads %s", async (_title, text, expected) => {
  const bytes = Buffer.from(text);
  for (const length of [bytes.length, 1, 2, 3]) expect(await recordsOf(bytes, "CSV", length)).toEqual(expected);
});

test("readRecords refuses a line of 10 MB and reads the next one", async () => {
  const long = "x".repeat(10_000_000);
  for (const format of ["CSV", "JSON_LINES"] as const)
    expect(await recordsOf(Buffer.from(`a\n${long}\nb`), format, 65_536)).toEqual(["1: a", "2! LINE_TOO_LONG", "3: b"]);
  expect(await recordsOf(Buffer.from(`a\n"${long}\nb`), "CSV", 65_536)).toEqual(["1: a", "2! LINE_TOO_LONG", "3: b"]);
});

test("readRecords refuses quotes that no line of a long file closes", async () => {
  const rest = Array.from({ length: 300_000 }, (_, index) => `row ${index}`);
  const records = await recordsOf(Buffer.from(`a\n"open\n${rest.join("\n")}`), "CSV", 65_536);
  expect(records.slice(0, 4)).toEqual(["1: a", "2! QUOTES_NOT_CLOSED", "3: row 0", "4: row 1"]);
  expect(records).toHaveLength(300_002);
});

test("readRecords refuses UTF-16", async () => {
  expect(await recordsOf(Buffer.from("\ufeffa,b\nc,d", "utf16le"))).toEqual(["1! ENCODING_NOT_UTF8"]);
});

test("readRecords reads the same records however the file is cut", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", ",", '"', "\n", "\r", " "), maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (written, length) => {
      const bytes = Buffer.from(written);
      expect(await recordsOf(bytes, "CSV", length)).toEqual(await recordsOf(bytes));
    }),
  );
});
