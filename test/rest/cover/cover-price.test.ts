import { describe, expect, test } from "vitest";
import { describeBodyValidation, describeReplaceIfExists } from "../../support/body-validation.ts";
import { startGateway } from "../../support/test-gateway.ts";
import {
  expectNoChanges,
  expectedInvalidFields,
  statusAndBody,
  expectedUnknownReference,
} from "../../support/rest-assertions.ts";
import { uniqueName } from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway();
const product = (await gateway.post("/cover/product", { name: "House blend", partnerProductId: "blend" })).body;
const other = (await gateway.post("/cover/product", { name: "Dark roast", partnerProductId: "dark" })).body;

const price = () => ({ name: "Monthly", productId: product.id, price: 18_900, partnerPriceId: uniqueName("price") });
const everyOtherWeek = () => ({ ...price(), isRecurring: true, recurringInterval: "WEEK", recurringIntervalCount: 2 });

const once = { isRecurring: false, recurringInterval: null, recurringIntervalCount: null };
const each = (recurringInterval: string, recurringIntervalCount: number) => ({
  isRecurring: true,
  recurringInterval,
  recurringIntervalCount,
});

describe("POST /cover/price", () => {
  test("registers a plan and answers exactly its eight fields, the product whole", async () => {
    const { productId: _, ...body } = { ...everyOtherWeek(), price: 12.5 };
    expect(statusAndBody(await gateway.post("/cover/price", { ...body, productId: product.id }))).toEqual({
      status: 201,
      body: { id: expect.any(Number), ...body, product },
    });
  });

  test.each([
    ["nothing", {}, once],
    ["an interval", { recurringInterval: "MONTH" }, each("MONTH", 1)],
    ["an interval and a count", { recurringInterval: "DAY", recurringIntervalCount: 30 }, each("DAY", 30)],
    ["isRecurring false", { isRecurring: false }, once],
    ["isRecurring true and an interval", { isRecurring: true, recurringInterval: "YEAR" }, each("YEAR", 1)],
    ["isRecurring null and an interval", { isRecurring: null, recurringInterval: "WEEK" }, each("WEEK", 1)],
  ])("takes the cycle from the sent fields: %s", async (_, sent, cycle) => {
    const { status, body } = await gateway.post("/cover/price", { ...price(), ...sent });
    expect({ status, body }).toEqual({ status: 201, body: expect.objectContaining(cycle) });
  });

  test.each([
    ["without an interval", { isRecurring: true }],
    ["with an interval of null", { isRecurring: true, recurringInterval: null }],
    ["with a count only", { isRecurring: true, recurringIntervalCount: 3 }],
  ])("refuses a recurring plan %s", (_, sent) =>
    expectNoChanges(gateway, async () =>
      expect(statusAndBody(await gateway.post("/cover/price", { ...price(), ...sent }))).toEqual(
        expectedInvalidFields(["recurringInterval", "REQUIRED"]),
      ),
    ),
  );

  test("refuses an unknown product", () =>
    expectNoChanges(gateway, async () =>
      expect(statusAndBody(await gateway.post("/cover/price", { ...price(), productId: 4_000_000 }))).toEqual(
        expectedUnknownReference("productId", "PRODUCT_NOT_FOUND"),
      ),
    ));
});

describeBodyValidation(gateway, "/cover/price", price, {
  name: "name!",
  productId: "id!",
  price: "amount!",
  partnerPriceId: "partnerId!",
  isRecurring: "boolean",
  recurringInterval: "interval",
  recurringIntervalCount: "count",
  replaceIfExists: "boolean",
});

describeReplaceIfExists(gateway, "/cover/price", {
  full: everyOtherWeek,
  least: ["name", "productId", "price", "partnerPriceId"],
  changes: () => ({
    name: { sent: { name: "Fortnightly" } },
    productId: { sent: { productId: other.id }, answered: { product: other } },
    price: { sent: { price: 0.000001 } },
    recurringInterval: { sent: { recurringInterval: "MONTH" } },
    recurringIntervalCount: { sent: { recurringIntervalCount: 5 } },
    "isRecurring true": { sent: { isRecurring: true }, answered: {} },
    "isRecurring false": { sent: { isRecurring: false }, answered: once },
  }),
});

test("a one-time plan recurs when an interval is sent", async () => {
  const body = price();
  const first = await gateway.post("/cover/price", body);
  const replaced = await gateway.post("/cover/price", { ...body, recurringInterval: "MONTH", replaceIfExists: true });
  expect(statusAndBody(replaced)).toEqual({ status: 201, body: { ...first.body, ...each("MONTH", 1) } });
});
