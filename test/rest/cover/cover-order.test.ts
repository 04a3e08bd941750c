import { describe, expect, test } from "vitest";
import { describeBodyValidation } from "../../support/body-validation.ts";
import { readCoverOrder } from "../../support/cover-reads.ts";
import { startGateway } from "../../support/test-gateway.ts";
import {
  expectNoChanges,
  expectedInvalidFields,
  expectedRefusal,
  statusAndBody,
  expectedUnknownReference,
} from "../../support/rest-assertions.ts";
import { uniqueName, minimalOrder, registerCoverFixture } from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway({ now: "2026-03-01T09:30:00.123Z" });
const shop = await registerCoverFixture(gateway);
const otherShop = await registerCoverFixture(gateway);
const order = (rest: object = {}) => minimalOrder(shop, rest);

const customer = await gateway.readRestBody("POST", "/cover/customer", {
  name: "Park Min",
  email: "min@example.com",
  phone: "+8210",
  partnerCustomerId: "park",
});
const product = await gateway.readRestBody("POST", "/cover/product", { name: "Filter", partnerProductId: "filter" });
const prices = await Promise.all(
  [12.5, 0.000001].map(async (price) => {
    const plan = {
      name: `At ${price}`,
      productId: product.id,
      price,
      partnerPriceId: uniqueName("price"),
      recurringInterval: "YEAR",
    };
    return gateway.readRestBody("POST", "/cover/price", plan);
  }),
);

describe("POST /cover/order", () => {
  test("answers exactly its eleven fields, customer, plans and product whole, null for fields that were not given", async () => {
    const partnerOrderId = uniqueName("order");
    const items = [
      { quantity: 2, priceId: prices[1]!.id },
      { quantity: 1, priceId: prices[0]!.id },
      { quantity: 7, priceId: prices[1]!.id },
    ];
    expect(
      statusAndBody(
        await gateway.post("/cover/order", { customerId: customer.id, amount: 25.5, items, partnerOrderId }),
      ),
    ).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        customer,
        amount: 25.5,
        amountReturned: 0,
        items: [
          { quantity: 2, price: prices[1] },
          { quantity: 1, price: prices[0] },
          { quantity: 7, price: prices[1] },
        ],
        status: "CREATED",
        partnerOrderId,
        canceledDate: null,
        paymentDate: null,
        idKey: null,
        retryDate: null,
      },
    });
  });

  test("saves the fields that only GraphQL shows: the gateway, the payment info, the subscription", async () => {
    const sent = {
      paymentGateway: "PROVIDER_07",
      paymentInfo: "Shinhan, ending in 4242",
      subscriptionId: shop.subscriptionId,
    };
    const { body } = await gateway.post("/cover/order", order(sent));
    const { paymentGateway, paymentInfo, subscription } = await readCoverOrder(gateway, body.id!);
    expect({ paymentGateway, paymentInfo, subscriptionId: subscription!.databaseId }).toEqual(sent);
  });

  test.each(["EMPTY", "UNKNOWN", "HOUSE", "PROVIDER_01", "PROVIDER_21", undefined, null])(
    "takes the gateway %s",
    async (paymentGateway) => {
      const { status, body } = await gateway.post("/cover/order", order({ paymentGateway }));
      const seen = await readCoverOrder(gateway, body.id!);
      expect([status, seen.paymentGateway]).toEqual([201, paymentGateway ?? "UNKNOWN"]);
    },
  );

  const date = "2026-02-28T12:00:00.000Z";
  test.each([
    ["CREATED", {}],
    ["CREATED", { paymentFailed: false }],
    ["CREATED", { errorCode: "51" }],
    ["PAID", { paymentDate: date }],
    ["PAID", { paymentDate: date, paymentFailed: false, errorCode: "51" }],
    ["PARTIAL_REFUND", { paymentDate: date, amountReturned: 1 }],
    ["PARTIAL_REFUND", { amountReturned: 18_899.999999 }],
    ["FULL_REFUND", { paymentDate: date, amountReturned: 18_900 }],
    ["CREATED", { amount: 0, amountReturned: 0 }],
    ["PAID", { amount: 0, amountReturned: 0, paymentDate: date }],
    ["CANCELED", { canceledDate: date }],
    ["CANCELED", { canceledDate: date, paymentDate: date, amountReturned: 18_900 }],
    ["PAYMENT_FAILURE", { paymentFailed: true }],
    ["PAYMENT_FAILURE", { paymentFailed: true, canceledDate: date, paymentDate: date, amountReturned: 18_900 }],
  ])("is registered as %s with %j", async (status, sent) => {
    const { status: code, body } = await gateway.post("/cover/order", order(sent));
    const { paymentDate = null, canceledDate = null } = sent as { paymentDate?: string; canceledDate?: string };
    expect({ code, body }).toEqual({ code: 201, body: expect.objectContaining({ status, paymentDate, canceledDate }) });
  });

  const line = { quantity: 1, priceId: shop.priceId };
  test.each([
    ["no lines", { items: [] }, ["items", "REQUIRED"]],
    ["a line of null", { items: [line, null] }, ["items[1]", "REQUIRED"]],
    ["a line that is a text", { items: ["x"] }, ["items[0]", "INVALID_TYPE"]],
    ["a line that is a list", { items: [line, line, []] }, ["items[2]", "INVALID_TYPE"]],
    ["a line without a quantity", { items: [{ priceId: shop.priceId }] }, ["items[0].quantity", "REQUIRED"]],
    ["a line without a plan", { items: [line, { quantity: 1 }] }, ["items[1].priceId", "REQUIRED"]],
    ["a quantity of 0", { items: [{ ...line, quantity: 0 }] }, ["items[0].quantity", "INVALID_VALUE"]],
    ["a quantity of 1.5", { items: [{ ...line, quantity: 1.5 }] }, ["items[0].quantity", "INVALID_TYPE"]],
    ["a quantity that is a word", { items: [{ ...line, quantity: "one" }] }, ["items[0].quantity", "INVALID_TYPE"]],
    ["a plan of 0", { items: [{ ...line, priceId: 0 }] }, ["items[0].priceId", "INVALID_VALUE"]],
    ["a plan that is a word", { items: [{ ...line, priceId: "1 " }] }, ["items[0].priceId", "INVALID_TYPE"]],
    ["more returned than paid", { amountReturned: 18_900.000001 }, ["amountReturned", "INVALID_VALUE"]],
  ] as const)("refuses %s", (_, sent, [path, code]) =>
    expectNoChanges(gateway, async () =>
      expect(statusAndBody(await gateway.post("/cover/order", order(sent)))).toEqual(
        expectedInvalidFields([path, code]),
      ),
    ),
  );

  test("refuses more lines than an order can have, without a server error", () =>
    expectNoChanges(gateway, async () => {
      const { status, body } = await gateway.post("/cover/order", order({ items: Array(5_000).fill(line) }));
      expect([status, body.errorCode, body.details!.fields![0]!.path]).toEqual([400, "INVALID_ARGUMENT", "items"]);
    }));

  test("names every error of a body at once, in the order of its fields", async () => {
    const body = {
      customerId: "x",
      amount: -1,
      items: [{ quantity: 0 }],
      partnerOrderId: uniqueName("order"),
      paymentFailed: 1,
    };
    const { status, body: told } = await gateway.post("/cover/order", body);
    expect([status, told.details!.fields!.map(({ path, code }) => `${path} ${code}`).sort()]).toEqual([
      400,
      [
        "amount INVALID_VALUE",
        "customerId INVALID_TYPE",
        "items[0].priceId REQUIRED",
        "items[0].quantity INVALID_VALUE",
        "paymentFailed INVALID_TYPE",
      ],
    ]);
  });

  const unknown = 4_000_000;
  test.each([
    ["an unknown customer", { customerId: unknown }, expectedUnknownReference("customerId", "CUSTOMER_NOT_FOUND")],
    [
      "an unknown subscription",
      { subscriptionId: unknown },
      expectedUnknownReference("subscriptionId", "SUBSCRIPTION_NOT_FOUND"),
    ],
    [
      "an unknown plan",
      { items: [line, { quantity: 1, priceId: unknown }] },
      expectedUnknownReference("items[1].priceId", "PRICE_NOT_FOUND"),
    ],
    [
      "a subscription of another customer",
      { subscriptionId: otherShop.subscriptionId },
      expectedRefusal(400, "SUBSCRIPTION_MISMATCH"),
    ],
  ])("refuses %s", (_, sent, answer) =>
    expectNoChanges(gateway, async () =>
      expect(statusAndBody(await gateway.post("/cover/order", order(sent)))).toEqual(answer),
    ),
  );
});

describeBodyValidation(gateway, "/cover/order", order, {
  customerId: "id!",
  amount: "amount!",
  amountReturned: "amount",
  items: "array!",
  replaceIfExists: "boolean",
  partnerOrderId: "partnerId!",
  paymentDate: "instant",
  idKey: "line",
  canceledDate: "instant",
  subscriptionId: "id",
  paymentInfo: "text",
  paymentFailed: "boolean",
  errorCode: "line",
  errorMessage: "text",
  paymentGateway: "gateway",
});
