import { getNamedType, isLeafType, isNonNullType, type GraphQLField, type GraphQLObjectType } from "graphql";
import postgres from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { seedOrders } from "../../../bench/support/orders-seed.ts";
import { buildGatewaySchema } from "../../../src/graphql/schema.ts";
import { createBillingFixture } from "../../support/fixtures/billing-fixture.ts";
import { startGateway } from "../../support/test-gateway.ts";

const gateway = await startGateway();
const schema = buildGatewaySchema();

beforeAll(async () => {
  for (let index = 0; index < 12; index++) await createBillingFixture(gateway);
  const sql = postgres(gateway.databaseUrl, { max: 1 });
  const volume = { ordersEach: 30, lines: 3, customersEach: 30, productsEach: 30 };
  await seedOrders(sql, { vendorIds: [gateway.vendor.id], ...volume });
  await sql.end();
});

type Field = GraphQLField<unknown, unknown>;
const below = (field: Field) => getNamedType(field.type);
const fieldsOf = (type: string) => Object.values((schema.getType(type) as GraphQLObjectType).getFields());
const needsNothing = ({ args }: Field) => args.every(({ type }) => !isNonNullType(type));
const isConnection = (field: Field) => below(field).name.endsWith("Connection");

/** Every field of a type down to so many edges from it, without connections: those have statements of their own. */
function everythingOf(type: string, edges: number): string {
  const selected = fieldsOf(type).flatMap((field) => {
    if (isLeafType(below(field))) return [field.name];
    if (edges === 0 || isConnection(field) || !needsNothing(field)) return [];
    return [`${field.name} { ${everythingOf(below(field).name, edges - 1)} }`];
  });
  return ["__typename", ...selected].join(" ");
}

/** Runs a query, and counts its statements without the one that looks up the token. */
async function statementsOf(query: string): Promise<{ count: number; nodes: unknown[] }> {
  gateway.statements.length = 0;
  const data = await gateway.queryRawData(query);
  const { nodes } = Object.values<{ nodes: unknown[] }>(data)[0]!;
  return { count: gateway.statements.filter(({ text }) => !text.includes("api_keys")).length, nodes };
}

describe.each([
  ["customers", "Customer"],
  ["products", "Product"],
  ["pricePlans", "PricePlan"],
  ["orders", "Order"],
  ["subscriptions", "Subscription"],
  ["invoices", "Invoice"],
])("%s", (list, type) => {
  test.each([0, 1])(
    "with everything down to %i edges from a row cost one statement, whatever the page",
    async (edges) => {
      for (const size of [1, 50]) {
        const { count, nodes } = await statementsOf(
          `{ ${list}(first: ${size}) { nodes { ${everythingOf(type, edges)} } } }`,
        );
        expect(nodes.length).toBeGreaterThanOrEqual(Math.min(size, 12));
        expect(count).toBe(1);
      }
    },
  );

  test("are counted only where totalCount is selected", async () => {
    expect((await statementsOf(`{ ${list} { nodes { id } totalCount } }`)).count).toBe(2);
  });

  const nested = fieldsOf(type).filter(isConnection);
  if (nested.length > 0)
    test.each(nested.map(({ name }) => name))("get %s of all rows with one more statement", async (field) => {
      const { count } = await statementsOf(
        `{ ${list}(first: 50) { nodes { ${field}(first: 3) { edges { cursor } } } } }`,
      );
      expect(count).toBe(2);
    });
});

test("nodes of one type cost one statement, whatever their number", async () => {
  const { orders } = await gateway.queryData("{ orders(first: 30) { nodes { id } } }");
  const ids = orders.nodes.map(({ id }: { id: string }) => JSON.stringify(id)).join(" ");
  gateway.statements.length = 0;
  await gateway.queryRawData(`{ nodes(ids: [${ids}]) { ... on Order { code items { code } } } }`);
  expect(gateway.statements).toHaveLength(1);
});

describe("the rows of many parents are one statement", () => {
  const ids = async () => {
    const { orders } = await gateway.queryData("{ orders(first: 12) { nodes { id } } }");
    return JSON.stringify(orders.nodes.map(({ id }: { id: string }) => id));
  };
  const customers = (orders: string) => `{ customers(first: 12) { nodes { ${orders} } } }`;

  test.each([
    [
      "a variable includes or skips a field",
      customers("orders(first: 1) { nodes { code idKey @include(if: $is) } }"),
      2,
      (is: boolean) => is,
    ],
    [
      "a field is selected in two places",
      customers("orders(first: 1) { nodes { code } } orders(first: 1) { nodes { idKey @include(if: $is) } }"),
      2,
      (is: boolean) => is,
    ],
    [
      "a variable includes or skips a field of nodes",
      "{ nodes(ids: IDS) { ... on Order { code idKey @skip(if: $is) } } }",
      1,
      (is: boolean) => !is,
    ],
  ])("when %s", async (_, selection, statements, has) => {
    const query = `query ($is: Boolean = true) ${selection.replace("IDS", await ids())}`;
    for (const is of [true, false]) {
      gateway.statements.length = 0;
      const data = await gateway.queryRawData(query, { is });
      expect(gateway.statements.filter(({ text }) => !text.includes("api_keys"))).toHaveLength(statements);
      const [row] = data.nodes ?? data.customers.nodes[0].orders.nodes;
      expect("idKey" in row).toBe(has(is));
    }
  });
});
