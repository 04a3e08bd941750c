import { describe, expect, test } from "vitest";
import {
  sendMutation,
  runRawMutation,
  minimalInputs,
  createCoverFixture,
  type Mutation,
} from "../../support/cover-mutations.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { expectNoChanges } from "../../support/rest-assertions.ts";

const NOW = "2026-03-01T09:30:00.000Z";
const LATER = "2026-03-01T10:00:00.000Z";
const gateway = await startGateway({ now: NOW });
const shop = await createCoverFixture(gateway);
const ids = { customerId: shop.customerId, productId: shop.productId };

interface Registration {
  mutation: Mutation;
  noun: string;
  partnerIdName: string;
  /** The required fields. */
  input: () => Record<string, unknown>;
  /** The selection, and its values when only the required fields are given. */
  selection: string;
  defaults: Record<string, unknown>;
  /** A change: the input, and the resulting values. */
  change: [sent: Record<string, unknown>, shown: Record<string, unknown>];
}

const registrations: Registration[] = [
  {
    mutation: "registerCoverCustomer",
    noun: "customer",
    partnerIdName: "partnerCustomerId",
    input: minimalInputs.customer,
    selection: "name email phone country timeZone",
    defaults: {
      name: "Kim Seo-yeon",
      email: "seoyeon@example.com",
      phone: "01012345678",
      country: null,
      timeZone: null,
    },
    change: [
      { country: "DE", timeZone: "Europe/Berlin" },
      { country: "DE", timeZone: "Europe/Berlin" },
    ],
  },
  {
    mutation: "registerCoverProduct",
    noun: "product",
    partnerIdName: "partnerProductId",
    input: minimalInputs.product,
    selection: "name featuredImageUrl",
    defaults: { name: "House blend", featuredImageUrl: "" },
    change: [{ featuredImageUrl: "https://example.com/x.png" }, { featuredImageUrl: "https://example.com/x.png" }],
  },
  {
    mutation: "registerCoverPrice",
    noun: "price",
    partnerIdName: "partnerPriceId",
    input: () => minimalInputs.price(ids),
    selection: "name price isRecurring recurringInterval recurringIntervalCount product { databaseId }",
    defaults: {
      name: "Monthly",
      price: "18900",
      isRecurring: false,
      recurringInterval: null,
      recurringIntervalCount: null,
      product: { databaseId: ids.productId },
    },
    change: [{ recurringInterval: "DAY" }, { isRecurring: true, recurringInterval: "DAY", recurringIntervalCount: 1 }],
  },
  {
    mutation: "registerCoverSubscription",
    noun: "subscription",
    partnerIdName: "partnerSubscriptionId",
    input: () => minimalInputs.subscription(ids),
    selection: `status start trialStart trialEnd currentPeriodStart currentPeriodEnd canceledAt cancelAtPeriodEnd
      recurringInterval recurringIntervalCount initialOrder { id } renewalOrders { id } customer { databaseId }`,
    defaults: {
      status: "ACTIVE",
      start: null,
      trialStart: null,
      trialEnd: null,
      currentPeriodStart: "2026-02-01T00:00:00.000Z",
      currentPeriodEnd: "2026-03-01T00:00:00.000Z",
      canceledAt: null,
      cancelAtPeriodEnd: false,
      recurringInterval: "MONTH",
      recurringIntervalCount: 1,
      initialOrder: null,
      renewalOrders: [],
      customer: { databaseId: ids.customerId },
    },
    change: [
      { canceledAt: "2026-02-28T09:00:00+09:00" },
      { canceledAt: "2026-02-28T00:00:00.000Z", status: "CANCELED" },
    ],
  },
  {
    mutation: "registerCoverOrder",
    noun: "order",
    partnerIdName: "partnerOrderId",
    input: () => minimalInputs.order(shop),
    selection: `status amount amountReturned idKey paymentDate canceledAt paymentInfo paymentGateway retryDate
      items { quantity price { databaseId } } customer { databaseId } subscription { id } cover { id }`,
    defaults: {
      status: "CREATED",
      amount: "18900",
      amountReturned: "0",
      idKey: null,
      paymentDate: null,
      canceledAt: null,
      paymentInfo: null,
      paymentGateway: "UNKNOWN",
      retryDate: null,
      items: [{ quantity: 1, price: { databaseId: shop.priceId } }],
      customer: { databaseId: ids.customerId },
      subscription: null,
      cover: null,
    },
    change: [
      { paymentDate: LATER, paymentGateway: "HOUSE" },
      { paymentDate: LATER, paymentGateway: "HOUSE", status: "PAID" },
    ],
  },
];

describe.each(registrations.map((row) => [row.mutation, row] as const))("%s", (mutation, row) => {
  const { noun, partnerIdName, selection, defaults, change } = row;
  const register = (input: object) =>
    runRawMutation(
      gateway,
      mutation,
      input,
      `${noun} { id databaseId ${partnerIdName} createdAt modifiedAt ${selection} }`,
    );

  test("answers the record, with defaults for fields that are not given", async () => {
    gateway.clock.setTo(NOW);
    const input = row.input();
    expect(await register(input)).toEqual({
      [noun]: {
        id: expect.any(String),
        databaseId: expect.any(Number),
        [partnerIdName]: input[partnerIdName],
        createdAt: NOW,
        modifiedAt: NOW,
        ...defaults,
      },
    });
  });

  test.each([undefined, null, false])(
    "refuses a registered partner id when replaceIfExists is %s",
    async (replaceIfExists) => {
      const input = row.input();
      const first = await register(input);
      const again = await expectNoChanges(gateway, () =>
        sendMutation(gateway, mutation, { ...input, replaceIfExists }),
      );
      expect(again.errors![0]!.extensions).toMatchObject({
        code: "DUPLICATE_PARTNER_ID",
        details: {
          id: first[noun].databaseId,
          fields: [{ path: `input.${partnerIdName}`, code: "REFUSED", value: input[partnerIdName] }],
        },
      });
    },
  );

  test("changes the sent fields of a known record, and leaves the rest", async () => {
    gateway.clock.setTo(NOW);
    const input = row.input();
    const first = await register(input);
    gateway.clock.setTo(LATER);
    const replaced = await register({ ...input, ...change[0], replaceIfExists: true });
    expect(replaced).toEqual({ [noun]: { ...first[noun], modifiedAt: LATER, ...change[1] } });
    const same = await register({ ...input, replaceIfExists: true });
    expect(same).toEqual(replaced);
  });
});
