import { readFileSync } from "node:fs";
import { buildClientSchema, buildSchema, introspectionFromSchema } from "graphql";
import { expect, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { buildGatewaySchema } from "../../src/graphql/schema.ts";
import { printContracts } from "../../src/printed-contracts.ts";

test.each(printContracts())(
  "$file is up to date: otherwise run `npm run contracts` and read the diff",
  ({ file, text }) => {
    expect(readFileSync(projectFile(file), "utf8")).toBe(text);
  },
);

test.each([
  ["built from the printed SDL", () => buildSchema(readFileSync(projectFile("schema/schema.graphql"), "utf8"))],
  ["built from the introspection", () => buildClientSchema(introspectionFromSchema(buildGatewaySchema()))],
])("a schema %s has the root EventStream for subscriptions, and the billing type Subscription", (_, build) => {
  const schema = build();
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  expect(roots.map((root) => root?.name)).toEqual(["Query", "Mutation", "EventStream"]);
  expect(schema.getType("Subscription")?.toString()).toBe("Subscription");
});
