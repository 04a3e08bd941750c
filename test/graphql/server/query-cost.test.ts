import { expect, test } from "vitest";
import { errorSummaries } from "../../support/cover-mutations.ts";
import { startGateway } from "../../support/test-gateway.ts";

const gateway = await startGateway();

const nested = (levels: number): string =>
  levels === 0 ? "id" : `renewalOrders { subscription { ${nested(levels - 1)} } }`;

const plans = (levels: number): string => (levels === 0 ? "id" : `prices { product { ${plans(levels - 1)} } }`);

/* Documents that select more than 50,000 rows without an obvious sign. */
const costly: [name: string, document: string][] = [
  [
    "slices of the default size of 20 that multiply",
    "{ coverCustomers { nodes { orders { nodes { covers { nodes { timeline { nodes { type } } } } } } } } }",
  ],
  [
    "rows that stand in fragments",
    `{ coverCustomers { ...A } }
    fragment A on CoverCustomerConnection { nodes { orders { ...B } } }
    fragment B on CoverOrderConnection { nodes { covers { ...C } } }
    fragment C on CoverConnection { nodes { timeline { ...D } } }
    fragment D on CoverEventConnection { nodes { type } }`,
  ],
  [
    "rows that stand in inline fragments",
    "{ coverCustomers { ... { nodes { orders { ... { edges { node { covers { ... { nodes { timeline { ... { nodes { type } } } } } } } } } } } } } }",
  ],
  [
    "slices that select only their pageInfo",
    "{ coverCustomers(first: 100) { nodes { orders(first: 100) { nodes { timeline { pageInfo { hasNextPage } } } } } } }",
  ],
  ["renewals of renewals, 100 each", `{ coverSubscription(id: 1) { ${nested(4)} } }`],
  [
    "renewals of every row",
    "{ coverSubscriptions(first: 100) { nodes { renewalOrders { covers(first: 100) { nodes { id } } } } } }",
  ],
  [
    "numbered pages, by their size",
    "{ orderPage(size: 600) { rows { customer { orders(first: 100) { nodes { id } } } } } }",
  ],
  [
    "numbered pages of the common size",
    "{ orderPage { rows { customer { orders(first: 100) { nodes { items { price { options { databaseId } } product { prices { options { databaseId } } } } } } } } } }",
  ],
  [
    "negative sizes, which would compensate for others",
    "{ orderPage(size: -1000) { rows { items { id } } } customerPage(size: 600) { rows { orders(first: 100) { nodes { id } } } } }",
  ],
  ["plans of plans of plans", `{ products(first: 1) { nodes { ${plans(3)} } } }`],
  [
    "plans of plans in fragments, of many products",
    `{ products(first: 20) { nodes { ...A } } }
    fragment A on Product { prices { product { ...B } } }
    fragment B on Product { prices { product { ...C } } }
    fragment C on Product { prices { id } }`,
  ],
  [
    "slices whose size is a variable's default",
    "query ($n: Int = 100) { coverCustomers(first: $n) { nodes { orders(first: $n) { nodes { timeline(first: $n) { nodes { type } } } } } } }",
  ],
  [
    "lists of many nodes",
    `{ nodes(ids: [${"1 ".repeat(100)}]) { ... on CoverOrder { covers(first: 100) { nodes { timeline(first: 100) { nodes { type } } } } } } }`,
  ],
];

test.each(costly)("%s are refused before any work", async (_name, document) => {
  gateway.statements.length = 0;
  expect(errorSummaries(await gateway.sendRawGraphQL(document))).toEqual(["QUERY_TOO_COSTLY"]);
  expect(gateway.statements.filter(({ text }) => !text.includes("api_keys"))).toEqual([]);
});
