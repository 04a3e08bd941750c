import {
  coerceInputValue,
  isEnumType,
  isInputType,
  isNonNullType,
  typeFromAST,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { addFault, isTypeFault, type FieldFault } from "../kernel/refusals.ts";
import { LONGEST_NUMBER } from "../kernel/amounts.ts";
import { UnsafeNumber } from "../kernel/json-reader.ts";
import { mustBeOneOf } from "../kernel/suggestions.ts";
import { legalNames } from "./errors/known-names.ts";
import { MOST_ENTRIES, TOO_MANY_ENTRIES } from "./scalars.ts";

/** The path of a value as a sentence writes it: `input.items[1].priceId`. */
const pathText = (path: readonly (string | number)[]): string =>
  path.reduce<string>((text, key) => (typeof key === "number" ? `${text}[${key}]` : text ? `${text}.${key}` : key), "");

/** How long any text of an input may be: custom fields, the longest that there is, have fewer characters in all. */
const LONGEST_TEXT = 20_000;

/** What is too long to be looked at, whatever it is for: checking it would cost more than its answer is worth. */
function endlessIn(value: unknown, path: readonly (string | number)[]): FieldFault | undefined {
  const wrong = (message: string): FieldFault => ({ path: pathText(path), code: "INVALID_VALUE", message });
  if (typeof value === "string")
    return value.length > LONGEST_TEXT ? wrong(`must have at most ${LONGEST_TEXT} characters.`) : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof UnsafeNumber)
    return value.text.length > LONGEST_NUMBER ? wrong(`must have at most ${LONGEST_NUMBER} digits.`) : undefined;
  const entries = Object.entries(value);
  if (entries.length > MOST_ENTRIES) return wrong(TOO_MANY_ENTRIES);
  for (const [key, inner] of entries) {
    if (key.length > LONGEST_TEXT) return wrong(`must have keys of at most ${LONGEST_TEXT} characters.`);
    const fault = endlessIn(inner, [...path, Array.isArray(value) ? Number(key) : key]);
    if (fault) return fault;
  }
  return undefined;
}

/**
 * Finds the faults in an operation's variables, each with its path. GraphQL itself would tell the same,
 * but in a prose that repeats the values, and a client could not mark the field.
 * @throws a Refusal with those that were found where there are so many that checking stops.
 */
export function faultsOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
  suggests: boolean,
): FieldFault[] {
  const faults: FieldFault[] = [];
  for (const { variable, type: typeNode, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode as never);
    if (!isInputType(type)) continue;
    const value = variables[name];
    if (value === undefined) {
      if (isNonNullType(type) && !defaultValue)
        addFault(faults, { path: name, code: "REQUIRED", message: "is required." });
      continue;
    }
    const endless = endlessIn(value, [name]);
    if (endless) {
      addFault(faults, endless);
      continue;
    }
    coerceInputValue(value, type, (path, _value, error) => {
      const message = suggests ? withNames(schema, error.message) : withoutSuggestion(error.message);
      addFault(faults, faultOf(schema, [name, ...path], message));
    });
  }
  return faults;
}

/** Names of the schema are suggested only to those who may ask for all of them. */
const withoutSuggestion = (message: string): string => message.replace(/ Did you mean [^]*\?$/, "");

/** What graphql-js says of an unknown name, with all that there are where it suggests none. */
export function withNames(schema: GraphQLSchema, message: string): string {
  const names = legalNames(schema, message);
  return names === undefined ? message : `${message} ${names}`;
}

/** What graphql-js says of a wrong value, in our words and without the value, at its path. */
export function faultOf(schema: GraphQLSchema, path: readonly (string | number)[], message: string): FieldFault {
  const fault = (code: FieldFault["code"], sentence: string, at = path): FieldFault => ({
    path: pathText(at),
    code,
    message: sentence,
  });
  const missing = /^Field "(?:\w+\.)?(\w+)" of required type/.exec(message);
  if (missing) return fault("REQUIRED", "is required.", [...path, missing[1]!]);
  if (/non-nullable type|^Expected value of type "[^"]*!", found null/.test(message))
    return fault("REQUIRED", "must not be null.");
  const unknown = /^Field "(\w+)" is not defined by type "\w+"\.(.*)$/s.exec(message);
  if (unknown) {
    return fault("INVALID_VALUE", `is not a field of this input.${unknown[2]!}`, [...path, unknown[1]!]);
  }
  const word = /^Value .* does not exist in "(\w+)" enum/s.exec(message) ?? /^Enum "(\w+)" cannot/.exec(message);
  if (word) {
    const isText = /^Value "|non-enum value: "/.test(message);
    return fault(isText ? "INVALID_VALUE" : "INVALID_TYPE", wordsSentence(schema, word[1]!, message));
  }
  if (/ISO Duration/.test(message)) return fault("INVALID_VALUE", "must be an ISO 8601 duration such as P1D.");
  const ours = /^must /.test(message);
  const code = ours && !isTypeFault(message) ? "INVALID_VALUE" : "INVALID_TYPE";
  return fault(code, ours ? message : plainReason(message));
}

/** The words of an enum, and the nearest one; what is no text at all has none near. */
function wordsSentence(schema: GraphQLSchema, name: string, message: string): string {
  const type = schema.getType(name);
  const words = isEnumType(type) ? type.getValues().map((value) => value.name) : [];
  const sent = /^Value "([^"]*)"/s.exec(message)?.[1] ?? /non-enum value: "([^"]*)"/s.exec(message)?.[1];
  return mustBeOneOf(words, sent);
}

/** GraphQL's own sentences, less the value that they repeat. */
function plainReason(message: string): string {
  const name =
    /Expected (?:value of )?type "([\w[\]!]+)"/.exec(message)?.[1] ?? /^(\w+) cannot represent/.exec(message)?.[1];
  return (name && expectations[name.replace(/!$/, "")]) ?? `must be a value of type ${name ?? "the schema"}.`;
}

/** What values of the schema's own scalars look like. */
const expectations: Readonly<Record<string, string>> = {
  ID: "must be an id: a text or a whole number.",
  Boolean: "must be true or false.",
  Int: "must be a whole number from -2147483648 to 2147483647.",
  String: "must be a text.",
};
