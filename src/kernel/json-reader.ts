import { isDeepStrictEqual } from "node:util";
import { isSafeNumber } from "lossless-json";
import { invalid } from "./refusals.ts";

/** Nothing that anyone sends nests deeper, and a parser that recurses must not be driven into the ground. */
const MAX_DEPTH = 64;

/** Well above any real request; a megabyte could contain half a million values. */
const MAX_VALUES = 50_000;

/** A number that a JavaScript number cannot represent exactly: its reader refuses it. */
export class UnsafeNumber {
  constructor(readonly text: string) {}
}

/** The value of a JSON number literal: a JavaScript number if that represents every digit. */
export const parseNumberLiteral = (text: string): number | UnsafeNumber =>
  isSafeNumber(text) ? Number(text) : new UnsafeNumber(text);

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a JSON body without losing a digit. A repeated key with different values is refused as ambiguous. An empty body
 * is undefined.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  return text.trim() === "" ? undefined : new JsonParser(text).readDocument();
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid("MALFORMED_JSON", "The body is not UTF-8.");
  }
}

const JSON_LITERALS = [
  ["true", true],
  ["false", false],
  ["null", null],
] as const;

/**
 * A parser of RFC 8259. The built-in one loses digits and keys, and library parsers read texts character by character:
 * a megabyte in one text costs them more than a request may.
 */
class JsonParser {
  private position = 0;
  private depth = 0;
  private valueCount = 0;

  constructor(private readonly text: string) {}

  readDocument(): unknown {
    const value = this.readValue();
    if (this.position < this.text.length) throw this.syntaxRefusal();
    return value;
  }

  /** The next value, and the blanks on both sides of it. */
  private readValue(): unknown {
    this.skipWhitespace();
    if (++this.valueCount > MAX_VALUES) throw invalid("MALFORMED_JSON", `The body has more than ${MAX_VALUES} values.`);
    const value = this.readUnpaddedValue();
    this.skipWhitespace();
    return value;
  }

  private readUnpaddedValue(): unknown {
    const first = this.text[this.position];
    if (first === '"') return this.readString();
    if (first === "{") return this.readNested(() => this.readObject());
    if (first === "[") return this.readNested(() => this.readArray());
    for (const [word, value] of JSON_LITERALS) {
      if (first === word[0] && this.text.startsWith(word, this.position)) {
        this.position += word.length;
        return value;
      }
    }
    return this.readNumber();
  }

  private readNested<T>(read: () => T): T {
    if (++this.depth > MAX_DEPTH) throw invalid("MALFORMED_JSON", `The body has more than ${MAX_DEPTH} levels.`);
    this.position++;
    const value = read();
    this.depth--;
    return value;
  }

  private readObject(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.skipWhitespace();
    if (this.skipIf("}")) return object;
    do {
      this.skipWhitespace();
      const from = this.position;
      const key = this.readString();
      this.skipWhitespace();
      if (!this.skipIf(":")) throw this.syntaxRefusal();
      const value = this.readValue();
      if (Object.hasOwn(object, key) && !isDeepStrictEqual(object[key], value))
        throw this.syntaxRefusal("a duplicate key", from);
      // Assigned, a key `__proto__` would not become one.
      if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true });
      else object[key] = value;
    } while (this.skipIf(","));
    if (!this.skipIf("}")) throw this.syntaxRefusal();
    return object;
  }

  private readArray(): unknown[] {
    const array: unknown[] = [];
    this.skipWhitespace();
    if (this.skipIf("]")) return array;
    do array.push(this.readValue());
    while (this.skipIf(","));
    if (!this.skipIf("]")) throw this.syntaxRefusal();
    return array;
  }

  private readString(): string {
    if (this.text[this.position] !== '"') throw this.syntaxRefusal();
    const from = this.position;
    let end = from;
    let escaped = true;
    while (escaped) {
      end = this.text.indexOf('"', end + 1);
      if (end < 0) throw this.syntaxRefusal("a syntax error", from);
      let backslashes = 0;
      while (this.text[end - 1 - backslashes] === "\\") backslashes++;
      escaped = backslashes % 2 === 1;
    }
    this.position = end + 1;
    try {
      return JSON.parse(this.text.slice(from, this.position)) as string;
    } catch {
      throw this.syntaxRefusal("a syntax error", from);
    }
  }

  private readNumber(): number | UnsafeNumber {
    const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    number.lastIndex = this.position;
    const written = number.exec(this.text)?.[0];
    if (written === undefined) throw this.syntaxRefusal();
    this.position = number.lastIndex;
    return parseNumberLiteral(written);
  }

  private skipWhitespace(): void {
    const blanks = /[ \t\n\r]*/y;
    blanks.lastIndex = this.position;
    blanks.test(this.text);
    this.position = blanks.lastIndex;
  }

  private skipIf(sign: string): boolean {
    const found = this.text[this.position] === sign;
    if (found) this.position++;
    return found;
  }

  /** The position of the error, without the sent text. */
  private syntaxRefusal(problem = "a syntax error", position = this.position) {
    return invalid("MALFORMED_JSON", `The body is not JSON: ${problem} at position ${position}.`);
  }
}
