import { describe, expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";
import { everyMonth, graphqlRefusalOf, TestCatalogue } from "../../support/test-catalogue.ts";

const gateway = await startGateway();
const catalogue = new TestCatalogue(gateway);
const { databaseId: productId } = await catalogue.createProduct();

const whole = `type price currencyPrice unit planName planDescription enabledFirstSalePrice firstSalePrice claimMethodType
  whenToClaimType billingDate maximumPurchaseQuantity membershipExpirationDate membershipExpirationDateType
  expiryRecurringCount isRepresentative basicServing onetimeBundlePrice order createdAt modifiedAt
  plan { name description detailDescription isHiddenFromShop adminName } firstSale { enabled price currencyPrice }
  claim { methodType whenToClaimType billingDate provideStartDay }
  setupOption { databaseId name type price currencyPrice claimMethodType }
  options { databaseId name type price priceCode priceName productCode productType recurring { interval intervalCount } }
  volumes { databaseId min max price } additionalBilling { databaseId type ranges { databaseId until price } }
  recurring { databaseId interval intervalCount aggregateUsageType usageType }
  bundlePrices { product { name } price { planName } } product { name }`;

const bare = {
  type: "ONE_TIME",
  price: "18900",
  currencyPrice: {},
  unit: "",
  planName: "One bag",
  planDescription: "",
  enabledFirstSalePrice: false,
  firstSalePrice: "0",
  claimMethodType: "PRE",
  whenToClaimType: null,
  billingDate: null,
  maximumPurchaseQuantity: 0,
  membershipExpirationDate: 0,
  membershipExpirationDateType: null,
  expiryRecurringCount: null,
  isRepresentative: false,
  basicServing: 0,
  onetimeBundlePrice: "0",
  order: 0,
  createdAt: "2026-03-01T09:30:00.000Z",
  modifiedAt: "2026-03-01T09:30:00.000Z",
  plan: { name: "One bag", description: "", detailDescription: "", isHiddenFromShop: false, adminName: "" },
  firstSale: { enabled: false, price: "0", currencyPrice: {} },
  claim: { methodType: "PRE", whenToClaimType: null, billingDate: null, provideStartDay: null },
  setupOption: null,
  options: [],
  volumes: [],
  additionalBilling: null,
  recurring: null,
  bundlePrices: [],
  product: { name: "House Blend" },
};

const cycle = { interval: "MONTH", intervalCount: 1, aggregateUsageType: "SUM", usageType: "LICENSED" };

describe("a plan", () => {
  test("has defaults for fields that are not given", async () => {
    const { code, ...plan } = await catalogue.createPlan(productId, {}, `code ${whole}`);
    expect(code).toMatch(/^price_[A-Za-z0-9]{9}$/);
    expect(plan).toEqual(bare);
  });

  test("that is FLAT saves every given field", async () => {
    const { databaseId, ...plan } = await catalogue.createPlan(
      productId,
      {
        type: "FLAT",
        price: "12.5",
        currencyPrice: { USD: "10", JPY: 1500 },
        unit: "seat",
        plan: {
          name: "Team",
          description: "For teams",
          detailDescription: "Up to ten.",
          isHiddenFromShop: true,
          adminName: "team-2026",
        },
        firstSale: { enabled: true, price: "2.5", currencyPrice: { USD: "10" } },
        claim: { methodType: "POST", whenToClaimType: "DATE", billingDate: 31, provideStartDay: 1 },
        maximumPurchaseQuantity: 5,
        membershipExpirationDate: 12,
        membershipExpirationDateType: "MONTH",
        expiryRecurringCount: 11,
        setupOption: {
          name: "Set-up",
          type: "PERIODIC",
          price: "3",
          currencyPrice: { USD: "2" },
          claimMethodType: "POST",
        },
        recurring: { interval: "WEEK", intervalCount: 2, aggregateUsageType: "MAX", usageType: "METERED" },
        order: 4,
        isRepresentative: true,
      },
      `databaseId ${whole}`,
    );
    expect(plan).toEqual({
      ...bare,
      type: "FLAT",
      price: "12.5",
      currencyPrice: { USD: "10", JPY: "1500" },
      unit: "seat",
      planName: "Team",
      planDescription: "For teams",
      plan: {
        name: "Team",
        description: "For teams",
        detailDescription: "Up to ten.",
        isHiddenFromShop: true,
        adminName: "team-2026",
      },
      enabledFirstSalePrice: true,
      firstSalePrice: "2.5",
      firstSale: { enabled: true, price: "2.5", currencyPrice: { USD: "10" } },
      claimMethodType: "POST",
      whenToClaimType: "DATE",
      billingDate: 31,
      claim: { methodType: "POST", whenToClaimType: "DATE", billingDate: 31, provideStartDay: 1 },
      maximumPurchaseQuantity: 5,
      membershipExpirationDate: 12,
      membershipExpirationDateType: "MONTH",
      expiryRecurringCount: 11,
      setupOption: {
        databaseId,
        name: "Set-up",
        type: "PERIODIC",
        price: "3",
        currencyPrice: { USD: "2" },
        claimMethodType: "POST",
      },
      recurring: { databaseId, interval: "WEEK", intervalCount: 2, aggregateUsageType: "MAX", usageType: "METERED" },
      order: 4,
      isRepresentative: true,
    });
  });

  test.each(["UNIT_BASED", "USAGE_BASED"])("that is %s has ranges of units", async (type) => {
    const { databaseId, ...plan } = await catalogue.createPlan(
      productId,
      {
        type,
        basicServing: 100,
        recurring: everyMonth,
        additionalBilling: {
          type: "USAGE_BASED_WITH_RANGE",
          ranges: [{ until: 1000, price: "0" }, { until: 10_000, price: "10" }, { price: "5.5" }],
        },
      },
      `databaseId ${whole}`,
    );
    expect(plan).toEqual({
      ...bare,
      type,
      basicServing: 100,
      recurring: { databaseId, ...cycle, usageType: type === "USAGE_BASED" ? "METERED" : "LICENSED" },
      additionalBilling: {
        databaseId,
        type: "USAGE_BASED_WITH_RANGE",
        ranges: [
          { databaseId: 1, until: 1000, price: "0" },
          { databaseId: 2, until: 10_000, price: "10" },
          { databaseId: 3, until: null, price: "5.5" },
        ],
      },
    });
  });

  test("that is VOLUME_BASED has ranges of quantities", async () => {
    const volumes = [
      { min: 1, max: 9, price: "100" },
      { min: 10, price: "90" },
    ];
    const plan = await catalogue.createPlan(productId, { type: "VOLUME_BASED", price: "0", volumes }, whole);
    expect(plan).toEqual({
      ...bare,
      type: "VOLUME_BASED",
      price: "0",
      volumes: [
        { databaseId: 1, min: 1, max: 9, price: "100" },
        { databaseId: 2, min: 10, max: null, price: "90" },
      ],
    });
  });

  test("that is a BUNDLE has a plan of each member, in the order of the bundle", async () => {
    const members = [await catalogue.createProduct({ name: "Tea" }), await catalogue.createProduct({ name: "Cup" })];
    const plans = await Promise.all(members.map(({ databaseId }) => catalogue.createPlan(databaseId)));
    const bundle = await catalogue.createProduct({
      type: "BUNDLE",
      name: "Tea time",
      combinedProductIds: members.map(({ databaseId }) => String(databaseId)),
    });
    const pairs = members.map(({ databaseId }, index) => ({
      productId: String(databaseId),
      priceId: String(plans[index]!.databaseId),
    }));
    const input = { type: "BUNDLE", onetimeBundlePrice: "500", bundlePrices: pairs.toReversed() };
    expect(await catalogue.createPlan(bundle.databaseId, input, whole)).toEqual({
      ...bare,
      type: "BUNDLE",
      onetimeBundlePrice: "500",
      bundlePrices: [
        { product: { name: "Tea" }, price: { planName: "One bag" } },
        { product: { name: "Cup" }, price: { planName: "One bag" } },
      ],
      product: { name: "Tea time" },
    });
    const swapped = [{ ...pairs[0], priceId: pairs[1]!.priceId }, pairs[1]];
    const refused = (bundlePrices: object[]) =>
      catalogue.refusalOfPlan(bundle.databaseId, { type: "BUNDLE", bundlePrices });
    expect(await refused([])).toEqual(["INVALID_ARGUMENT", "bundlePrices REQUIRED"]);
    expect(await refused([pairs[0]!])).toEqual(["INVALID_ARGUMENT", "bundlePrices REQUIRED"]);
    expect(await refused([pairs[0]!, pairs[0]!])).toEqual([
      "INVALID_ARGUMENT",
      "bundlePrices[1].productId INVALID_VALUE",
    ]);
    expect(await refused(swapped as object[])).toEqual(["INVALID_ARGUMENT", "bundlePrices[0].priceId NOT_FOUND"]);
    expect(await refused([{ ...pairs[0], productId: String(productId) }])).toEqual([
      "INVALID_ARGUMENT",
      "bundlePrices[0].productId NOT_FOUND",
    ]);
    expect(await catalogue.refusalOfPlan(bundle.databaseId, { type: "ONE_TIME" })).toEqual([
      "INVALID_ARGUMENT",
      "type INVALID_VALUE",
    ]);
  });
});

describe("a change of a plan", () => {
  const change = (id: number, input: object) =>
    catalogue.sendMutation("updatePricePlan", { id: String(id), ...input }, `pricePlan { ${whole} }`);

  test("sets the sent fields, and leaves the others", async () => {
    const { databaseId } = await catalogue.createPlan(productId, {
      type: "FLAT",
      recurring: everyMonth,
      plan: { name: "Team", adminName: "team" },
      setupOption: { name: "Set-up", type: "INITIALLY", price: "3" },
    });
    gateway.clock.setTo("2026-03-02T09:30:00.000Z");
    const { data } = await change(databaseId, { price: "20000", plan: { description: "New" }, setupOption: null });
    expect(data!.updatePricePlan.pricePlan).toEqual({
      ...bare,
      type: "FLAT",
      price: "20000",
      planName: "Team",
      planDescription: "New",
      plan: { ...bare.plan, name: "Team", description: "New", adminName: "team" },
      recurring: { databaseId, ...cycle },
      modifiedAt: "2026-03-02T09:30:00.000Z",
    });
  });

  test("is validated against the resulting plan", async () => {
    const { databaseId } = await catalogue.createPlan(productId, { firstSale: { enabled: true, price: "18900" } });
    expect(graphqlRefusalOf(await change(databaseId, { price: "18899" }))).toEqual([
      "INVALID_ARGUMENT",
      "firstSale.price INVALID_VALUE",
    ]);
    expect(graphqlRefusalOf(await change(databaseId, { recurring: everyMonth }))).toEqual([
      "INVALID_ARGUMENT",
      "recurring INVALID_VALUE",
    ]);
    expect(graphqlRefusalOf(await change(4_000_000, { price: "1" }))).toEqual(["PRICE_NOT_FOUND", "id NOT_FOUND"]);
  });

  test("makes one plan at a time the product's representative", async () => {
    const product = await catalogue.createProduct();
    const first = await catalogue.createPlan(product.databaseId, { isRepresentative: true });
    const second = await catalogue.createPlan(product.databaseId, { isRepresentative: true, order: -1 });
    const read = async () =>
      (await catalogue.readProduct(product.databaseId, "prices { databaseId isRepresentative }")).prices;
    expect(await read()).toEqual([
      { databaseId: second.databaseId, isRepresentative: true },
      { databaseId: first.databaseId, isRepresentative: false },
    ]);
    await change(first.databaseId, { isRepresentative: true });
    expect(await read()).toEqual([
      { databaseId: second.databaseId, isRepresentative: false },
      { databaseId: first.databaseId, isRepresentative: true },
    ]);
  });
});

test("one plan is read by its id or code, of any product or of one", async () => {
  const [own, other] = [await catalogue.createProduct(), await catalogue.createProduct()];
  const { databaseId, code } = await catalogue.createPlan(own.databaseId);
  const read = (by: string) => gateway.queryRawData(`{ pricePlan(${by}) { code } }`);
  for (const by of [`code: "${code}"`, `id: "${databaseId}"`]) {
    expect(await read(by)).toEqual({ pricePlan: { code } });
    expect(await read(`${by}, productId: "${own.databaseId}"`)).toEqual({ pricePlan: { code } });
    expect(await read(`${by}, productId: "${other.databaseId}"`)).toEqual({ pricePlan: null });
  }
});
