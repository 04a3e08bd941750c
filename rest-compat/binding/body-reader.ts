import { getNullableType, GraphQLError, isListType, isNonNullType, isScalarType, type GraphQLInputType } from "graphql";
import {
  checkOf,
  DecimalScalar,
  MOST_CURRENCIES,
  MOST_ENTRIES,
  textRules,
  TOO_MANY_ENTRIES,
  type Leaf,
} from "../../src/graphql/scalars.ts";
import { addFault, isTypeFault, type FieldFault } from "../../src/kernel/refusals.ts";
import { numberIn, UnsafeNumber } from "../../src/kernel/json-reader.ts";
import { mustBeOneOf } from "../../src/kernel/suggestions.ts";
import type { InputField } from "./input-fields.ts";
import type { Vocabulary } from "./wire-vocabulary.ts";

/** Reads a value of the wire into a variable; what is wrong with it goes to `faults`. */
export type Read = (value: unknown, path: string, faults: FieldFault[]) => unknown;

/** Adds a fault, and is no value. @throws a Refusal where there are so many that checking stops. */
export const fault = (faults: FieldFault[], path: string, code: FieldFault["code"], message: string): undefined => {
  addFault(faults, { path, code, message });
  return undefined;
};

/** Compiles the reader of a JSON object: the given fields, under their names on the wire. Other fields are ignored. */
export function objectReader(taken: readonly InputField[], vocabulary: Vocabulary): Read {
  const fields = taken.map((field) => ({
    name: field.name,
    wire: vocabulary.field(field.wire),
    read: fieldReader(field, vocabulary),
  }));
  return (value, path, faults) => {
    if (!isObject(value)) return fault(faults, path, "INVALID_TYPE", "must be a JSON object.");
    const read: Record<string, unknown> = {};
    for (const field of fields) {
      const given = Object.hasOwn(value, field.wire) ? value[field.wire] : undefined;
      const result = field.read(given, path ? `${path}.${field.wire}` : field.wire, faults);
      if (result !== undefined) read[field.name] = result;
    }
    return read;
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** A field with a default is not required; where it may not be null either, null means that it is absent. */
function fieldReader({ type, required, below }: InputField, vocabulary: Vocabulary): Read {
  if (required || !isNonNullType(type)) return readerOf(type, below, vocabulary);
  const read = readerOf(type.ofType, below, vocabulary);
  return (value, path, faults) => (value === null ? undefined : read(value, path, faults));
}

function readerOf(type: GraphQLInputType, below: InputField["below"], vocabulary: Vocabulary): Read {
  const required = isNonNullType(type);
  const read = nullableReader(getNullableType<GraphQLInputType>(type), below, vocabulary);
  return (value, path, faults) => {
    if (value !== undefined && value !== null) return read(value, path, faults);
    return required ? fault(faults, path, "REQUIRED", "is required.") : value;
  };
}

function nullableReader(type: GraphQLInputType, below: InputField["below"], vocabulary: Vocabulary): Read {
  if (isListType(type)) return listReader(readerOf(type.ofType, below, vocabulary));
  if (below) return objectReader(below, vocabulary);
  if (vocabulary.isClosed(type)) return wordReader(String(type), vocabulary);
  if (isScalarType(type)) {
    if (type.name === "ID") return numberReader(readId);
    if (type.name === "Decimal") return numberReader(readAmount);
    if (type.name === "CurrencyAmounts") return amountsReader(leafReader(type));
    if (numbers.has(type.name)) return numberReader(leafReader(type));
    if (type.name === "Boolean") return flagReader(leafReader(type));
    return type.name === "String" || textRules.has(type.name) ? textReader(leafReader(type)) : leafReader(type);
  }
  throw new Error(`The contract cannot carry ${String(type)}.`);
}

const listReader =
  (readItem: Read): Read =>
  (value, path, faults) => {
    if (!Array.isArray(value)) return fault(faults, path, "INVALID_TYPE", "must be an array.");
    if (value.length > MOST_ENTRIES) return fault(faults, path, "INVALID_VALUE", TOO_MANY_ENTRIES);
    return value.map((item, index) => readItem(item, `${path}[${index}]`, faults));
  };

/** Compiles the reader of one word of an enum. */
export const wordReader =
  (enumName: string, vocabulary: Vocabulary): Read =>
  (value, path, faults) => {
    if (typeof value !== "string") return fault(faults, path, "INVALID_TYPE", "must be a string.");
    const known = vocabulary.read(enumName, value);
    return known ?? fault(faults, path, "INVALID_VALUE", mustBeOneOf(vocabulary.values(enumName), value));
  };

/** The scalars that are numbers on the wire, besides ids and amounts. */
const numbers = new Set(["Int", "PositiveInt", "NonNegativeInt", "Rate"]);

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Some senders write numbers as text: what is a number of JSON between quotes is that number. */
const numberReader =
  (read: Read): Read =>
  (value, path, faults) =>
    read(typeof value === "string" && NUMBER.test(value) ? numberIn(value) : value, path, faults);

/** Some senders write booleans as text. */
const flagReader =
  (read: Read): Read =>
  (value, path, faults) =>
    read(value === "true" ? true : value === "false" ? false : value, path, faults);

/** Some senders write a text that looks like a number or a boolean without quotes: it is taken as its text. */
const textReader =
  (read: Read): Read =>
  (value, path, faults) => {
    if (value instanceof UnsafeNumber) return read(value.text, path, faults);
    return read(typeof value === "number" || typeof value === "boolean" ? String(value) : value, path, faults);
  };

/** Ids are JSON numbers, as they always were; GraphQL takes them as text. */
const readId: Read = (value, path, faults) => {
  const isNumber = typeof value === "number";
  if (!isNumber && !(value instanceof UnsafeNumber)) return fault(faults, path, "INVALID_TYPE", "must be a number.");
  if (!isNumber || !Number.isSafeInteger(value) || value < 1)
    return fault(faults, path, "INVALID_VALUE", "must be a whole number from 1 to 9007199254740991.");
  return String(value);
};

/** Amounts are JSON numbers. One that no JavaScript number can hold has too many digits. */
const readAmount: Read = (value, path, faults) => {
  if (value instanceof UnsafeNumber)
    return fault(faults, path, "INVALID_VALUE", "must have at most 15 significant digits and 6 decimals.");
  if (typeof value !== "number") return fault(faults, path, "INVALID_TYPE", "must be a number.");
  return leafReader(DecimalScalar)(value, path, faults);
};

/** Amounts by their currencies: each is a number here too; how many and which currencies there may be, the scalar knows. */
const amountsReader =
  (read: Read): Read =>
  (value, path, faults) => {
    if (!isObject(value)) return fault(faults, path, "INVALID_TYPE", "must be a JSON object.");
    // How many there may be is asked before any of them.
    if (Object.keys(value).length > MOST_CURRENCIES) return read(value, path, faults);
    const before = faults.length;
    for (const [currency, amount] of Object.entries(value))
      numberReader(readAmount)(amount, `${path}.${currency}`, faults);
    return faults.length === before ? read(value, path, faults) : undefined;
  };

const expectations: Readonly<Record<string, string>> = {
  Boolean: "must be true or false.",
  Int: "must be a whole number.",
  String: "must be a string.",
};

/** Compiles the reader of a scalar: its own rules and sentences. The value goes on as it was sent. */
export function leafReader(type: Leaf): Read {
  const { name } = type;
  const check = checkOf(type);
  return (value, path, faults) => {
    try {
      check(value instanceof UnsafeNumber ? Number(value.text) : value);
      return value;
    } catch (error) {
      const ours = error instanceof GraphQLError && /^must /.test(error.message);
      const message = ours ? error.message : (expectations[name] ?? `must be a value of type ${name}.`);
      const isType = !ours || isTypeFault(message);
      return fault(faults, path, isType ? "INVALID_TYPE" : "INVALID_VALUE", message);
    }
  };
}
