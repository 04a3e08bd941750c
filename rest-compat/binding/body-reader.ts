import { getNullableType, GraphQLError, isListType, isNonNullType, isScalarType, type GraphQLInputType } from "graphql";
import {
  validatorOf,
  DecimalScalar,
  MAX_CURRENCIES,
  MAX_LIST_ENTRIES,
  textRulesByScalar,
  TOO_MANY_ENTRIES_MESSAGE,
  type InputLeafType,
} from "../../src/graphql/scalars.ts";
import { addFieldError, isTypeErrorMessage, type FieldError } from "../../src/kernel/refusals.ts";
import { parseNumberLiteral, UnsafeNumber } from "../../src/kernel/json-reader.ts";
import { mustBeOneOfSentence } from "../../src/kernel/suggestions.ts";
import type { InputField } from "./input-fields.ts";
import type { WireVocabulary } from "./wire-vocabulary.ts";

/** Reads a value of the wire into a variable; adds errors to `errors`. */
export type ReadWireValue = (value: unknown, path: string, errors: FieldError[]) => unknown;

/** Adds a fault, and is no value. @throws a Refusal where there are so many that checking stops. */
export const reportFieldError = (
  errors: FieldError[],
  path: string,
  code: FieldError["code"],
  message: string,
): undefined => {
  addFieldError(errors, { path, code, message });
  return undefined;
};

/** Compiles the reader of a JSON object: the given fields, under their wire names. Other fields are ignored. */
export function compileObjectReader(inputFields: readonly InputField[], vocabulary: WireVocabulary): ReadWireValue {
  const fields = inputFields.map((field) => ({
    name: field.name,
    wire: vocabulary.toWireField(field.wireName),
    read: compileFieldReader(field, vocabulary),
  }));
  return (value, path, errors) => {
    if (!isPlainObject(value)) return reportFieldError(errors, path, "INVALID_TYPE", "must be a JSON object.");
    const read: Record<string, unknown> = {};
    for (const field of fields) {
      const sentValue = Object.hasOwn(value, field.wire) ? value[field.wire] : undefined;
      const result = field.read(sentValue, path ? `${path}.${field.wire}` : field.wire, errors);
      if (result !== undefined) read[field.name] = result;
    }
    return read;
  };
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** A field with a default is not required; where it may not be null either, null means that it is absent. */
function compileFieldReader({ type, required, nested }: InputField, vocabulary: WireVocabulary): ReadWireValue {
  if (required || !isNonNullType(type)) return compileReader(type, nested, vocabulary);
  const read = compileReader(type.ofType, nested, vocabulary);
  return (value, path, errors) => (value === null ? undefined : read(value, path, errors));
}

function compileReader(type: GraphQLInputType, below: InputField["nested"], vocabulary: WireVocabulary): ReadWireValue {
  const required = isNonNullType(type);
  const read = compileNonNullReader(getNullableType<GraphQLInputType>(type), below, vocabulary);
  return (value, path, errors) => {
    if (value !== undefined && value !== null) return read(value, path, errors);
    return required ? reportFieldError(errors, path, "REQUIRED", "is required.") : value;
  };
}

function compileNonNullReader(
  type: GraphQLInputType,
  below: InputField["nested"],
  vocabulary: WireVocabulary,
): ReadWireValue {
  if (isListType(type)) return compileListReader(compileReader(type.ofType, below, vocabulary));
  if (below) return compileObjectReader(below, vocabulary);
  if (vocabulary.isClosedList(type)) return compileEnumReader(String(type), vocabulary);
  if (isScalarType(type)) {
    if (type.name === "ID") return compileNumberReader(readIdNumber);
    if (type.name === "Decimal") return compileNumberReader(readAmountNumber);
    if (type.name === "CurrencyAmounts") return compileCurrencyAmountsReader(compileScalarReader(type));
    if (numericScalars.has(type.name)) return compileNumberReader(compileScalarReader(type));
    if (type.name === "Boolean") return compileBooleanReader(compileScalarReader(type));
    return type.name === "String" || textRulesByScalar.has(type.name)
      ? compileTextReader(compileScalarReader(type))
      : compileScalarReader(type);
  }
  throw new Error(`The contract cannot carry ${String(type)}.`);
}

const compileListReader =
  (readItem: ReadWireValue): ReadWireValue =>
  (value, path, errors) => {
    if (!Array.isArray(value)) return reportFieldError(errors, path, "INVALID_TYPE", "must be an array.");
    if (value.length > MAX_LIST_ENTRIES)
      return reportFieldError(errors, path, "INVALID_VALUE", TOO_MANY_ENTRIES_MESSAGE);
    return value.map((item, index) => readItem(item, `${path}[${index}]`, errors));
  };

/** Compiles the reader of one word of an enum. */
export const compileEnumReader =
  (enumName: string, vocabulary: WireVocabulary): ReadWireValue =>
  (value, path, errors) => {
    if (typeof value !== "string") return reportFieldError(errors, path, "INVALID_TYPE", "must be a string.");
    const enumValue = vocabulary.fromWireEnumValue(enumName, value);
    return (
      enumValue ??
      reportFieldError(errors, path, "INVALID_VALUE", mustBeOneOfSentence(vocabulary.wireValuesOf(enumName), value))
    );
  };

/** The scalars that are numbers on the wire, in addition to ids and amounts. */
const numericScalars = new Set(["Int", "PositiveInt", "NonNegativeInt", "Rate"]);

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Some senders write numbers as text: what is a number of JSON between quotes is that number. */
const compileNumberReader =
  (read: ReadWireValue): ReadWireValue =>
  (value, path, errors) =>
    read(typeof value === "string" && JSON_NUMBER.test(value) ? parseNumberLiteral(value) : value, path, errors);

/** Some senders write booleans as text. */
const compileBooleanReader =
  (read: ReadWireValue): ReadWireValue =>
  (value, path, errors) =>
    read(value === "true" ? true : value === "false" ? false : value, path, errors);

/** Some senders write a text that looks like a number or a boolean without quotes: it is taken as its text. */
const compileTextReader =
  (read: ReadWireValue): ReadWireValue =>
  (value, path, errors) => {
    if (value instanceof UnsafeNumber) return read(value.text, path, errors);
    return read(typeof value === "number" || typeof value === "boolean" ? String(value) : value, path, errors);
  };

/** Ids are JSON numbers, as they always were; GraphQL takes them as text. */
const readIdNumber: ReadWireValue = (value, path, errors) => {
  const isNumber = typeof value === "number";
  if (!isNumber && !(value instanceof UnsafeNumber))
    return reportFieldError(errors, path, "INVALID_TYPE", "must be a number.");
  if (!isNumber || !Number.isSafeInteger(value) || value < 1)
    return reportFieldError(errors, path, "INVALID_VALUE", "must be a whole number from 1 to 9007199254740991.");
  return String(value);
};

/** Amounts are JSON numbers. One that a JavaScript number cannot represent has too many digits. */
const readAmountNumber: ReadWireValue = (value, path, errors) => {
  if (value instanceof UnsafeNumber)
    return reportFieldError(errors, path, "INVALID_VALUE", "must have at most 15 significant digits and 6 decimals.");
  if (typeof value !== "number") return reportFieldError(errors, path, "INVALID_TYPE", "must be a number.");
  return compileScalarReader(DecimalScalar)(value, path, errors);
};

/** Amounts by currency: each is a number here too; the scalar limits their number and the currencies. */
const compileCurrencyAmountsReader =
  (read: ReadWireValue): ReadWireValue =>
  (value, path, errors) => {
    if (!isPlainObject(value)) return reportFieldError(errors, path, "INVALID_TYPE", "must be a JSON object.");
    // The number of entries is checked before any of them.
    if (Object.keys(value).length > MAX_CURRENCIES) return read(value, path, errors);
    const errorCountBefore = errors.length;
    for (const [currency, amount] of Object.entries(value))
      compileNumberReader(readAmountNumber)(amount, `${path}.${currency}`, errors);
    return errors.length === errorCountBefore ? read(value, path, errors) : undefined;
  };

const typeErrorSentences: Readonly<Record<string, string>> = {
  Boolean: "must be true or false.",
  Int: "must be a whole number.",
  String: "must be a string.",
};

/** Compiles the reader of a scalar: its own rules and messages. The value is passed on as it was sent. */
export function compileScalarReader(type: InputLeafType): ReadWireValue {
  const { name } = type;
  const validate = validatorOf(type);
  return (value, path, errors) => {
    try {
      validate(value instanceof UnsafeNumber ? Number(value.text) : value);
      return value;
    } catch (error) {
      const isOwnSentence = error instanceof GraphQLError && /^must /.test(error.message);
      const message = isOwnSentence ? error.message : (typeErrorSentences[name] ?? `must be a value of type ${name}.`);
      const isType = !isOwnSentence || isTypeErrorMessage(message);
      return reportFieldError(errors, path, isType ? "INVALID_TYPE" : "INVALID_VALUE", message);
    }
  };
}
