import suggestions from "graphql/jsutils/suggestionList.js";

/** Longer texts are compared with nothing: no word of ours is near them. */
const LONGEST = 64;

/** The word that was probably meant, or undefined where none is near. */
export const nearest = (word: string, words: readonly string[]): string | undefined =>
  word.length > LONGEST ? undefined : suggestions.suggestionList(word, words)[0];
