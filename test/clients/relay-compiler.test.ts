import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { startGateway } from "../support/test-gateway.ts";
import { registerCustomers } from "./listening-gateway.ts";

const gateway = await startGateway();
const project = await mkdtemp(join(tmpdir(), "recoup-relay-"));
afterAll(() => rm(project, { recursive: true, force: true }));

const require = createRequire(import.meta.url);

/** The program of the package for this machine. */
const compiler = require("relay-compiler") as string;

/** A component that pages through the customers, and one that pages through a list of a node. */
const source = `
graphql\`
  query customersQuery { ...customers_list }
\`;
graphql\`
  fragment customers_list on Query
  @argumentDefinitions(first: { type: "Int", defaultValue: 2 }, after: { type: "String" })
  @refetchable(queryName: "customersPageQuery") {
    coverCustomers(first: $first, after: $after) @connection(key: "customers_coverCustomers") {
      edges { node { name ...customers_orders } }
    }
  }
\`;
graphql\`
  fragment customers_orders on CoverCustomer
  @argumentDefinitions(first: { type: "Int", defaultValue: 2 }, after: { type: "String" })
  @refetchable(queryName: "customersOrdersPageQuery") {
    orders(first: $first, after: $after) @connection(key: "customers_orders") { edges { node { status } } }
  }
\`;
graphql\`
  mutation customersMutation($input: RegisterCoverCustomerInput!, $connections: [ID!]!) {
    registerCoverCustomer(input: $input) {
      customer @appendNode(connections: $connections, edgeTypeName: "CoverCustomerEdge") { name }
    }
  }
\`;
`;

/** Compiles the project, and returns the text of a generated operation. */
async function compile(): Promise<(name: string) => Promise<string>> {
  await mkdir(join(project, "src"));
  await copyFile("schema/schema.graphql", join(project, "schema.graphql"));
  await writeFile(join(project, "src/customers.js"), source);
  const config = { src: "./src", schema: "./schema.graphql", language: "javascript", eagerEsModules: true };
  await writeFile(join(project, "relay.config.json"), JSON.stringify(config));
  await promisify(execFile)(compiler, ["relay.config.json"], { cwd: project });
  return async (name) => {
    const artifact = await readFile(join(project, `src/__generated__/${name}.graphql.js`), "utf8");
    return JSON.parse(/"text": (".*")/.exec(artifact)![1]!) as string;
  };
}

test("relay-compiler pages through the connections of the schema, of the query and of a node, and its operations run", async () => {
  const textOf = await compile();
  await registerCustomers(gateway, 3);
  const first = (await gateway.queryRawData(await textOf("customersQuery"))).coverCustomers;
  const after = first.pageInfo.endCursor;
  const second = (await gateway.queryRawData(await textOf("customersPageQuery"), { first: 2, after })).coverCustomers;
  const names = [...first.edges, ...second.edges].map(({ node }) => node.name);
  expect(names).toEqual(["Customer 3", "Customer 2", "Customer 1"]);
  const { node } = await gateway.queryRawData(await textOf("customersOrdersPageQuery"), {
    first: 2,
    id: first.edges[0].node.id,
  });
  expect(node.orders.edges).toEqual([]);
  expect(await textOf("customersMutation")).toContain("registerCoverCustomer(input: $input)");
});
