import { describe, expect, test } from "vitest";
import type { RawData } from "../../support/raw-data.ts";
import {
  errorSummaries,
  runMutation,
  minimalInputs,
  createCoverOrder,
  createCoverFixture,
} from "../../support/cover-mutations.ts";
import { startGateway } from "../../support/test-gateway.ts";

const gateway = await startGateway();
const shop = await createCoverFixture(gateway);
const order = await createCoverOrder(gateway, shop, { paymentFailed: true });

const customer = `coverCustomer(id: "${shop.customerId}")`;
const product = `coverProduct(id: "${shop.productId}")`;
const subscription = `coverSubscription(id: "${shop.subscriptionId}")`;
const itsOrder = `coverOrder(id: "${order.databaseId}")`;
const itsCover = `cover(id: "${order.cover!.databaseId}")`;

/** Every list of the graph, by its rows; `%` stands for its arguments. */
const listsOf = {
  customers: ["coverCustomers%"],
  products: ["coverProducts%"],
  prices: ["coverPrices%", `${product} { prices%`],
  subscriptions: ["coverSubscriptions%", `${customer} { subscriptions%`],
  orders: ["coverOrders%", `${customer} { orders%`, `${subscription} { orders%`],
  covers: ["covers%", `${subscription} { covers%`, `${itsOrder} { covers%`],
  attempts: [`${itsCover} { attempts%`],
  decisions: [`${itsCover} { decisions%`],
  events: [`${subscription} { timeline%`, `${itsOrder} { timeline%`, `${itsCover} { timeline%`],
};
const lists = Object.values(listsOf).flat();

interface Arguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

function ask(list: string, variables: Arguments) {
  const sliced = list.replace("%", "(first: $first, after: $after, last: $last, before: $before)");
  const closing = list.includes("{") ? "}" : "";
  return gateway.sendRawGraphQL(
    `query ($first: Int, $after: String, $last: Int, $before: String) {
      ${sliced} { pageInfo { endCursor startCursor hasNextPage hasPreviousPage } nodes { __typename } } ${closing}
    }`,
    { ...variables },
  );
}

/** The one list in an answer. */
function sliceIn({ data }: { data: RawData }): RawData {
  const root = Object.values<RawData>(data)[0];
  return root.nodes ? root : Object.values<RawData>(root)[0];
}

async function cursorOf(list: string): Promise<string> {
  return sliceIn(await ask(list, { first: 1 })).pageInfo.endCursor;
}

const encoded = (text: string): string => Buffer.from(text).toString("base64url");
const partsOf = (cursor: string): unknown[] => JSON.parse(Buffer.from(cursor, "base64url").toString());

/** The path of a list's argument in the document; that of a root field is its name. */
function placeOf(list: string, argument: string): string {
  const fields = list.replace(/\(.*?\)/g, "").match(/\w+/g)!;
  return fields.length > 1 ? [...fields, argument].join(".") : argument;
}

describe.each(lists)("%s", (list) => {
  test.each<[Arguments, string]>([
    [{ first: 0 }, "first"],
    [{ first: -1 }, "first"],
    [{ first: 101 }, "first"],
    [{ last: 0 }, "last"],
    [{ last: -1 }, "last"],
    [{ last: 101 }, "last"],
  ])("refuses a slice of %o and names the argument", async (variables, argument) => {
    const path = placeOf(list, argument);
    expect(errorSummaries(await ask(list, variables))).toEqual([`INVALID_ARGUMENT: ${path} INVALID_VALUE`]);
  });

  test("refuses a slice from both ends", async () => {
    expect(errorSummaries(await ask(list, { first: 1, last: 1 }))).toEqual(["INVALID_ARGUMENT: last INVALID_VALUE"]);
  });

  test("refuses a cursor for the other end", async () => {
    const cursor = await cursorOf(list);
    const asked: [Arguments, string][] = [
      [{ before: cursor }, "before"],
      [{ first: 1, before: cursor }, "before"],
      [{ last: 1, after: cursor }, "after"],
    ];
    for (const [variables, path] of asked)
      expect(errorSummaries(await ask(list, variables))).toEqual([`INVALID_ARGUMENT: ${path} INVALID_VALUE`]);
  });

  test("takes null for an argument that was not sent", async () => {
    const { errors } = await ask(list, { first: null, after: null, last: null, before: null });
    expect(errors).toBeUndefined();
  });

  test.each(["", "garbage", "Y3Vyc29y", encoded("CREATED_AT"), encoded("CREATED_AT:x:1"), encoded("VENDOR:1:1")])(
    "refuses %j as a cursor, from either end",
    async (garbage) => {
      expect(errorSummaries(await ask(list, { first: 1, after: garbage }))).toEqual([
        "INVALID_ARGUMENT: after INVALID_VALUE",
      ]);
      expect(errorSummaries(await ask(list, { last: 1, before: garbage }))).toEqual([
        "INVALID_ARGUMENT: before INVALID_VALUE",
      ]);
    },
  );

  test("refuses a cursor with a time or a number that no row can have", async () => {
    const [version, sort, value, id] = partsOf(await cursorOf(list));
    const forged = [
      [version, sort, "+275760-09-13T00:00:00.000Z", id],
      [version, sort, "-271821-04-20T00:00:00.000Z", id],
      [version, sort, "", id],
      [version, sort, value, null],
      [version, sort, value, 0.5],
      [version, sort, value, id, 1],
    ].map((parts) => JSON.stringify(parts));
    const answers: unknown[] = [];
    for (const text of forged)
      answers.push([text, errorSummaries(await ask(list, { first: 1, after: encoded(text) }))]);
    expect(answers).toEqual(forged.map((text) => [text, ["INVALID_ARGUMENT: after INVALID_VALUE"]]));
  });

  test("refuses the cursors of lists of other rows", async () => {
    const others = Object.values(listsOf).filter((alike) => !alike.includes(list));
    const answers: unknown[] = [];
    for (const [other] of others)
      answers.push([other, errorSummaries(await ask(list, { first: 1, after: await cursorOf(other!) }))]);
    expect(answers).toEqual(others.map(([other]) => [other, ["INVALID_ARGUMENT: after INVALID_VALUE"]]));
  });
});

test("a cursor of the covers by STARTED_AT is invalid for the covers by RETRY_DATE", async () => {
  const after = await cursorOf("covers%");
  const document =
    "query ($after: String) { covers(first: 1, after: $after, orderBy: { field: RETRY_DATE }) { nodes { id } } }";
  expect(errorSummaries(await gateway.sendGraphQL(document, { after }))).toEqual([
    "INVALID_ARGUMENT: after INVALID_VALUE",
  ]);
});

test("an empty list has no cursors and a count of 0", async () => {
  const token = (await gateway.openVendor()).token;
  const part =
    "{ totalCount edges { cursor } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }";
  const names = ["coverCustomers", "coverProducts", "coverPrices", "coverSubscriptions", "coverOrders", "covers"];
  const data = await gateway.queryRawData(`{ ${names.map((name) => name + part).join(" ")} }`, {}, { token });
  const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null };
  const empty = { totalCount: 0, edges: [], nodes: [], pageInfo };
  expect(data).toEqual(Object.fromEntries(names.map((name) => [name, empty])));
});

test("a slice has 20 rows by default, and at most 100", async () => {
  const token = (await gateway.openVendor()).token;
  const ids = Array.from({ length: 101 }, (_, index) => `many-${index}`);
  for (const partnerProductId of ids)
    await runMutation(gateway, "registerCoverProduct", { ...minimalInputs.product(), partnerProductId }, undefined, {
      token,
    });
  const part = "nodes { partnerProductId } pageInfo { hasNextPage hasPreviousPage }";
  const slice = async (size: string) => {
    const { coverProducts } = await gateway.queryRawData(`{ coverProducts${size} { ${part} } }`, {}, { token });
    return {
      ids: coverProducts.nodes.map((node: { partnerProductId: string }) => node.partnerProductId),
      pageInfo: coverProducts.pageInfo,
    };
  };
  const newest = ids.toReversed();
  expect(await slice("")).toEqual({
    ids: newest.slice(0, 20),
    pageInfo: { hasNextPage: true, hasPreviousPage: false },
  });
  expect(await slice("(first: 100)")).toEqual({
    ids: newest.slice(0, 100),
    pageInfo: { hasNextPage: true, hasPreviousPage: false },
  });
  expect(await slice("(last: 100)")).toEqual({
    ids: newest.slice(1),
    pageInfo: { hasNextPage: false, hasPreviousPage: true },
  });
});
