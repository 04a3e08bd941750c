import { readFileSync } from "node:fs";
import { buildSchema, getNamedType, isLeafType, type GraphQLObjectType } from "graphql";
import { describe, expect, test } from "vitest";
import type { RawData } from "../../support/raw-data.ts";
import { runMutation, minimalInputs, createCoverOrder, createCoverFixture } from "../../support/cover-mutations.ts";
import { startGateway } from "../../support/test-gateway.ts";

const gateway = await startGateway();
const few = await openVendorWith(3);
const many = await openVendorWith(30);

/**
 * A vendor with so many of every record: each customer with a subscription, its first order, and a renewal whose cover
 * has two attempts and an arm of an experiment.
 */
async function openVendorWith(count: number): Promise<string> {
  const { token } = await gateway.openVendor();
  await startExperiment(token);
  for (let index = 0; index < count; index++) {
    const shop = await createCoverFixture(gateway, {}, { token });
    const first = await createCoverOrder(gateway, shop, {}, { token });
    await sayFirstOrder(shop.subscriptionId, first.databaseId, token);
    const { databaseId: orderId } = await createCoverOrder(
      gateway,
      shop,
      { paymentFailed: true, errorCode: "51" },
      { token },
    );
    const report = { orderId, subscriptionId: shop.subscriptionId, errorCode: "05" };
    await runMutation(gateway, "startRecovery", report, undefined, { token });
  }
  return token;
}

async function startExperiment(token: string): Promise<void> {
  const terms = { plan: { kind: "EVEN", maxRetries: 4, windowInDays: 28 } };
  const { policy } = await runMutation(gateway, "proposeRecoveryPolicy", { terms }, undefined, { token });
  const arms = [{ policyId: policy.databaseId, share: "0.5" }];
  const input = { arms, holdout: { share: "0.5" } };
  await runMutation(gateway, "startRecoveryExperiment", input, undefined, { token });
}

async function sayFirstOrder(subscriptionId: number, initialOrderId: number, token: string): Promise<void> {
  const selection = "partnerSubscriptionId customer { databaseId }";
  const { coverSubscription } = await gateway.queryRawData(
    `{ coverSubscription(id: ${subscriptionId}) { ${selection} } }`,
    {},
    { token },
  );
  const { partnerSubscriptionId, customer } = coverSubscription;
  const same = { ...minimalInputs.subscription({ customerId: customer.databaseId }), partnerSubscriptionId };
  const replaced = { ...same, initialOrderId, replaceIfExists: true };
  await runMutation(gateway, "registerCoverSubscription", replaced, undefined, { token });
}

const schema = buildSchema(readFileSync("schema/schema.graphql", "utf8"));
const typeOf = (name: string) => schema.getType(name) as GraphQLObjectType;

/** The fields of a type by their kind: leaves, or other objects. */
function fieldsOf(name: string) {
  const fields = Object.values(typeOf(name).getFields());
  const isLeaf = (field: (typeof fields)[number]) => isLeafType(getNamedType(field.type));
  return { leaves: fields.filter(isLeaf), edges: fields.filter((field) => !isLeaf(field)) };
}

/** Every field of a type, down to so many edges from it. */
function everythingOf(name: string, edges: number): string {
  const { leaves, edges: below } = fieldsOf(name);
  const further = edges === 0 ? [] : below.map((field) => edgeTo(field.name, getNamedType(field.type).name, edges - 1));
  return [...leaves.map((leaf) => leaf.name), ...further].join(" ");
}

/** An edge with its nested fields; of a list the first two rows. */
function edgeTo(field: string, type: string, edges: number): string {
  if (!type.endsWith("Connection")) return `${field} { ${everythingOf(type, edges)} }`;
  const row = everythingOf(type.replace("Connection", ""), edges);
  return `${field}(first: 2) { nodes { ${row} } edges { cursor } totalCount pageInfo { hasNextPage } }`;
}

/** The number of edges in a query, of lists to be counted, and of leaves that are no columns. */
const edgesIn = (query: string): number =>
  [...query.matchAll(/(?<!nodes|edges|pageInfo|budget) \{ |totalCount|retryDate|status/g)].length;

/** All paths of so many edges from a type, each with its selection. */
function pathsFrom(type: string, edges: number): [path: string, selection: string][] {
  const { leaves, edges: below } = fieldsOf(type);
  if (edges === 0 || below.length === 0) return [["", leaves[0]!.name]];
  return below.flatMap((field) => {
    const target = getNamedType(field.type).name;
    const isList = target.endsWith("Connection");
    return pathsFrom(target.replace("Connection", ""), edges - 1).map(([path, selection]): [string, string] => [
      [field.name, path].filter(Boolean).join("."),
      isList ? `${field.name}(first: 2) { totalCount nodes { ${selection} } }` : `${field.name} { ${selection} }`,
    ]);
  });
}

/** Runs a query, and counts its statements without the one that looks up the token. */
async function statementsOf(query: string, token: string): Promise<{ statements: string[]; data: RawData }> {
  gateway.statements.length = 0;
  const data = await gateway.queryRawData(query, {}, { token });
  const statements = gateway.statements.map(({ text }) => text).filter((text) => !text.includes("api_keys"));
  return { statements, data };
}

const roots = Object.values(typeOf("Query").getFields()).flatMap(({ name, type }) => {
  const connection = getNamedType(type).name;
  // The billing side reads by the selection: test/graphql/server/statements-per-query.test.ts.
  const isOfCovers = name.startsWith("cover") && connection.endsWith("Connection");
  return isOfCovers ? [[name, connection.replace("Connection", "")] as const] : [];
});

test("the lists of the graph are these", () => {
  const expected = ["coverCustomers", "coverOrders", "coverPrices", "coverProducts", "coverSubscriptions", "covers"];
  expect(roots.map(([name]) => name).sort()).toEqual(expected);
});

describe.each(roots)("%s", (list, type) => {
  test.each([0, 1, 2])(
    "with everything down to %i edges from a row costs at most a statement for each edge",
    async (edges) => {
      const query = `{ ${list}(first: 30) { totalCount nodes { ${everythingOf(type, edges)} } } }`;
      const { statements, data } = await statementsOf(query, many);
      expect(data[list].nodes).toHaveLength(30);
      // A row that two edges share is queried once or twice, depending on the timing of the database's answers.
      expect(statements.length).toBeLessThanOrEqual(edgesIn(query));
    },
  );

  test.each(pathsFrom(type, 2))("to %s costs the same for 3 rows and for 30", async (_path, selection) => {
    const query = `{ ${list}(first: 30) { nodes { ${selection} } } }`;
    const ofMany = await statementsOf(query, many);
    const ofFew = await statementsOf(query, few);
    expect(ofMany.data[list].nodes).toHaveLength(30);
    expect(ofFew.data[list].nodes.length).toBeLessThanOrEqual(6);
    expect(ofMany.statements).toEqual(ofFew.statements);
  });

  test("costs one statement for its rows, and none for their own columns", async () => {
    const columns = fieldsOf(type).leaves.filter(({ name }) => !COMPUTED.has(`${type}.${name}`));
    const query = `{ ${list} { nodes { ${columns.map(({ name }) => name).join(" ")} } edges { cursor } pageInfo { endCursor } } }`;
    expect((await statementsOf(query, many)).statements).toHaveLength(1);
  });

  test("is counted only where totalCount is selected, and read only where rows are", async () => {
    const { statements: counted } = await statementsOf(`{ ${list} { totalCount } }`, many);
    expect(counted).toEqual([expect.stringContaining("count(*)")]);
    const { statements: read } = await statementsOf(`{ ${list} { pageInfo { hasNextPage } } }`, many);
    expect(read).toEqual([expect.not.stringContaining("count(*)")]);
    const { statements: both } = await statementsOf(`{ ${list} { totalCount nodes { id } } }`, many);
    expect(both).toHaveLength(2);
    expect((await statementsOf(`{ ${list} { __typename } }`, many)).statements).toEqual([]);
  });

  const edges = fieldsOf(type).edges.map((field) => [field.name, getNamedType(field.type).name] as const);
  test.each(edges)("gets %s of all rows with at most one more statement", async (field, target) => {
    const below = target.replace("Connection", "");
    const column = fieldsOf(below).leaves.find(({ name }) => !COMPUTED.has(`${below}.${name}`))!;
    const row = `{ ${column.name} }`;
    const selection = target.endsWith("Connection") ? `{ nodes ${row} }` : row;
    const { statements } = await statementsOf(`{ ${list}(first: 30) { nodes { ${field} ${selection} } } }`, many);
    expect(statements).toHaveLength(OWN_PARTS.has(`${type}.${field}`) || NONE_HERE.has(`${type}.${field}`) ? 1 : 2);
  });

  const nested = edges.filter(([, target]) => target.endsWith("Connection"));
  if (nested.length > 0)
    test.each(nested)("counts %s of all rows with one more statement, and reads no row for it", async (field) => {
      const { statements } = await statementsOf(`{ ${list}(first: 30) { nodes { ${field} { totalCount } } } }`, many);
      expect(statements).toEqual([expect.any(String), expect.stringMatching(/count\(\*\).* group by /s)]);
    });
});

/** Objects that are columns of their row. */
const OWN_PARTS = new Set(["Cover.policy"]);

/** Objects of the billing side, which none of these covers has. */
const NONE_HERE = new Set(["Cover.renewalOrder", "Cover.renewalSubscription"]);

/** Leaves that are no column of their row. */
const COMPUTED = new Set([
  "CoverOrder.retryDate",
  "CoverSubscription.status",
  "Cover.amount",
  "Cover.currency",
  "Cover.payerName",
]);

test.each([
  ["the date of each order's newest cover", "coverOrders(first: 30) { nodes { retryDate } }"],
  ["the status of each subscription", "coverSubscriptions(first: 30) { nodes { status } }"],
  ["the order and the customer of each cover", "covers(first: 30) { nodes { amount currency payerName } }"],
  ["the items of each order", "coverOrders(first: 30) { nodes { items { quantity } } }"],
])("%s costs one statement more", async (_name, query) => {
  expect((await statementsOf(`{ ${query} }`, many)).statements).toHaveLength(2);
});

test("a row that many edges share is queried once", async () => {
  const query =
    "{ coverOrders(first: 30) { nodes { retryDate cover { id } customer { name } subscription { customer { name } } } } }";
  const { statements } = await statementsOf(query, many);
  const asked = ["cover_orders", "covers", "cover_customers", "cover_subscriptions"];
  expect(statements.map((text) => /from "(\w+)"/.exec(text)?.[1]).sort()).toEqual(asked.sort());
});

test("nodes of one type cost one statement, whatever their number", async () => {
  const { data } = await statementsOf("{ coverOrders(first: 30) { nodes { id } } }", many);
  const ids = data.coverOrders.nodes.map(({ id }: { id: string }) => JSON.stringify(id)).join(" ");
  const { statements } = await statementsOf(`{ nodes(ids: [${ids}]) { ... on CoverOrder { status } } }`, many);
  expect(statements).toHaveLength(1);
});
