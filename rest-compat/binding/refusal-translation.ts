import { Refusal } from "../../src/kernel/refusals.ts";
const WORDS = /[A-Za-z_]\w*/g;

/** In a sentence, only a word of such a form is surely a name of the interface: `partnerOrderId`, `PAID`. */
const NAMES = /^(?:[a-z]+(?:[A-Z][a-z]*)+|[A-Z][A-Z_]+)$/;

/** The domain speaks neutral words; what it says of a REST request is told in the words of the wire. */
export function inWireWords(error: Error, wireWord: (word: string) => string): Error {
  if (!(error instanceof Refusal)) return error;
  const { fields, legal, ...rest } = error.details ?? {};
  const inPaths = new Set(fields?.flatMap(({ path }) => path.match(WORDS) ?? []));
  const worded = (sentence: string) =>
    sentence.replace(WORDS, (word) => (inPaths.has(word) || NAMES.test(word) ? wireWord(word) : word));
  return new Refusal(
    error.kind,
    error.code,
    worded(error.message),
    error.details && {
      ...rest,
      ...(fields && {
        fields: fields.map(({ path, code, message }) => ({ path: worded(path), code, message: worded(message) })),
      }),
      ...(legal && { legal: legal.map(wireWord) }),
    },
  );
}
