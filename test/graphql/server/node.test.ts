import { describe, expect, test } from "vitest";
import { errorSummaries, runMutation, createCoverOrder, createCoverFixture } from "../../support/cover-mutations.ts";
import { startGateway, type RequestOptions } from "../../support/test-gateway.ts";

const gateway = await startGateway();
const stranger = await gateway.openVendor();

type Ids = Record<string, { id: string; databaseId: number }>;

/** A record of each type, with both ids. */
async function recordsOf(options?: RequestOptions): Promise<Ids> {
  const shop = await createCoverFixture(gateway, {}, options);
  const { databaseId } = await createCoverOrder(gateway, shop, { paymentFailed: true }, options);
  const ids = "{ id databaseId }";
  const { vendor, coverOrder } = await gateway.queryData(
    `query ($order: ID!) {
      vendor ${ids}
      coverOrder(id: $order) { id databaseId customer ${ids} subscription ${ids} cover ${ids} items { price { id databaseId product ${ids} } } }
    }`,
    { order: databaseId },
    options,
  );
  const { customer, subscription, cover, items, ...order } = coverOrder!;
  const { product, ...price } = items[0]!.price;
  return {
    Vendor: vendor,
    CoverCustomer: customer,
    CoverProduct: product,
    CoverPrice: price,
    CoverOrder: order,
    CoverSubscription: subscription!,
    Cover: cover!,
  };
}

const ours = await recordsOf();
const theirs = await recordsOf({ token: stranger.token });
const types = Object.keys(ours);

const encoded = (text: string): string => Buffer.from(text).toString("base64url");
const node = (id: string) =>
  gateway.sendGraphQL("query ($id: ID!) { node(id: $id) { __typename id databaseId } }", { id });
const nodes = (ids: readonly string[]) =>
  gateway.sendGraphQL("query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id databaseId } }", { ids });

test("the ids of records of different types and vendors are all different", () => {
  const ids = [...Object.values(ours), ...Object.values(theirs)].map(({ id }) => id);
  expect(new Set(ids).size).toBe(14);
});

describe.each(types)("a %s", (type) => {
  const { id, databaseId } = ours[type]!;

  test("is found by its global id, with its own fields", async () => {
    const field = type === "Cover" ? "state" : type === "CoverOrder" ? "status" : "createdAt";
    const document = `query ($id: ID!) { node(id: $id) { __typename id databaseId ... on ${type} { ${field} } } }`;
    const { node: found } = await gateway.queryRawData(document, { id });
    expect(found).toEqual({ __typename: type, id, databaseId, [field]: expect.any(String) });
  });

  test("is not found by another vendor's id, an unknown one, or its number", async () => {
    for (const unknown of [theirs[type]!.id, encoded(`${type}:4000000`), String(databaseId)])
      expect([unknown, await node(unknown)]).toEqual([unknown, { status: 200, data: { node: null } }]);
  });
});

const garbage = [
  "",
  " ",
  "x",
  "0",
  "-1",
  "ÿ",
  "🂡",
  "a".repeat(10_000),
  encoded("CoverOrder"),
  encoded("CoverOrder:"),
  encoded("CoverOrder:0"),
  encoded("CoverOrder:-1"),
  encoded("CoverOrder:1.5"),
  encoded("CoverOrder:1:1"),
  encoded("CoverOrder:9007199254740992"),
  encoded("CoverOrder:9007199254740991"),
  encoded("coverorder:1"),
  encoded("Invoice:1"),
  encoded(":1"),
  ...["toString", "valueOf", "constructor", "hasOwnProperty", "__proto__"].map((name) => encoded(`${name}:1`)),
];

test.each(garbage.map((id) => [Buffer.from(id, "base64url").toString().slice(0, 40), id] as const))(
  "an id that decodes to %j belongs to no record",
  async (_text, id) => {
    expect(await node(id)).toEqual({ status: 200, data: { node: null } });
    expect(await nodes([id])).toEqual({ status: 200, data: { nodes: [null] } });
  },
);

describe("nodes", () => {
  test("are in the order of their ids, repeated when an id is, null when there is none", async () => {
    const asked = [...types.toReversed(), "Cover", "Vendor"].map((type) => ours[type]!.id);
    asked.splice(3, 0, "nothing", theirs["Cover"]!.id);
    const { data } = await nodes(asked);
    const found = asked.map((id) => {
      const [type, record] = Object.entries(ours).find(([, own]) => own.id === id) ?? [];
      return record ? { __typename: type, ...record } : null;
    });
    expect(data!.nodes).toEqual(found);
    expect(data!.nodes.filter((row: unknown) => row === null)).toHaveLength(2);
  });

  test("of no ids are none", async () => {
    expect(await nodes([])).toEqual({ status: 200, data: { nodes: [] } });
  });

  test("are at most 100 at once", async () => {
    const { id } = ours["Cover"]!;
    const hundred = await nodes(Array<string>(100).fill(id));
    expect(hundred.data!.nodes).toEqual(Array(100).fill({ __typename: "Cover", ...ours["Cover"] }));
    expect(errorSummaries(await nodes(Array<string>(101).fill(id)))).toEqual(["INVALID_ARGUMENT: ids INVALID_VALUE"]);
  });
});

/* Every argument that takes the id of a record: the document around it, and its type. */
const takers: [document: string, type: string][] = [
  ["{ coverCustomer(id: %) { databaseId } }", "CoverCustomer"],
  ["{ coverProduct(id: %) { databaseId } }", "CoverProduct"],
  ["{ coverPrice(id: %) { databaseId } }", "CoverPrice"],
  ["{ coverOrder(id: %) { databaseId } }", "CoverOrder"],
  ["{ coverSubscription(id: %) { databaseId } }", "CoverSubscription"],
  ["{ cover(id: %) { databaseId } }", "Cover"],
  ["mutation { reportPaymentMethodChanged(input: { orderId: % }) { cover { databaseId } } }", "CoverOrder"],
  ["mutation { activateCoverSubscription(input: { subscriptionId: % }) { message } }", "CoverSubscription"],
];

describe.each(takers)("%s", (document, type) => {
  const ask = (id: unknown) => gateway.sendRawGraphQL(document.replace("%", JSON.stringify(id)));
  const { id, databaseId } = ours[type]!;

  test("takes a global id, a number, and a number as text, for the same record", async () => {
    const answers = await Promise.all([ask(id), ask(databaseId), ask(String(databaseId))]);
    expect(answers.map(({ errors }) => errors)).toEqual([undefined, undefined, undefined]);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test("refuses the global id of another type, and an invalid id", async () => {
    const others = types.filter((other) => other !== type).map((other) => ours[other]!.id);
    const path = document.includes("input") ? `input.${/input: { (\w+)/.exec(document)![1]!}` : "id";
    for (const wrong of [...others, "", "x", "0", "-1", "1.5", "1e3", "9007199254740992", encoded("constructor:1")])
      expect([wrong, errorSummaries(await ask(wrong))]).toEqual([wrong, [`INVALID_ARGUMENT: ${path} INVALID_VALUE`]]);
  });
});

test("a record that was read before a change is read again after it", async () => {
  const order = ours["CoverOrder"]!.id;
  const { cover } = await runMutation(gateway, "startRecovery", {
    orderId: order,
    subscriptionId: ours["CoverSubscription"]!.id,
    errorCode: "54",
  });
  expect(cover.state).toBe("STOPPED");
  const { node: found } = await gateway.queryData(
    "query ($id: ID!) { node(id: $id) { ... on Cover { state endReason } } }",
    {
      id: ours["Cover"]!.id,
    },
  );
  expect(found).toEqual({ state: "STOPPED", endReason: "NEEDS_NEW_METHOD" });
});
