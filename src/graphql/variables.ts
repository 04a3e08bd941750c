import {
  coerceInputValue,
  isInputType,
  isNonNullType,
  typeFromAST,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { isTypeFault, type FieldFault } from "../kernel/errors.ts";

/** The path of a value as a sentence writes it: `input.items[1].priceId`. */
const pathText = (path: readonly (string | number)[]): string =>
  path.reduce<string>((text, key) => (typeof key === "number" ? `${text}[${key}]` : text ? `${text}.${key}` : key), "");

/**
 * Finds every fault in an operation's variables at once, each with its path. GraphQL itself would tell the same,
 * but in a prose that repeats the values, and a client could not mark the field.
 */
export function faultsOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): FieldFault[] {
  const faults: FieldFault[] = [];
  for (const { variable, type: typeNode, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode as never);
    if (!isInputType(type)) continue;
    const value = variables[name];
    if (value === undefined) {
      if (isNonNullType(type) && !defaultValue) faults.push({ path: name, code: "REQUIRED", message: "is required." });
      continue;
    }
    coerceInputValue(value, type, (path, _value, error) => {
      faults.push(faultOf([name, ...path], error.message));
    });
  }
  return faults;
}

function faultOf(path: (string | number)[], message: string): FieldFault {
  const missing = /^Field "(\w+)" of required type/.exec(message);
  if (missing) return { path: pathText([...path, missing[1]!]), code: "REQUIRED", message: "is required." };
  if (/non-nullable type/.test(message))
    return { path: pathText(path), code: "REQUIRED", message: "must not be null." };
  const unknown = /^Field "(\w+)" is not defined/.exec(message);
  if (unknown)
    return { path: pathText([...path, unknown[1]!]), code: "INVALID_VALUE", message: "is not a field of this input." };
  const word = /^Value .* does not exist in "(\w+)" enum/s.exec(message)?.[1];
  if (word) return { path: pathText(path), code: "INVALID_VALUE", message: `must be one of the words of ${word}.` };
  if (/ISO Duration/.test(message))
    return { path: pathText(path), code: "INVALID_VALUE", message: "must be an ISO 8601 duration such as P1D." };
  const ours = /^must /.test(message);
  const code = ours && !isTypeFault(message) ? "INVALID_VALUE" : "INVALID_TYPE";
  return { path: pathText(path), code, message: ours ? message : plainReason(message) };
}

/** GraphQL's own sentences, less the value that they repeat. */
function plainReason(message: string): string {
  const expected = /Expected type "(\w+)"/.exec(message)?.[1] ?? /^(\w+) cannot represent/.exec(message)?.[1];
  const word = /^Enum "(\w+)"/.exec(message)?.[1];
  return word ? `must be one of the words of ${word}.` : `must be a value of type ${expected ?? "the schema"}.`;
}
