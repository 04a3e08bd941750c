import { isDeepStrictEqual } from "node:util";
import { isSafeNumber } from "lossless-json";
import { invalid } from "./refusals.ts";

/** Nothing that anyone sends nests deeper, and a parser that recurses must not be driven into the ground. */
const DEEPEST = 64;

/** Nothing that anyone sends holds more values; a megabyte could hold half a million. */
const MOST_VALUES = 50_000;

/** A number that a JavaScript number cannot hold as it was written: whoever reads it refuses it. */
export class UnsafeNumber {
  constructor(readonly text: string) {}
}

/** The number that a JSON text writes: a JavaScript number where that holds every digit. */
export const numberIn = (text: string): number | UnsafeNumber =>
  isSafeNumber(text) ? Number(text) : new UnsafeNumber(text);

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a JSON body without losing a digit. A key that stands twice with different values is refused:
 * nobody can tell which one was meant. An empty body is undefined.
 */
export function readJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  return text.trim() === "" ? undefined : new JsonReader(text).document();
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid("MALFORMED_JSON", "The body is not UTF-8.");
  }
}

const WORDS = [
  ["true", true],
  ["false", false],
  ["null", null],
] as const;

/**
 * A parser of RFC 8259. The one of the language loses digits and keys, and those of libraries read texts letter by letter:
 * a megabyte in one text costs them more than a request may.
 */
class JsonReader {
  private at = 0;
  private depth = 0;
  private values = 0;

  constructor(private readonly text: string) {}

  document(): unknown {
    const value = this.value();
    if (this.at < this.text.length) throw this.fault();
    return value;
  }

  /** The next value, and the blanks on both sides of it. */
  private value(): unknown {
    this.blanks();
    if (++this.values > MOST_VALUES) throw invalid("MALFORMED_JSON", `The body holds more than ${MOST_VALUES} values.`);
    const value = this.bare();
    this.blanks();
    return value;
  }

  private bare(): unknown {
    const first = this.text[this.at];
    if (first === '"') return this.string();
    if (first === "{") return this.nested(() => this.object());
    if (first === "[") return this.nested(() => this.array());
    for (const [word, value] of WORDS) {
      if (first === word[0] && this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    return this.number();
  }

  private nested<T>(read: () => T): T {
    if (++this.depth > DEEPEST) throw invalid("MALFORMED_JSON", `The body nests deeper than ${DEEPEST} levels.`);
    this.at++;
    const value = read();
    this.depth--;
    return value;
  }

  private object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    this.blanks();
    if (this.taken("}")) return object;
    do {
      this.blanks();
      const from = this.at;
      const key = this.string();
      this.blanks();
      if (!this.taken(":")) throw this.fault();
      const value = this.value();
      if (Object.hasOwn(object, key) && !isDeepStrictEqual(object[key], value))
        throw this.fault("a key stands twice", from);
      // Assigned, a key `__proto__` would not become one.
      if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true });
      else object[key] = value;
    } while (this.taken(","));
    if (!this.taken("}")) throw this.fault();
    return object;
  }

  private array(): unknown[] {
    const array: unknown[] = [];
    this.blanks();
    if (this.taken("]")) return array;
    do array.push(this.value());
    while (this.taken(","));
    if (!this.taken("]")) throw this.fault();
    return array;
  }

  private string(): string {
    if (this.text[this.at] !== '"') throw this.fault();
    const from = this.at;
    let end = from;
    let escaped = true;
    while (escaped) {
      end = this.text.indexOf('"', end + 1);
      if (end < 0) throw this.fault("a syntax error", from);
      let backslashes = 0;
      while (this.text[end - 1 - backslashes] === "\\") backslashes++;
      escaped = backslashes % 2 === 1;
    }
    this.at = end + 1;
    try {
      return JSON.parse(this.text.slice(from, this.at)) as string;
    } catch {
      throw this.fault("a syntax error", from);
    }
  }

  private number(): number | UnsafeNumber {
    const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    number.lastIndex = this.at;
    const written = number.exec(this.text)?.[0];
    if (written === undefined) throw this.fault();
    this.at = number.lastIndex;
    return numberIn(written);
  }

  private blanks(): void {
    const blanks = /[ \t\n\r]*/y;
    blanks.lastIndex = this.at;
    blanks.test(this.text);
    this.at = blanks.lastIndex;
  }

  private taken(sign: string): boolean {
    const found = this.text[this.at] === sign;
    if (found) this.at++;
    return found;
  }

  /** Where the fault is, without repeating what was sent. */
  private fault(what = "a syntax error", at = this.at) {
    return invalid("MALFORMED_JSON", `The body is not JSON: ${what} at position ${at}.`);
  }
}
