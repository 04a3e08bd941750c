import { isInputObjectType, isInterfaceType, isObjectType, type GraphQLSchema } from "graphql";
import { listWords } from "../../kernel/suggestions.ts";

/** The message of graphql-js for an unknown name, without its suggestion. */
const UNKNOWN_FIELD = /^Cannot query field "\w+" on type "(\w+)"\.$/;
const UNKNOWN_ARGUMENT = /^Unknown argument "\w+" on field "(\w+)\.(\w+)"\.$/;
const UNKNOWN_INPUT_FIELD = /^Field "\w+" is not defined by type "(\w+)"\.$/;

/**
 * Lists the valid names in place of an unknown one, for callers who may read the schema: graphql-js suggests only
 * similar names. Undefined for every other message, and if there is a similar name.
 */
export function knownNamesSentence(schema: GraphQLSchema, message: string): string | undefined {
  const [, parent, field] =
    UNKNOWN_FIELD.exec(message) ?? UNKNOWN_ARGUMENT.exec(message) ?? UNKNOWN_INPUT_FIELD.exec(message) ?? [];
  const type = parent === undefined ? undefined : schema.getType(parent);
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return undefined;
  if (field === undefined) return `Its fields are ${listWords(Object.keys(type.getFields()))}.`;
  if (isInputObjectType(type)) return undefined;
  const args = type.getFields()[field]?.args.map(({ name }) => name) ?? [];
  return args.length === 0 ? "It has no arguments." : `Its arguments are ${listWords(args)}.`;
}
