import { isInputObjectType, isInterfaceType, isObjectType, type GraphQLSchema } from "graphql";
import { listWords } from "../../kernel/suggestions.ts";

/** What graphql-js says of a name that there is none of, less what it suggests. */
const UNKNOWN_FIELD = /^Cannot query field "\w+" on type "(\w+)"\.$/;
const UNKNOWN_ARGUMENT = /^Unknown argument "\w+" on field "(\w+)\.(\w+)"\.$/;
const UNKNOWN_INPUT_FIELD = /^Field "\w+" is not defined by type "(\w+)"\.$/;

/**
 * The names that an unknown one stands among, as a sentence for those who may ask for the schema: graphql-js suggests only
 * names that look alike. Undefined for every other message, and where one looks alike.
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
