import suggestions from "graphql/jsutils/suggestionList.js";

/** How many words a sentence lists at most. */
const MOST_WORDS = 50;

/** Longer texts are compared with nothing: no word of ours is near them. */
const LONGEST = 64;

/** The word that was probably meant, or undefined where none is near. */
export const nearest = (word: string, words: readonly string[]): string | undefined =>
  word.length > LONGEST ? undefined : suggestions.suggestionList(word, words)[0];

/** Says which words there are, for a value that is none of them: the nearest first, then up to 50 of all. */
export function mustBeOneOf(words: readonly string[], value?: unknown): string {
  const near = typeof value === "string" ? nearest(value, words) : undefined;
  const more = words.length - MOST_WORDS;
  const list = words.slice(0, MOST_WORDS).join(", ") + (more > 0 ? ` (and ${more} more)` : "");
  return `must be one of ${list}.${near === undefined ? "" : ` Did you mean ${near}?`}`;
}
