import { describe, expect, test } from "vitest";
import { readCoverOrder } from "../../support/cover-reads.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { statusAndBody } from "../../support/rest-assertions.ts";
import { uniqueName } from "../../support/fixtures/cover-fixture.ts";

/** Fields, a parameter, an added field, and words of three enums. */
const vocabulary = {
  paymentGateway: "pgType",
  PROVIDER_01: "ACME_PAY",
  PROVIDER_02: "PROVIDER_03",
  PROVIDER_03: "PROVIDER_02",
  items: "lines",
  quantity: "count",
  customerId: "buyerNo",
  retryDate: "nextTry",
  partnerOrderId: "shopOrderNo",
  recurringInterval: "cycle",
  MONTH: "MONTHLY",
  PAYMENT_FAILURE: "FAILED",
  notify: "tell",
  result: "ok",
  coverId: "caseNo",
  currentPeriodEnd: "periodEnd",
  replaceIfExists: "overwrite",
  PAID: "SETTLED",
};

const gateway = await startGateway({ vocabulary });
/** Registers a record. No body has the contract's names, because the words are mapped. */
const register = async (path: string, body: object) => (await gateway.sendRawRest("POST", path, body)).body;
const buyer = await register("/cover/customer", {
  name: "Kim",
  email: "kim@example.com",
  phone: "1",
  partnerCustomerId: "kim",
});
const product = await register("/cover/product", { name: "Blend", partnerProductId: "blend" });
const monthly = { name: "Monthly", productId: product.id, price: 5, partnerPriceId: "monthly", cycle: "MONTHLY" };
const plan = await register("/cover/price", monthly);
const subscription = {
  buyerNo: buyer.id,
  currentPeriodStart: "2026-02-01T00:00:00Z",
  periodEnd: "2026-03-01T00:00:00Z",
  cycle: "MONTHLY",
  recurringIntervalCount: 1,
  partnerSubscriptionId: "s",
};
const { id: subscriptionId } = await register("/cover/subscription", subscription);
const order = (rest: object = {}) => ({
  buyerNo: buyer.id,
  amount: 5,
  lines: [{ count: 2, priceId: plan.id }],
  shopOrderNo: uniqueName("order"),
  ...rest,
});

describe("a mapped word", () => {
  test("is answered under its wire word, at every depth, with its values", async () => {
    const body = order({ paymentFailed: true });
    expect(statusAndBody(await gateway.post("/cover/order", body))).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        customer: buyer,
        amount: 5,
        amountReturned: 0,
        lines: [
          {
            count: 2,
            price: {
              id: plan.id,
              name: "Monthly",
              partnerPriceId: "monthly",
              product,
              price: 5,
              isRecurring: true,
              cycle: "MONTHLY",
              recurringIntervalCount: 1,
            },
          },
        ],
        status: "FAILED",
        shopOrderNo: body.shopOrderNo,
        canceledDate: null,
        paymentDate: null,
        idKey: null,
        nextTry: "2026-03-02T09:30:00.000Z",
      },
    });
  });

  test("is used in the answer of a recovery", async () => {
    const { id: orderId } = await register("/cover/order", order());
    expect((await gateway.post("/cover/recovery", { subscriptionId, orderId })).body).toEqual({
      caseNo: expect.any(Number),
      nextTry: "2026-03-02T09:30:00.000Z",
    });
  });

  test.each(["cancel", "active"])("is used in the answer that is not a resource: %s", async (call) => {
    const { body } = await gateway.sendRawRest("PUT", `/cover/subscription/${subscriptionId}/${call}`);
    expect(body).toEqual({ ok: true, message: expect.any(String) });
  });

  test.each([
    ["ACME_PAY", "PROVIDER_01"],
    ["PROVIDER_03", "PROVIDER_02"],
    ["PROVIDER_02", "PROVIDER_03"],
    ["PROVIDER_04", "PROVIDER_04"],
    ["HOUSE", "HOUSE"],
  ])("%s on the wire is %s inside", async (pgType, inside) => {
    const { id } = await register("/cover/order", order({ pgType }));
    expect((await readCoverOrder(gateway, id)).paymentGateway).toBe(inside);
  });

  test("is read as a parameter under its wire word only", async () => {
    const { id } = await register("/cover/order", order({ paymentFailed: true }));
    const answer = await gateway.sendRest("PATCH", `/cover/order/success/${id}?tell=true&notify=true`);
    expect([answer.status, answer.headers["x-ignored-parameters"]]).toEqual([200, "notify"]);
    expect(
      (await readCoverOrder(gateway, id)).timeline.filter(({ type, notify }) => type === "COVER_RECOVERED" && notify),
    ).toHaveLength(1);
  });

  test.each([
    [
      "a neutral word that is mapped",
      "/cover/order",
      () => order({ pgType: "PROVIDER_01" }),
      [["pgType", "INVALID_VALUE"]],
    ],
    [
      "a neutral interval that is mapped",
      "/cover/price",
      () => ({ ...monthly, partnerPriceId: "p", cycle: "MONTH" }),
      [["cycle", "INVALID_VALUE"]],
    ],
    [
      "a neutral field that is mapped and required",
      "/cover/order",
      () => ({ ...order(), buyerNo: undefined, customerId: buyer.id }),
      [["buyerNo", "REQUIRED"]],
    ],
    ["a wrong list", "/cover/order", () => order({ lines: 5 }), [["lines", "INVALID_TYPE"]]],
    [
      "wrong values within a list",
      "/cover/order",
      () => order({ lines: [{ count: 0 }] }),
      [
        ["lines[0].count", "INVALID_VALUE"],
        ["lines[0].priceId", "REQUIRED"],
      ],
    ],
    [
      "an unknown id",
      "/cover/order",
      () => order({ lines: [{ count: 1, priceId: 4_000_000 }] }),
      [["lines[0].priceId", "NOT_FOUND"]],
    ],
    [
      "an unknown customer",
      "/cover/subscription",
      () => ({ ...subscription, partnerSubscriptionId: "t", buyerNo: 4_000_000 }),
      [["buyerNo", "NOT_FOUND"]],
    ],
    [
      "a period that ends before it starts",
      "/cover/subscription",
      () => ({ ...subscription, periodEnd: "2026-01-01T00:00:00Z" }),
      [["periodEnd", "INVALID_VALUE"]],
    ],
    [
      "a recurring plan without an interval",
      "/cover/price",
      () => ({ ...monthly, partnerPriceId: "p", isRecurring: true, cycle: null }),
      [["cycle", "REQUIRED"]],
    ],
  ] as const)("is the word in which the body's error names %s", async (_, path, body, faults) => {
    const answer = await gateway.sendRawRest("POST", path, body());
    expect([
      answer.status,
      answer.body.details.fields.map(({ path: at, code }: { path: string; code: string }) => [at, code]),
    ]).toEqual([400, faults]);
    expect(answer.body.errorMessage).toContain(faults[0][0]);
    // The sender's own word is repeated as it was sent.
    const told = JSON.stringify(answer.body)
      .replace(/ Received [^.]*\./, "")
      .replace(/,"value":"[^"]*"/, "");
    expect(told).not.toMatch(
      /paymentGateway|PROVIDER_01|items|quantity|customerId|recurringInterval\b|currentPeriodEnd/,
    );
  });

  test("is used by a sentence that names a field", async () => {
    const product = { name: "Blend", partnerProductId: "blend" };
    const { errorMessage } = (await gateway.post("/cover/product", product)).body;
    expect(errorMessage).toMatch(/\boverwrite\b/);
    expect(errorMessage).not.toMatch(/replaceIfExists/);
    expect((await gateway.post("/cover/product", { ...product, overwrite: true })).status).toBe(201);
  });

  test("is used by a sentence that names a state", async () => {
    const { id, status } = await register("/cover/order", order({ paymentDate: "2026-03-01T00:00:00Z" }));
    const { body } = await gateway.sendRest("PATCH", `/cover/order/cancel/${id}`);
    expect([status, body.errorCode]).toEqual(["SETTLED", "ORDER_ALREADY_PAID"]);
    expect(body.errorMessage).toMatch(/\bSETTLED\b/);
  });

  test("replaces its neutral word: an optional field under the neutral one is ignored", async () => {
    const { id } = await register("/cover/order", order({ paymentGateway: "HOUSE" }));
    expect((await readCoverOrder(gateway, id)).paymentGateway).toBe("UNKNOWN");
  });

  test("stays neutral in GraphQL", async () => {
    const { id } = await register("/cover/order", order({ paymentFailed: true }));
    expect((await readCoverOrder(gateway, id)).status).toBe("PAYMENT_FAILURE");
  });

  test("is shown in the OpenAPI document, for fields, parameters and values", async () => {
    const document = (await gateway.gateway.server.inject({ url: "/openapi.json" })).body;
    // Two providers are swapped, and "items" is a word of JSON Schema as well.
    const neutral = Object.keys(vocabulary).filter((word) => !/^PROVIDER_0[23]$|^items$/.test(word));
    const shown = new Set(document.match(/"[A-Za-z_0-9]+"/g));
    expect(neutral.filter((word) => shown.has(`"${word}"`))).toEqual([]);
    expect(Object.values(vocabulary).filter((word) => !shown.has(`"${word}"`))).toEqual([]);
  });
});
