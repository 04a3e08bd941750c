import { getNullableType, isListType, isScalarType, type GraphQLInputType } from "graphql";
import { textRules } from "../../src/graphql/scalars.ts";
import type { FieldFault } from "../../src/kernel/refusals.ts";
import { dayIn, readInstant } from "../../src/kernel/instants.ts";
import { mustBeOneOf } from "../../src/kernel/suggestions.ts";
import { fault, leafReader, wordReader } from "./body-reader.ts";
import type { QueryParameter } from "./route.ts";
import type { Vocabulary } from "./wire-vocabulary.ts";

/** Reads the text of a parameter into a variable, for a vendor of a zone; what is wrong with it goes to `faults`. */
type ReadText = (text: string, path: string, faults: FieldFault[], zoneId: string) => unknown;

/** Compiles the reader of a query parameter by the type of its variable. One of a list takes one word of it. */
export function queryReader(parameter: QueryParameter, type: GraphQLInputType, vocabulary: Vocabulary): ReadText {
  const nullable = getNullableType<GraphQLInputType>(type);
  if (isListType(nullable)) return queryReader(parameter, nullable.ofType, vocabulary);
  if (vocabulary.isClosed(nullable)) {
    const { words } = parameter;
    return words ? mappedWordReader(words, vocabulary) : wordReader(String(nullable), vocabulary);
  }
  if (isScalarType(nullable)) {
    if (nullable.name === "Boolean") return readFlag;
    if (nullable.name === "DateTime") return timeReader(parameter.day);
    if (nullable.name === "Int") return numberReader(parameter);
    if (textRules.has(nullable.name)) return leafReader(nullable);
  }
  throw new Error(`No query parameter of type ${String(nullable)} can be read.`);
}

const readFlag: ReadText = (text, path, faults) =>
  text === "true" || text === "false" ? text === "true" : fault(faults, path, "INVALID_TYPE", "must be true or false.");

/** The largest number of the type Int. */
const INT32_MAX = 2_147_483_647;

function numberReader({ least = -INT32_MAX, most = INT32_MAX }: QueryParameter): ReadText {
  return (text, path, faults) => {
    if (!/^-?\d+$/.test(text)) return fault(faults, path, "INVALID_TYPE", "must be a whole number.");
    const number = Number(text);
    if (number >= least && number <= most) return number;
    return fault(faults, path, "INVALID_VALUE", `must be from ${least} to ${most}.`);
  };
}

function mappedWordReader(words: Readonly<Record<string, string>>, vocabulary: Vocabulary): ReadText {
  const meanings = new Map(Object.entries(words).map(([word, meaning]) => [vocabulary.field(word), meaning]));
  const known = [...meanings.keys()];
  return (text, path, faults) => meanings.get(text) ?? fault(faults, path, "INVALID_VALUE", mustBeOneOf(known, text));
}

/** A plus that was not encoded arrives as a space; before an offset nothing else can have been meant. */
const plusRestored = (text: string): string => text.replace(/ (?=\d{2}:\d{2}$)/, "+");

function timeReader(day: QueryParameter["day"]): ReadText {
  return (text, path, faults, zoneId) => {
    try {
      const whole = day && dayIn(text, zoneId);
      const instant = whole ? (day === "FIRST" ? whole.first : whole.last) : readInstant(plusRestored(text));
      return instant.toISOString();
    } catch (error) {
      if (error instanceof RangeError) return fault(faults, path, "INVALID_VALUE", error.message);
      throw error;
    }
  };
}
