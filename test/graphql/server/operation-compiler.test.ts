import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import {
  getNamedType,
  getOperationAST,
  Kind,
  OperationTypeNode,
  parse,
  type DocumentNode,
  type GraphQLObjectType,
} from "graphql";
import postgres from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import type { RawData } from "../../support/raw-data.ts";
import { seedOrders } from "../../../bench/support/orders-seed.ts";
import { removeWireDirectives } from "../../../rest-compat/binding/wire-directives.ts";
import { compileOperation } from "../../../src/graphql/execution/operation-compiler.ts";
import { fragmentsOf } from "../../../src/graphql/documents/root-fields.ts";
import { buildGatewaySchema } from "../../../src/graphql/schema.ts";
import { projectFile } from "../../../src/kernel/project-files.ts";
import { createBillingFixture, type BillingFixture } from "../../support/fixtures/billing-fixture.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { PROPERTY_SEED } from "../../support/property-tests.ts";
import { arbitrarySelection } from "../../support/random-selections.ts";

const gateway = await startGateway();
const schema = buildGatewaySchema();
let billing: BillingFixture;

beforeAll(async () => {
  billing = await createBillingFixture(gateway);
  await createBillingFixture(gateway);
  const sql = postgres(gateway.databaseUrl, { max: 1 });
  const volume = { ordersEach: 5, lines: 3, customersEach: 5, productsEach: 5 };
  await seedOrders(sql, { vendorIds: [gateway.vendor.id], ...volume });
  await sql.end();
});

const compiled = (document: DocumentNode, name?: string) => {
  const operation = getOperationAST(document, name)!;
  return compileOperation(schema, operation, Object.fromEntries(fragmentsOf(document)));
};

/** The first runs of a document use graphql-js, those after the second are compiled: callers see no difference. */
async function sameAnswers(query: string, variables: Record<string, unknown> = {}) {
  const told: string[] = [];
  for (let run = 0; run < 3; run++) {
    const { data, errors } = await gateway.sendRawGraphQL(query, variables);
    const said = errors?.map(({ extensions: { traceId: _its, ...extensions }, ...error }) => ({
      ...error,
      extensions,
    }));
    told.push(JSON.stringify({ data, errors: said }));
  }
  expect(told[2]).toBe(told[0]);
  return JSON.parse(told[0]!) as { data: RawData; errors?: unknown[] };
}

describe("a compiled query", () => {
  const lists = ["customers", "products", "pricePlans", "orders", "subscriptions", "invoices", "payments"];
  const places = [
    // The records are passed on as the database's text, unless they are selected in two places.
    ["nodes", (selection: string) => `nodes { ${selection} }`],
    ["edges", (selection: string) => `edges { cursor node { ${selection} } }`],
    ["nodes and edges", (selection: string) => `nodes { ${selection} } edges { cursor node { id } }`],
  ] as const;
  test.each(lists.flatMap((list) => places.map(([place, select]) => [place, list, select] as const)))(
    "answers what graphql-js does, for any selection of %s of %s",
    async (_place, list, select) => {
      const connection = getNamedType(schema.getQueryType()!.getFields()[list]!.type) as GraphQLObjectType;
      const node = getNamedType(connection.getFields()["nodes"]!.type) as GraphQLObjectType;
      await fc.assert(
        fc.asyncProperty(arbitrarySelection(node, 2), async (selection) => {
          const query = `{ ${list}(first: 3) { totalCount pageInfo { hasNextPage endCursor } ${select(selection)} } }`;
          const { data } = await sameAnswers(query);
          if (data) expect(compiled(parse(query))).toBeDefined();
        }),
        { seed: PROPERTY_SEED, numRuns: 15 },
      );
    },
  );

  test("reads its variables, also within inputs", async () => {
    const query = `query ($first: Int!, $keyword: Keyword, $by: OrderSortField = CREATED_AT) {
      orders(first: $first, filter: { keyword: $keyword, type: ONE_TIME }, orderBy: { field: $by, direction: ASC }) { nodes { code } } }`;
    for (const variables of [{ first: 2 }, { first: 3, keyword: "Customer 1" }, { first: 1, by: "CREATED_AT" }])
      await sameAnswers(query, variables);
    expect(compiled(parse(query))).toBeDefined();
  });

  test("that fails gives the errors of graphql-js", async () => {
    const order = `order(id: "${billing.billingOrderId}") { code }`;
    expect((await sameAnswers(`{ ${order} wrong: order(id: "no id") { code } }`)).errors).toHaveLength(1);
    expect(
      (await sameAnswers("query ($first: Int) { orders(first: $first) { nodes { code } } }", { first: 101 })).errors,
    ).toBeDefined();
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty", "then"])(
    "answers under the alias %s the same as under any other",
    async (alias) => {
      const { data } = await sameAnswers(
        `{ ${alias}: orders(first: 1) { ${alias}: nodes { ${alias}: code code } totalCount } }`,
      );
      const read = (value: object) => Object.getOwnPropertyDescriptor(value, alias)?.value;
      const [{ code, ...order }] = read(read(data));
      expect(read(order)).toBe(code);
      expect(code).toMatch(/^order_/);
    },
  );

  test("that meets an outage is answered 503 with Retry-After, like every other", async () => {
    const sql = postgres(gateway.databaseUrl, { max: 1, onnotice: () => undefined });
    const ask = () =>
      gateway.gateway.server.inject({
        method: "POST",
        url: "/graphql",
        headers: { "secret-token": gateway.vendor.token, "content-type": "application/json" },
        payload: { query: "{ outage: invoices(first: 1) { nodes { id } } }" },
      });
    for (let run = 0; run < 3; run++) expect((await ask()).statusCode).toBe(200);
    await sql.unsafe(`create function away() returns boolean language plpgsql as $$ begin raise exception 'away' using errcode = '57P03'; end $$;
      alter table invoices enable row level security; alter table invoices force row level security; create policy away on invoices using (away());`);
    const answers = [await ask(), await ask()];
    await sql.unsafe("drop policy away on invoices; alter table invoices disable row level security");
    await sql.end();
    for (const { statusCode, headers, json } of answers) {
      expect([statusCode, headers["retry-after"]]).toEqual([503, "1"]);
      expect(json()).toMatchObject({ data: null, errors: [{ path: ["outage"], extensions: { code: "UNAVAILABLE" } }] });
    }
  });

  test("is made from every stored query of REST", () => {
    for (const file of readdirSync(projectFile("rest-compat")).filter((name) => name.endsWith(".graphql"))) {
      const document = removeWireDirectives(parse(readFileSync(projectFile(`rest-compat/${file}`), "utf8")));
      for (const definition of document.definitions) {
        if (definition.kind !== Kind.OPERATION_DEFINITION || definition.operation !== OperationTypeNode.QUERY) continue;
        expect(compiled(document, definition.name?.value), definition.name?.value).toBeDefined();
      }
    }
  });

  test.each([
    ["directives", "query ($no: Boolean!) { orders(first: 1) { nodes { code idKey @skip(if: $no) } } }", { no: true }],
    ["interfaces", `query ($id: ID!) { node(id: $id) { id } }`, { id: "T3JkZXI6MQ" }],
    ["introspection", '{ __type(name: "Order") { name } }', {}],
  ])("is not made from %s", async (_what, query, variables) => {
    expect(compiled(parse(query))).toBeUndefined();
    await sameAnswers(query, variables);
  });
});
