import suggestions from "graphql/jsutils/suggestionList.js";

/** How many words a sentence lists at most. */
const MAX_LISTED_WORDS = 50;

/** Longer texts are compared with nothing: no word of ours is near them. */
const MAX_COMPARED_LENGTH = 64;

/** The word that was probably meant, or undefined where none is near. */
export const nearestWord = (word: string, words: readonly string[]): string | undefined =>
  word.length > MAX_COMPARED_LENGTH ? undefined : suggestions.suggestionList(word, words)[0];

/** Up to 50 of the words that there are, as a sentence lists them. */
export function listWords(words: readonly string[]): string {
  const omitted = words.length - MAX_LISTED_WORDS;
  return words.slice(0, MAX_LISTED_WORDS).join(", ") + (omitted > 0 ? ` (and ${omitted} more)` : "");
}

/** Says which words there are, for a value that is none of them: up to 50 of all, and the nearest. */
export function mustBeOneOfSentence(words: readonly string[], value?: unknown): string {
  const suggestion = typeof value === "string" ? nearestWord(value, words) : undefined;
  return `must be one of ${listWords(words)}.${suggestion === undefined ? "" : ` Did you mean ${suggestion}?`}`;
}
