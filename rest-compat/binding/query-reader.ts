import { getNullableType, isListType, isScalarType, type GraphQLInputType } from "graphql";
import { textRulesByScalar } from "../../src/graphql/scalars.ts";
import type { FieldError } from "../../src/kernel/refusals.ts";
import { dayBoundsInZone, parseIsoInstant } from "../../src/kernel/instants.ts";
import { mustBeOneOfSentence } from "../../src/kernel/suggestions.ts";
import { reportFieldError, compileScalarReader, compileEnumReader } from "./body-reader.ts";
import type { QueryParameter } from "./route.ts";
import type { WireVocabulary } from "./wire-vocabulary.ts";

/** Reads the text of a parameter into a variable, for a vendor of a zone; what is wrong with it goes to `faults`. */
type ReadQueryText = (text: string, path: string, errors: FieldError[], zoneId: string) => unknown;

/** Compiles the reader of a query parameter by the type of its variable. A list takes one word, or several by its route. */
export function compileQueryReader(
  parameter: QueryParameter,
  type: GraphQLInputType,
  vocabulary: WireVocabulary,
): ReadQueryText {
  const nullable = getNullableType<GraphQLInputType>(type);
  if (isListType(nullable)) {
    const readOne = compileQueryReader(parameter, nullable.ofType, vocabulary);
    return parameter.isList ? compileListReader(readOne) : readOne;
  }
  if (vocabulary.isClosedList(nullable)) {
    const { enumMapping } = parameter;
    return enumMapping
      ? compileMappedEnumReader(enumMapping, vocabulary)
      : compileEnumReader(String(nullable), vocabulary);
  }
  if (isScalarType(nullable)) {
    if (nullable.name === "Boolean") return readBoolean;
    // A position that an earlier answer gave: the list itself checks it.
    if (nullable.name === "String") return (text) => text;
    if (nullable.name === "DateTime") return compileTimeReader(parameter.dayBoundary);
    if (nullable.name === "Int") return compileIntegerReader(parameter);
    if (textRulesByScalar.has(nullable.name)) return compileScalarReader(nullable);
  }
  throw new Error(`No query parameter of type ${String(nullable)} can be read.`);
}

/** Reads words that are separated by commas. Only the first wrong one is reported. */
const compileListReader =
  (readOne: ReadQueryText): ReadQueryText =>
  (text, path, errors, zoneId) => {
    const before = errors.length;
    return text
      .split(",")
      .map((word) => (errors.length > before ? undefined : readOne(word.trim(), path, errors, zoneId)));
  };

const readBoolean: ReadQueryText = (text, path, errors) =>
  text === "true" || text === "false"
    ? text === "true"
    : reportFieldError(errors, path, "INVALID_TYPE", "must be true or false.");

/** The largest number of the type Int. */
const INT32_MAX = 2_147_483_647;

function compileIntegerReader({ min = -INT32_MAX, max = INT32_MAX }: QueryParameter): ReadQueryText {
  return (text, path, errors) => {
    if (!/^-?\d+$/.test(text)) return reportFieldError(errors, path, "INVALID_TYPE", "must be a whole number.");
    const number = Number(text);
    if (number >= min && number <= max) return number;
    return reportFieldError(errors, path, "INVALID_VALUE", `must be from ${min} to ${max}.`);
  };
}

function compileMappedEnumReader(words: Readonly<Record<string, string>>, vocabulary: WireVocabulary): ReadQueryText {
  const meanings = new Map(Object.entries(words).map(([word, meaning]) => [vocabulary.toWireField(word), meaning]));
  const wireWords = [...meanings.keys()];
  return (text, path, errors) =>
    meanings.get(text) ?? reportFieldError(errors, path, "INVALID_VALUE", mustBeOneOfSentence(wireWords, text));
}

/** A plus that was not encoded arrives as a space; before an offset nothing else can have been meant. */
const restorePlus = (text: string): string => text.replace(/ (?=\d{2}:\d{2}$)/, "+");

function compileTimeReader(day: QueryParameter["dayBoundary"]): ReadQueryText {
  return (text, path, errors, zoneId) => {
    try {
      const dayBounds = day && dayBoundsInZone(text, zoneId);
      const instant = dayBounds
        ? day === "FIRST"
          ? dayBounds.first
          : dayBounds.last
        : parseIsoInstant(restorePlus(text));
      return instant.toISOString();
    } catch (error) {
      if (error instanceof RangeError) return reportFieldError(errors, path, "INVALID_VALUE", error.message);
      throw error;
    }
  };
}
