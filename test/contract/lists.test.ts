import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  type GraphQLObjectType,
} from "graphql";
import { expect, test } from "vitest";
import { LIST_LENGTHS } from "../../src/graphql/limits/document-limits.ts";
import { buildGatewaySchema } from "../../src/graphql/schema.ts";

/** Whether the type has nested records. */
const leadsOn = (type: GraphQLObjectType) =>
  Object.values(type.getFields()).some(({ type: below }) => isCompositeType(getNamedType(below)));

test("every list of records that is no connection counts against the row limit", () => {
  const types = Object.values(buildGatewaySchema().getTypeMap()).filter(isObjectType);
  const uncounted = types
    .filter(({ name }) => !/^__|(?:Connection|Page)$/.test(name))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => {
          const list = getNullableType(field.type);
          const row: unknown = isListType(list) && getNullableType(list.ofType);
          return isObjectType(row) && leadsOn(row) && !(field.name in LIST_LENGTHS);
        })
        .map((field) => `${type.name}.${field.name}`),
    );
  expect({ "Say in LISTS of src/graphql/limits/document-limits.ts how long these are": uncounted }).toEqual({
    "Say in LISTS of src/graphql/limits/document-limits.ts how long these are": [],
  });
});
