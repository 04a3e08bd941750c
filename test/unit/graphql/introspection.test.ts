import { getIntrospectionQuery, parse } from "graphql";
import { expect, test } from "vitest";
import { createExecutor } from "../../../src/graphql/execution/executor.ts";
import { IntrospectionGuard } from "../../../src/graphql/documents/introspection.ts";
import { buildGatewaySchema } from "../../../src/graphql/schema.ts";

const schema = buildGatewaySchema();
const execute = createExecutor(schema, new IntrospectionGuard(schema, true));
const told = async (query: string) => (await execute({ document: parse(query) })).data;

test("a tool's introspection is computed once, whatever the name of its operation", async () => {
  const first = await told(getIntrospectionQuery());
  expect(await told(getIntrospectionQuery().replace("IntrospectionQuery", "Describe"))).toBe(first);
  expect(await told(getIntrospectionQuery({ descriptions: false }))).not.toBe(first);
});

test("the cache has a few answers only, the most recently used ones", async () => {
  const first = await told(getIntrospectionQuery());
  for (let index = 0; index < 10; index++) {
    await told(`{ __schema { a${index}: types { name } } }`);
    if (index < 4) expect(await told(getIntrospectionQuery())).toBe(first);
  }
  expect(await told(getIntrospectionQuery())).not.toBe(first);
});
