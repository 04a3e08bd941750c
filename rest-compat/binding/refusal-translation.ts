import { Refusal } from "../../src/kernel/refusals.ts";
const WORD_PATTERN = /[A-Za-z_]\w*/g;

/** In a sentence, only a word of such a form is surely a name of the interface: `partnerOrderId`, `PAID`. */
const NAME_PATTERN = /^(?:[a-z]+(?:[A-Z][a-z]*)+|[A-Z][A-Z_]+)$/;

/** Translates a refusal from neutral words to those of the wire. */
export function translateRefusal(error: Error, wireWord: (word: string) => string): Error {
  if (!(error instanceof Refusal)) return error;
  const { fields, legal, ...rest } = error.details ?? {};
  const wordsInPaths = new Set(fields?.flatMap(({ path }) => path.match(WORD_PATTERN) ?? []));
  const translate = (sentence: string) =>
    sentence.replace(WORD_PATTERN, (word) =>
      wordsInPaths.has(word) || NAME_PATTERN.test(word) ? wireWord(word) : word,
    );
  return new Refusal(
    error.kind,
    error.code,
    translate(error.message),
    error.details && {
      ...rest,
      ...(fields && {
        fields: fields.map(({ path, code, message }) => ({ path: translate(path), code, message: translate(message) })),
      }),
      ...(legal && { legal: legal.map(wireWord) }),
    },
  );
}
