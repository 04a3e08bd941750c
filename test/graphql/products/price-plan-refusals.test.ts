import { expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";
import { everyMonth, TestCatalogue } from "../../support/test-catalogue.ts";

const gateway = await startGateway();
const catalogue = new TestCatalogue(gateway);
const { databaseId: productId } = await catalogue.createProduct();

const flat = { type: "FLAT", recurring: everyMonth };
const usage = { type: "USAGE_BASED", recurring: everyMonth };
const volume = (...volumes: object[]) => ({
  type: "VOLUME_BASED",
  volumes: volumes.map((range) => ({ price: "1", ...range })),
});
const ranges = (...untils: (number | null)[]) => ({
  ...usage,
  additionalBilling: { type: "USAGE_BASED_WITH_RANGE", ranges: untils.map((until) => ({ until, price: "1" })) },
});
const post = (claim: object) => ({ ...flat, claim: { methodType: "POST", ...claim } });
const fee = (setupOption: object) => ({
  setupOption: { name: "Set-up", type: "INITIALLY", price: "1", ...setupOption },
});

test.each<[string, object, ...string[]]>([
  ["a cycle of a one-time plan", { recurring: everyMonth }, "recurring INVALID_VALUE"],
  ["FLAT without a cycle", { type: "FLAT" }, "recurring REQUIRED"],
  ["UNIT_BASED without a cycle", { type: "UNIT_BASED" }, "recurring REQUIRED"],
  ["USAGE_BASED without a cycle", { type: "USAGE_BASED" }, "recurring REQUIRED"],
  ["a fee per period of a plan without periods", fee({ type: "PERIODIC" }), "setupOption.type INVALID_VALUE"],
  ["a postpaid fee of a one-time plan", fee({ claimMethodType: "POST" }), "setupOption.claimMethodType INVALID_VALUE"],
  ["renewals of a one-time plan", { expiryRecurringCount: 2 }, "expiryRecurringCount INVALID_VALUE"],
  [
    "a cycle of more than a century",
    { ...flat, recurring: { interval: "MONTH", intervalCount: 1201 } },
    "recurring.intervalCount INVALID_VALUE",
  ],
  [
    "cycles of more than a millennium",
    { ...flat, recurring: { interval: "YEAR", intervalCount: 100 }, expiryRecurringCount: 11 },
    "expiryRecurringCount INVALID_VALUE",
  ],
  [
    "postpaid of a one-time plan",
    { claim: { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" } },
    "claim.methodType INVALID_VALUE",
  ],
  ["postpaid without a day", post({}), "claim.whenToClaimType REQUIRED"],
  ["postpaid on a date that is not given", post({ whenToClaimType: "DATE" }), "claim.billingDate REQUIRED"],
  ["postpaid on the 32nd", post({ whenToClaimType: "DATE", billingDate: 32 }), "claim.billingDate INVALID_VALUE"],
  [
    "postpaid on the first payment's day and on another",
    post({ whenToClaimType: "FIRST_PAYMENT", billingDate: 5 }),
    "claim.billingDate INVALID_VALUE",
  ],
  [
    "prepaid with a day to charge it",
    { ...flat, claim: { methodType: "PRE", whenToClaimType: "FIRST_PAYMENT" } },
    "claim.whenToClaimType INVALID_VALUE",
  ],
  [
    "service from the 32nd",
    { ...flat, claim: { methodType: "PRE", provideStartDay: 32 } },
    "claim.provideStartDay INVALID_VALUE",
  ],
  ["volumes of another type", { volumes: [{ min: 1, price: "1" }] }, "volumes INVALID_VALUE"],
  ["VOLUME_BASED without volumes", volume(), "volumes REQUIRED"],
  ["volumes with a gap", volume({ min: 1, max: 9 }, { min: 11 }), "volumes[1].min INVALID_VALUE"],
  ["volumes that overlap", volume({ min: 1, max: 9 }, { min: 9 }), "volumes[1].min INVALID_VALUE"],
  ["a volume that ends before it begins", volume({ min: 5, max: 4 }), "volumes[0].max INVALID_VALUE"],
  ["an open volume that is not the last", volume({ min: 1 }, { min: 10 }), "volumes[0].max REQUIRED"],
  [
    "ranges of another type",
    { ...flat, additionalBilling: ranges(null).additionalBilling },
    "additionalBilling INVALID_VALUE",
  ],
  ["included units of another type", { basicServing: 5 }, "basicServing INVALID_VALUE"],
  ["no ranges", ranges(), "additionalBilling.ranges INVALID_VALUE"],
  ["ranges that end", ranges(10, 20), "additionalBilling.ranges[1].until INVALID_VALUE"],
  ["ranges that do not rise", ranges(10, 10, null), "additionalBilling.ranges[1].until INVALID_VALUE"],
  ["an open range that is not the last", ranges(null, null), "additionalBilling.ranges[0].until REQUIRED"],
  ["a one-time price of a bundle, without a bundle", { onetimeBundlePrice: "1" }, "onetimeBundlePrice INVALID_VALUE"],
  ["members without a bundle", { bundlePrices: [{ productId: "1", priceId: "1" }] }, "bundlePrices INVALID_VALUE"],
  ["a bundle of a product that is no bundle", { type: "BUNDLE" }, "type INVALID_VALUE"],
  ["a membership without a unit", { membershipExpirationDate: 1 }, "membershipExpirationDateType REQUIRED"],
  ["a second price in the base currency", { currencyPrice: { KRW: "1" } }, "currencyPrice INVALID_VALUE"],
  [
    "a second fee in the base currency",
    fee({ currencyPrice: { KRW: "1" } }),
    "setupOption.currencyPrice INVALID_VALUE",
  ],
  ["a discount above the price", { firstSale: { enabled: true, price: "18901" } }, "firstSale.price INVALID_VALUE"],
  [
    "a discount above the cheapest volume",
    { ...volume({ min: 2, max: 9 }, { min: 10 }), firstSale: { enabled: true, price: "3" } },
    "firstSale.price INVALID_VALUE",
  ],
  [
    "a discount in a currency without a price",
    { firstSale: { enabled: true, currencyPrice: { USD: "1" } } },
    "firstSale.currencyPrice INVALID_VALUE",
  ],
])("refused: %s", async (_, input, ...faults) => {
  expect(await catalogue.refusalOfPlan(productId, input)).toEqual(["INVALID_ARGUMENT", ...faults]);
});

test("refused: a plan of an unknown product", async () => {
  expect(await catalogue.refusalOfPlan(4_000_000, {})).toEqual(["PRODUCT_NOT_FOUND"]);
});
