import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generate } from "@graphql-codegen/cli";
import { afterAll, expect, test } from "vitest";
import { type GraphQLScalarType, isScalarType, isSpecifiedScalarType } from "graphql";
import config from "../../docs/codegen.ts";
import { buildGatewaySchema } from "../../src/graphql/schema.ts";
import { projectFile } from "../../src/kernel/project-files.ts";
import { TestCatalogue } from "../support/test-catalogue.ts";
import { registerCoverOrder, registerCoverFixture } from "../support/fixtures/cover-fixture.ts";
import { clientFolder, compiled, removeFolder } from "./compiled-client.ts";
import { listeningGateway } from "./listening-gateway.ts";

const { gateway, url } = await listeningGateway();
const folder = await clientFolder();
afterAll(() => removeFolder(folder));

/** The configuration that the documentation offers. */
const output = config.generates["src/graphql/"] as { preset: "client"; config: { scalars: Record<string, unknown> } };

/** The query of a dashboard, besides the examples of the documentation. */
const operations = `
  query LatestOrders($first: Int!, $status: OrderItemStatus) {
    orders(first: $first, filter: { status: $status }) {
      totalCount
      nodes { code amount customer { name } items { type product { code } } }
    }
  }
  query Renewals($customerId: ID!) {
    subscriptions(first: 5, filter: { customerId: $customerId }) { nodes { ...Renewal } }
  }
  fragment Renewal on Subscription { code nextPaymentDate }
  mutation Order($input: CreateOrderInput!) {
    createOrder(input: $input) { order { code amount createdAt } }
  }
`;

const consumer = `
import { LatestOrdersDocument, OrderDocument, RenewalsDocument, ReportFailureDocument, RunningRecoveriesDocument } from "./graphql.js";
import type { TypedDocumentString } from "./graphql.js";

export function dashboard(url: string, token: string) {
  async function ask<Result, Variables>(document: TypedDocumentString<Result, Variables>, variables: Variables): Promise<Result> {
    const headers = { "content-type": "application/json", "secret-token": token };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ query: document.toString(), variables }) });
    const { data, errors } = (await response.json()) as { data: Result; errors?: { message: string }[] };
    if (errors) throw new Error(errors.map(({ message }) => message).join());
    return data;
  }
  return {
    async buy(customerId: string, productCode: string, priceCode: string) {
      const input = { customerId, items: [{ productCode, priceCode, maximumQuantity: 3 }] };
      const { createOrder } = await ask(OrderDocument, { input });
      const amount: string = createOrder.order.amount;
      return { amount, code: createOrder.order.code };
    },
    async latest() {
      const { orders } = await ask(LatestOrdersDocument, { first: 5, status: "CREATED" });
      return orders.nodes.map(({ code, items }) => ({ code, products: items.map(({ product }) => product?.code) }));
    },
    renewals: async (customerId: string) => (await ask(RenewalsDocument, { customerId })).subscriptions.nodes,
    running: () => ask(RunningRecoveriesDocument, {}),
    failure: (orderId: string, subscriptionId: string) => ask(ReportFailureDocument, { orderId, subscriptionId }),
    // @ts-expect-error an order names its products
    wrong: () => ask(OrderDocument, { input: { customerId: "1" } }),
    // @ts-expect-error no such state
    unknown: () => ask(LatestOrdersDocument, { first: 5, status: "LOST" }),
  };
}
`;

interface Consumer {
  dashboard: (
    url: string,
    token: string,
  ) => {
    buy(customerId: string, productCode: string, priceCode: string): Promise<{ amount: string; code: string }>;
    latest(): Promise<object[]>;
    renewals(customerId: string): Promise<object[]>;
    running(): Promise<unknown>;
    failure(orderId: string, subscriptionId: string): Promise<unknown>;
  };
}

test(
  "a client that graphql-codegen makes from the schema and the examples compiles and works",
  { timeout: 120_000 },
  async () => {
    await generate(
      {
        schema: projectFile("schema/schema.graphql"),
        documents: [operations, projectFile("docs/examples.graphql")],
        generates: {
          [`${folder}/`]: { ...output, config: { ...output.config, emitLegacyCommonJSImports: false } },
        },
        silent: true,
      },
      true,
    );
    await writeFile(join(folder, "consumer.ts"), consumer);
    const { dashboard } = await compiled<Consumer>(folder);
    const client = dashboard(url, gateway.vendor.token);

    const catalogue = new TestCatalogue(gateway);
    const product = await catalogue.createProduct();
    const plan = await catalogue.createPlan(product.databaseId);
    const input = { name: "Kim", email: "kim@example.com", phone: "1" };
    const { customer } = await catalogue.runMutation("createCustomer", input, "customer { id }");
    const order = await client.buy(customer.id, product.code, plan.code);
    expect(order.amount).toBe("18900");
    expect(await client.latest()).toEqual([{ code: order.code, products: [product.code] }]);
    expect(await client.renewals(customer.id)).toEqual([]);

    const shop = await registerCoverFixture(gateway);
    const { id } = await registerCoverOrder(gateway, shop, { subscriptionId: shop.subscriptionId });
    await client.failure(String(id), String(shop.subscriptionId));
    expect(JSON.stringify(await client.running())).toContain("retryDate");
  },
);

/** The table of docs/scalars.md: a name, a type of TypeScript, an example and refused values. */
const rows = [
  ...readFileSync(projectFile("docs/scalars.md"), "utf8").matchAll(
    /^\| `(\w+)` +\| .*? +\| `([^|]*?)` +\| `(.*?)` +\| (`.*`) +\|$/gm,
  ),
].map(([, name, type, example, refused]) => ({
  name: name!,
  type: type!,
  example: JSON.parse(example!) as unknown,
  refused: [...refused!.matchAll(/`(.*?)`/g)].map(([, value]) => JSON.parse(value!) as unknown),
}));

const scalars = new Map(
  Object.values(buildGatewaySchema().getTypeMap())
    .filter((type): type is GraphQLScalarType => isScalarType(type) && !isSpecifiedScalarType(type))
    .map((scalar) => [scalar.name, scalar]),
);

test("the table of scalars and the configuration have every scalar of the schema, and the same types", () => {
  expect(rows.map(({ name }) => name)).toEqual([...scalars.keys()].toSorted());
  const configured = Object.entries(output.config.scalars).map(([name, type]) => [
    name,
    typeof type === "string" ? type : (type as { output: string }).output,
  ]);
  expect(configured).toEqual([...rows.map(({ name, type }) => [name, type]), ["ID", "string"]].toSorted());
});

test.each(rows)(
  "the scalar $name accepts its example, and refuses the values in its row",
  ({ name, example, refused }) => {
    const scalar = scalars.get(name)!;
    expect(() => scalar.parseValue(example)).not.toThrow();
    expect(refused.length).toBeGreaterThan(1);
    for (const value of refused) expect(() => scalar.parseValue(value), JSON.stringify(value)).toThrow();
  },
);
