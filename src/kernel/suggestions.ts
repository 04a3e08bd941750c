import suggestions from "graphql/jsutils/suggestionList.js";

/** Maximum number of words in a sentence. */
const MAX_LISTED_WORDS = 50;

/** Longer texts are not compared: no word is near them. */
const MAX_COMPARED_LENGTH = 64;

/** The word that was probably meant, or undefined where none is near. */
export const nearestWord = (word: string, words: readonly string[]): string | undefined =>
  word.length > MAX_COMPARED_LENGTH ? undefined : suggestions.suggestionList(word, words)[0];

/** Lists up to 50 words in a sentence. */
export function listWords(words: readonly string[]): string {
  const omitted = words.length - MAX_LISTED_WORDS;
  return words.slice(0, MAX_LISTED_WORDS).join(", ") + (omitted > 0 ? ` (and ${omitted} more)` : "");
}

/** Lists the valid words for a wrong value: up to 50 of all, and the nearest. */
export function mustBeOneOfSentence(words: readonly string[], value?: unknown): string {
  const suggestion = typeof value === "string" ? nearestWord(value, words) : undefined;
  return `must be one of ${listWords(words)}.${suggestion === undefined ? "" : ` Did you mean ${suggestion}?`}`;
}
