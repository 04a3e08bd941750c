import { describe, expect, test } from "vitest";
import { toGlobalId } from "../../../src/graphql/record-ids.ts";
import {
  errorSummaries,
  runMutation,
  minimalInputs,
  createCoverOrder,
  type Mutation,
} from "../../support/cover-mutations.ts";
import { startGateway, type RequestOptions } from "../../support/test-gateway.ts";

const NOW = "2026-03-01T09:30:00.000Z";
const gateway = await startGateway({ now: NOW });
const stranger = { token: (await gateway.openVendor()).token };

const [PERIOD_START, PERIOD_END] = ["2026-02-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"];
const dates = { createdAt: NOW, modifiedAt: NOW };

/** One record of each type under the partner id `mine`, with every field given. */
async function openFully(partnerId: string, options?: RequestOptions) {
  const register = async (mutation: Mutation, input: object): Promise<number> => {
    const payload: object = await runMutation(gateway, mutation, input, undefined, options);
    return (Object.values(payload) as { databaseId: number }[])[0]!.databaseId;
  };
  const customerId = await register("registerCoverCustomer", {
    ...minimalInputs.customer(),
    partnerCustomerId: partnerId,
    country: "KR",
    timeZone: "Asia/Seoul",
  });
  const productId = await register("registerCoverProduct", {
    name: "House blend",
    partnerProductId: partnerId,
    featuredImageUrl: "https://example.com/beans.png",
  });
  const priceId = await register("registerCoverPrice", {
    ...minimalInputs.price({ productId }),
    partnerPriceId: partnerId,
    recurringInterval: "WEEK",
    recurringIntervalCount: 2,
  });
  const orderId = await register("registerCoverOrder", {
    ...minimalInputs.order({ customerId, productId, priceId, subscriptionId: 0 }),
    partnerOrderId: partnerId,
    amount: "18900.50",
    amountReturned: "0.5",
    items: [
      { quantity: 2, priceId },
      { quantity: 1, priceId },
    ],
    paymentDate: NOW,
    idKey: "pay-1",
    paymentInfo: "Card 4111 1111 1111 1111",
    paymentGateway: "PROVIDER_01",
  });
  const subscriptionId = await register("registerCoverSubscription", {
    ...minimalInputs.subscription({ customerId }),
    partnerSubscriptionId: partnerId,
    trialStart: PERIOD_START,
    trialEnd: PERIOD_START,
    start: PERIOD_START,
    cancelAtPeriodEnd: true,
    initialOrderId: orderId,
  });
  return { customerId, productId, priceId, orderId, subscriptionId };
}

const own = await openFully("mine");
await openFully("theirs", stranger);

interface Kind {
  query: string;
  partnerIdName: string;
  type: "CoverCustomer" | "CoverProduct" | "CoverPrice" | "CoverOrder" | "CoverSubscription";
  id: number;
  record: Record<string, unknown>;
  selection: string;
}

const kinds: Kind[] = [
  {
    query: "coverCustomer",
    partnerIdName: "partnerCustomerId",
    type: "CoverCustomer",
    id: own.customerId,
    selection: "name email phone partnerCustomerId country timeZone createdAt modifiedAt",
    record: {
      name: "Kim Seo-yeon",
      email: "seoyeon@example.com",
      phone: "01012345678",
      partnerCustomerId: "mine",
      country: "KR",
      timeZone: "Asia/Seoul",
      ...dates,
    },
  },
  {
    query: "coverProduct",
    partnerIdName: "partnerProductId",
    type: "CoverProduct",
    id: own.productId,
    selection: "name partnerProductId featuredImageUrl createdAt modifiedAt",
    record: {
      name: "House blend",
      partnerProductId: "mine",
      featuredImageUrl: "https://example.com/beans.png",
      ...dates,
    },
  },
  {
    query: "coverPrice",
    partnerIdName: "partnerPriceId",
    type: "CoverPrice",
    id: own.priceId,
    selection:
      "name partnerPriceId price isRecurring recurringInterval recurringIntervalCount product { databaseId } createdAt modifiedAt",
    record: {
      name: "Monthly",
      partnerPriceId: "mine",
      price: "18900",
      isRecurring: true,
      recurringInterval: "WEEK",
      recurringIntervalCount: 2,
      product: { databaseId: own.productId },
      ...dates,
    },
  },
  {
    query: "coverOrder",
    partnerIdName: "partnerOrderId",
    type: "CoverOrder",
    id: own.orderId,
    selection: `status amount amountReturned partnerOrderId idKey paymentDate canceledAt paymentInfo paymentGateway retryDate
      items { quantity price { databaseId } } customer { databaseId } subscription { id } cover { id } createdAt modifiedAt`,
    record: {
      status: "PARTIAL_REFUND",
      amount: "18900.5",
      amountReturned: "0.5",
      partnerOrderId: "mine",
      idKey: "pay-1",
      paymentDate: NOW,
      canceledAt: null,
      paymentInfo: "Card **** **** **** 1111",
      paymentGateway: "PROVIDER_01",
      retryDate: null,
      items: [
        { quantity: 2, price: { databaseId: own.priceId } },
        { quantity: 1, price: { databaseId: own.priceId } },
      ],
      customer: { databaseId: own.customerId },
      subscription: null,
      cover: null,
      ...dates,
    },
  },
  {
    query: "coverSubscription",
    partnerIdName: "partnerSubscriptionId",
    type: "CoverSubscription",
    id: own.subscriptionId,
    selection: `status partnerSubscriptionId recurringInterval recurringIntervalCount start trialStart trialEnd currentPeriodStart
      currentPeriodEnd canceledAt cancelAtPeriodEnd customer { databaseId } initialOrder { databaseId } renewalOrders { id } createdAt modifiedAt`,
    record: {
      status: "ACTIVE",
      partnerSubscriptionId: "mine",
      recurringInterval: "MONTH",
      recurringIntervalCount: 1,
      start: PERIOD_START,
      trialStart: PERIOD_START,
      trialEnd: PERIOD_START,
      currentPeriodStart: PERIOD_START,
      currentPeriodEnd: PERIOD_END,
      canceledAt: null,
      cancelAtPeriodEnd: true,
      customer: { databaseId: own.customerId },
      initialOrder: { databaseId: own.orderId },
      renewalOrders: [],
      ...dates,
    },
  },
];

describe.each(kinds.map((kind) => [kind.query, kind] as const))("%s", (query, kind) => {
  const { partnerIdName, type, id, selection, record } = kind;
  const ask = (ids: Record<string, unknown>, asked = "databaseId") =>
    gateway.sendRawGraphQL(
      `query ($id: ID, $partnerId: PartnerId) { ${query}(id: $id, ${partnerIdName}: $partnerId) { ${asked} } }`,
      ids,
    );

  test.each([
    ["number", { id: String(id) }],
    ["global id", { id: toGlobalId(type, id) }],
    ["partner id", { partnerId: "mine" }],
  ])("finds the whole record by its %s", async (_name, ids) => {
    const { data } = await ask(ids, `id databaseId ${selection}`);
    expect(data[query]).toEqual({ id: toGlobalId(type, id), databaseId: id, ...record });
  });

  test.each([
    [{ id: "4000000" }],
    [{ id: toGlobalId(type, 4_000_000) }],
    [{ partnerId: "nobody's" }],
    [{ partnerId: "MINE" }],
    [{ partnerId: "theirs" }],
  ])("finds nothing by %o", async (ids) => {
    expect(await ask(ids)).toEqual({ status: 200, data: { [query]: null } });
  });

  test.each([[{}], [{ id: null, partnerId: null }], [{ id: String(id), partnerId: "mine" }]])(
    "refuses %o: it needs exactly one of the ids",
    async (ids) => {
      const answer = await ask(ids);
      expect(errorSummaries(answer)).toEqual(["INVALID_ARGUMENT: id INVALID_VALUE"]);
      expect(answer.errors![0]).toMatchObject({ path: [query], message: expect.stringContaining(partnerIdName) });
      expect(answer.data).toEqual({ [query]: null });
    },
  );
});

test("cover finds one by its number or global id, and nothing by an unknown one", async () => {
  const shop = { ...own, subscriptionId: own.subscriptionId };
  const { cover } = await createCoverOrder(gateway, shop, { paymentFailed: true });
  const ask = (id: unknown) => gateway.queryData("query ($id: ID!) { cover(id: $id) { databaseId state } }", { id });
  const found = { cover: { databaseId: cover!.databaseId, state: "IN_PROGRESS" } };
  expect(await ask(cover!.databaseId)).toEqual(found);
  expect(await ask(toGlobalId("Cover", cover!.databaseId))).toEqual(found);
  expect(await ask("4000000")).toEqual({ cover: null });
});

test("vendor answers the vendor of the token", async () => {
  const asked = "{ vendor { name zoneId currency country sandbox now createdAt databaseId uuid } }";
  const { vendor } = await gateway.queryData(asked);
  const { vendor: other } = await gateway.queryData(asked, {}, stranger);
  expect(vendor).toEqual({
    name: "Test vendor",
    zoneId: "Asia/Seoul",
    currency: "KRW",
    country: "KR",
    sandbox: false,
    now: NOW,
    createdAt: NOW,
    databaseId: gateway.vendor.id,
    uuid: expect.stringMatching(/^[\da-f-]{36}$/),
  });
  expect([other.databaseId, other.uuid]).not.toEqual([vendor.databaseId, vendor.uuid]);
});
