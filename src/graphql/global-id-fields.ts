import { GraphQLID, GraphQLNonNull, isObjectType, type GraphQLField, type GraphQLSchema } from "graphql";
import { projectedField } from "./execution/projected-fields.ts";
import { toGlobalId } from "./record-ids.ts";
import { GLOBAL_ID } from "./node.ts";

/**
 * Adds a global id to every type whose records have numbers, so that a cache can key them all alike. Parts of records,
 * such as refunds and the items of a subscription, are not nodes: they are read with their parent.
 */
export function addGlobalIdFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    const fields = type.getFields();
    if (fields["databaseId"] && !fields["id"]) fields["id"] = globalIdField(type.name);
  }
  return schema;
}

const globalIdField = (type: string): GraphQLField<{ databaseId: number }, unknown> => ({
  name: "id",
  description: GLOBAL_ID,
  type: new GraphQLNonNull(GraphQLID),
  args: [],
  resolve: ({ databaseId }) => toGlobalId(type, databaseId),
  subscribe: undefined,
  deprecationReason: undefined,
  extensions: projectedField({ globalIdOf: type }),
  astNode: undefined,
});
