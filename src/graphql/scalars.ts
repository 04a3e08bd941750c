/* Every scalar of the schema, and what those who read values by scalar need. */

export { GraphQLBigInt, GraphQLUUID } from "graphql-scalars";
export * from "./scalars/amounts.ts";
export * from "./scalars/codes.ts";
export { validatorOf, type InputLeafType } from "./scalars/create-scalar.ts";
export * from "./scalars/json-object.ts";
export { textRulesByScalar } from "./scalars/text-scalar.ts";
export * from "./scalars/texts.ts";
export * from "./scalars/times-and-counts.ts";

/** Maximum number of entries of any list in an input; some have lower limits. */
export const MAX_LIST_ENTRIES = 1_000;
export const TOO_MANY_ENTRIES_MESSAGE = `must have at most ${MAX_LIST_ENTRIES} entries.`;
