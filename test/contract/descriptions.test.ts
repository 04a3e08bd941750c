import { isEnumType, isInputObjectType, isInterfaceType, isObjectType } from "graphql";
import { expect, test } from "vitest";
import { buildGatewaySchema } from "../../src/graphql/schema.ts";

test("every type, field and argument of the schema has a description", () => {
  const silent: string[] = [];
  const check = (path: string, { description }: { description?: string | null }) => {
    if (!description || !/[.…]$/.test(description.trim())) silent.push(path);
  };
  for (const type of Object.values(buildGatewaySchema().getTypeMap())) {
    if (
      type.name.startsWith("__") ||
      ["Query", "Mutation", "String", "Int", "Boolean", "ID", "Float"].includes(type.name)
    )
      continue;
    if (!isScalar(type.name)) check(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) check(`${type.name}.${field.name}`, field);
  }
  for (const root of [buildGatewaySchema().getQueryType()!, buildGatewaySchema().getMutationType()!]) {
    for (const field of Object.values(root.getFields())) {
      check(`${root.name}.${field.name}`, field);
      for (const argument of field.args) check(`${root.name}.${field.name}(${argument.name})`, argument);
    }
  }
  expect(silent, "write a full sentence that says meaning, shape, units and errors").toEqual([]);
});

/** Scalars of graphql-scalars have their own descriptions. */
const isScalar = (name: string): boolean => ["BigInt", "Duration", "UUID"].includes(name);
