import suggestions from "graphql/jsutils/suggestionList.js";

/** How many words a sentence lists at most. */
const MOST_WORDS = 50;

/** Longer texts are compared with nothing: no word of ours is near them. */
const LONGEST = 64;

/** The word that was probably meant, or undefined where none is near. */
export const nearest = (word: string, words: readonly string[]): string | undefined =>
  word.length > LONGEST ? undefined : suggestions.suggestionList(word, words)[0];

/** Up to 50 of the words that there are, as a sentence lists them. */
export function listed(words: readonly string[]): string {
  const more = words.length - MOST_WORDS;
  return words.slice(0, MOST_WORDS).join(", ") + (more > 0 ? ` (and ${more} more)` : "");
}

/** Says which words there are, for a value that is none of them: up to 50 of all, and the nearest. */
export function mustBeOneOf(words: readonly string[], value?: unknown): string {
  const near = typeof value === "string" ? nearest(value, words) : undefined;
  return `must be one of ${listed(words)}.${near === undefined ? "" : ` Did you mean ${near}?`}`;
}
