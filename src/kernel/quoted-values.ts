import { maskCardNumbers } from "./card-mask.ts";

/** A path as a sentence writes it, cut into its keys: `items[1].priceId`. */
const KEYS = /[^.[\]]+/g;

/** Names of values that no answer repeats. */
const SECRET = /password|secret|token|key$|credential/i;

/** What is written on a card is nobody's to repeat, however wrong it is. */
const CARD = /(?:^|\.)card\./;

/** What stands for values that are no scalars. */
const [ARRAY, OBJECT] = ["[…]", "{…}"];

/** What is quoted of a long text. */
const QUOTED_LENGTH = 80;

/** The value at a path within the arguments or the body of a request; undefined where nothing was sent. */
export function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const key of path.match(KEYS) ?? []) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/**
 * What an answer may repeat of a value: a scalar, cut and without card numbers, or a word for what else it is. Undefined for
 * what was not sent and for secrets.
 */
export function quotable(path: string, value: unknown): string | number | boolean | null | undefined {
  const names = path.match(KEYS) ?? [];
  if (value === undefined || CARD.test(path) || names.some((name) => SECRET.test(name))) return undefined;
  if (Array.isArray(value)) return ARRAY;
  if (typeof value === "string") return quotedText(value);
  if (typeof value === "object" && value !== null) return "text" in value ? quotedText(String(value.text)) : OBJECT;
  return value as number | boolean | null;
}

function quotedText(text: string): string {
  // The user and password of an address are nobody's to read, not even in a log of the caller's.
  const start = maskCardNumbers(text.slice(0, QUOTED_LENGTH)).replace(/\/\/[^/\s]*@/g, "//…@");
  return text.length > QUOTED_LENGTH ? `${start}…` : start;
}

/** The sentence that says what was received, given what may be repeated of it. */
export const receivedSentence = (quoted: string | number | boolean | null): string =>
  ` Received ${quoted === ARRAY || quoted === OBJECT ? quoted : JSON.stringify(quoted)}.`;
