import { maskCardNumbers } from "./secrets/card-mask.ts";

/** A path as a sentence writes it, cut into its keys: `items[1].priceId`. */
const PATH_KEYS = /[^.[\]]+/g;

/** Names of values that no answer repeats. */
const SECRET_NAME = /password|secret|token|key$|credential/i;

/** Card data is never quoted, however wrong it is. */
const CARD_PATH = /(?:^|\.)card\./;

/** Placeholders for values that are not scalars. */
const [ARRAY_PLACEHOLDER, OBJECT_PLACEHOLDER] = ["[…]", "{…}"];

/** Maximum length of a quoted text. */
const MAX_QUOTED_LENGTH = 80;

/** The value at a path within the arguments or the body of a request; undefined if none was sent. */
export function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const key of path.match(PATH_KEYS) ?? []) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/**
 * The part of a value that an answer may quote: a scalar, truncated and without card numbers, or a placeholder for
 * other values. Undefined for an absent value and for secrets.
 */
export function quotableValue(path: string, value: unknown): string | number | boolean | null | undefined {
  const names = path.match(PATH_KEYS) ?? [];
  if (value === undefined || CARD_PATH.test(path) || names.some((name) => SECRET_NAME.test(name))) return undefined;
  if (Array.isArray(value)) return ARRAY_PLACEHOLDER;
  if (typeof value === "string") return quoteText(value);
  if (typeof value === "object" && value !== null)
    return "text" in value ? quoteText(String(value.text)) : OBJECT_PLACEHOLDER;
  return value as number | boolean | null;
}

function quoteText(text: string): string {
  // The user and password in an address are never quoted, because callers log answers.
  const start = maskCardNumbers(text.slice(0, MAX_QUOTED_LENGTH)).replace(/\/\/[^/\s]*@/g, "//…@");
  return text.length > MAX_QUOTED_LENGTH ? `${start}…` : start;
}

/** The sentence about the received value, from its quotable part. */
export const receivedSentence = (quoted: string | number | boolean | null): string =>
  ` Received ${quoted === ARRAY_PLACEHOLDER || quoted === OBJECT_PLACEHOLDER ? quoted : JSON.stringify(quoted)}.`;
