import { isSafeNumber, parse } from "lossless-json";
import { invalid } from "./errors.ts";

/** Nothing that anyone sends nests deeper, and a parser that recurses must not be driven into the ground. */
const DEEPEST = 64;

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
  if (text.trim() === "") return undefined;
  if (depthOf(text) > DEEPEST) throw invalid("MALFORMED_JSON", `The body nests deeper than ${DEEPEST} levels.`);
  try {
    return parse(text, null, numberIn);
  } catch (error) {
    throw invalid("MALFORMED_JSON", `The body is not JSON: ${positionOf(error as Error)}.`);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid("MALFORMED_JSON", "The body is not UTF-8.");
  }
}

function depthOf(text: string): number {
  let [depth, deepest, quoted] = [0, 0, false];
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (quoted) {
      if (character === "\\") index++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "{" || character === "[") deepest = Math.max(deepest, ++depth);
    else if (character === "}" || character === "]") depth--;
  }
  return deepest;
}

/** Where the fault is, without repeating what was sent. */
function positionOf({ message }: Error): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  return `${/Duplicate key/.test(message) ? "a key stands twice" : "a syntax error"}${position ? ` at position ${position}` : ""}`;
}
