import {
  coerceInputValue,
  isEnumType,
  isInputType,
  isNonNullType,
  typeFromAST,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { addFieldError, isTypeErrorMessage, type FieldError } from "../../kernel/refusals.ts";
import { MAX_NUMBER_LENGTH } from "../../kernel/amounts.ts";
import { UnsafeNumber } from "../../kernel/json-reader.ts";
import { itemAt } from "../../kernel/required-values.ts";
import { mustBeOneOfSentence } from "../../kernel/suggestions.ts";
import { knownNamesSentence } from "../errors/known-names.ts";
import { MAX_LIST_ENTRIES, TOO_MANY_ENTRIES_MESSAGE } from "../scalars.ts";

/** The path of a value as a sentence writes it: `input.items[1].priceId`. */
const formatPath = (path: readonly (string | number)[]): string =>
  path.reduce<string>((text, key) => (typeof key === "number" ? `${text}[${key}]` : text ? `${text}.${key}` : key), "");

/** Maximum length of any text in an input: custom fields, the longest ones, have fewer characters in all. */
const MAX_TEXT_LENGTH = 20_000;

/** Finds a value that is too long to validate: checking it would cost more than its answer is worth. */
export function findOversizedValue(value: unknown, path: readonly (string | number)[]): FieldError | undefined {
  const fieldError = (message: string): FieldError => ({ path: formatPath(path), code: "INVALID_VALUE", message });
  if (typeof value === "string")
    return value.length > MAX_TEXT_LENGTH ? fieldError(`must have at most ${MAX_TEXT_LENGTH} characters.`) : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof UnsafeNumber)
    return value.text.length > MAX_NUMBER_LENGTH
      ? fieldError(`must have at most ${MAX_NUMBER_LENGTH} digits.`)
      : undefined;
  const entries = Object.entries(value);
  if (entries.length > MAX_LIST_ENTRIES) return fieldError(TOO_MANY_ENTRIES_MESSAGE);
  for (const [key, item] of entries) {
    if (key.length > MAX_TEXT_LENGTH) return fieldError(`must have keys of at most ${MAX_TEXT_LENGTH} characters.`);
    const nestedError = findOversizedValue(item, [...path, Array.isArray(value) ? Number(key) : key]);
    if (nestedError) return nestedError;
  }
  return undefined;
}

/**
 * Finds the validation errors of an operation's variables, each with its path. GraphQL itself reports the same, but in
 * messages that repeat the values, and without a path by which a client can mark the field.
 * @throws a Refusal with the errors found so far when their number reaches the limit.
 */
export function variableErrorsOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
  mayNameSchema: boolean,
): FieldError[] {
  const fieldErrors: FieldError[] = [];
  for (const { variable, type: typeNode, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type)) continue;
    const value = variables[name];
    if (value === undefined) {
      if (isNonNullType(type) && !defaultValue)
        addFieldError(fieldErrors, { path: name, code: "REQUIRED", message: "is required." });
      continue;
    }
    const oversized = findOversizedValue(value, [name]);
    if (oversized) {
      addFieldError(fieldErrors, oversized);
      continue;
    }
    coerceInputValue(value, type, (path, _value, error) => {
      const message = mayNameSchema ? withKnownNames(schema, error.message) : removeSuggestion(error.message);
      addFieldError(fieldErrors, toFieldError(schema, [name, ...path], message));
    });
  }
  return fieldErrors;
}

/** Names of the schema are suggested only to callers who may read all of it. */
const removeSuggestion = (message: string): string => message.replace(/ Did you mean [^]*\?$/, "");

/** The message of graphql-js for an unknown name, with all valid names if it suggests none. */
export function withKnownNames(schema: GraphQLSchema, message: string): string {
  const names = knownNamesSentence(schema, message);
  return names === undefined ? message : `${message} ${names}`;
}

/** Turns the message of graphql-js for a wrong value into a field error with its path and without the value. */
export function toFieldError(schema: GraphQLSchema, path: readonly (string | number)[], message: string): FieldError {
  const fieldError = (code: FieldError["code"], sentence: string, at = path): FieldError => ({
    path: formatPath(at),
    code,
    message: sentence,
  });
  const missingField = /^Field "(?:\w+\.)?(\w+)" of required type/.exec(message);
  if (missingField) return fieldError("REQUIRED", "is required.", [...path, itemAt(missingField, 1)]);
  if (/non-nullable type|^Expected value of type "[^"]*!", found null/.test(message))
    return fieldError("REQUIRED", "must not be null.");
  const unknownField = /^Field "(\w+)" is not defined by type "\w+"\.(.*)$/s.exec(message);
  if (unknownField) {
    return fieldError("INVALID_VALUE", `is not a field of this input.${itemAt(unknownField, 2)}`, [
      ...path,
      itemAt(unknownField, 1),
    ]);
  }
  const enumName = /^Value .* does not exist in "(\w+)" enum/s.exec(message) ?? /^Enum "(\w+)" cannot/.exec(message);
  if (enumName) {
    const isText = /^Value "|non-enum value: "/.test(message);
    return fieldError(
      isText ? "INVALID_VALUE" : "INVALID_TYPE",
      enumValuesSentence(schema, itemAt(enumName, 1), message),
    );
  }
  if (/ISO Duration/.test(message)) return fieldError("INVALID_VALUE", "must be an ISO 8601 duration such as P1D.");
  const isOwnSentence = /^must /.test(message);
  const code = isOwnSentence && !isTypeErrorMessage(message) ? "INVALID_VALUE" : "INVALID_TYPE";
  return fieldError(code, isOwnSentence ? message : expectationSentence(message));
}

/** The values of an enum, and the nearest one; a value that is not a text has none near. */
function enumValuesSentence(schema: GraphQLSchema, name: string, message: string): string {
  const type = schema.getType(name);
  const words = isEnumType(type) ? type.getValues().map((value) => value.name) : [];
  const sent = /^Value "([^"]*)"/s.exec(message)?.[1] ?? /non-enum value: "([^"]*)"/s.exec(message)?.[1];
  return mustBeOneOfSentence(words, sent);
}

/** GraphQL's own sentences, less the value that they repeat. */
function expectationSentence(message: string): string {
  const name =
    /Expected (?:value of )?type "([\w[\]!]+)"/.exec(message)?.[1] ?? /^(\w+) cannot represent/.exec(message)?.[1];
  return (name && expectations[name.replace(/!$/, "")]) ?? `must be a value of type ${name ?? "the schema"}.`;
}

/** The expected form of the schema's own scalars. */
const expectations: Readonly<Record<string, string>> = {
  ID: "must be an id: a string or a whole number.",
  Boolean: "must be true or false.",
  Int: "must be a whole number from -2147483648 to 2147483647.",
  String: "must be a string.",
};
