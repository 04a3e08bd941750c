import { describe, expect, test } from "vitest";
import { startGateway } from "../support/test-gateway.ts";
import { rowsOf, sendRestForText, statusAndBody, expectedUnknownPath } from "../support/rest-assertions.ts";
import { everyMonth, TestCatalogue } from "../support/test-catalogue.ts";

const gateway = await startGateway();
const catalogue = new TestCatalogue(gateway);
const stranger = await gateway.openVendor({ name: "Stranger" });

const AT = "2026-03-01T09:30:00.000";

/** A price body with only the fields that every plan has. */
const plainPrice = {
  id: expect.any(Number),
  code: expect.stringMatching(/^price_[A-Za-z0-9]{9}$/),
  price: 18_900,
  currencyPrice: {},
  unit: "",
  planName: "One bag",
  planDescription: "",
  type: "ONE_TIME",
  enabledFirstSalePrice: false,
  firstSalePrice: 0,
  claimMethodType: "PRE",
  whenToClaimType: "FIRST_PAYMENT",
  billingDate: 0,
  maximumPurchaseQuantity: 0,
  membershipExpirationDate: 0,
  membershipExpirationDateType: null,
  setupOption: null,
  options: [],
  volumes: [],
  additionalBilling: null,
  recurring: null,
  basicServing: 0,
  bundlePrices: [],
  onetimeBundlePrice: 0,
  order: 0,
  createdAt: AT,
  modifiedAt: AT,
  plan: { name: "One bag", description: "", detailDescription: "", isHiddenFromShop: false, adminName: "" },
  firstSale: { enabled: false, price: 0, currencyPrice: {} },
  claim: { methodType: "PRE", whenToClaimType: "FIRST_PAYMENT", billingDate: 0, provideStartDay: null },
};

describe("GET /products/{code}", () => {
  test("answers a plain product with every field of the table, and no others", async () => {
    const { databaseId, code } = await catalogue.createProduct();
    const { status, body } = await gateway.sendRest("GET", `/products/${code}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: databaseId,
      code,
      type: "BOX",
      status: "SALE",
      name: "House Blend",
      subTitle: "",
      description: "",
      summary: "",
      featuredImageUrl: "",
      imageUrls: [],
      reasonOfReject: null,
      sku: null,
      quantity: null,
      combinedProducts: [],
      optionGroups: [],
      useCombination: false,
      optionCombinations: [],
      prices: [],
      createdAt: AT,
      modifiedAt: AT,
      enabledDemo: false,
      demoPeriod: 0,
      demoPeriodUnit: "DAY",
      categories: [],
      vendorUuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      productOrder: 0,
      isOnetimePurchasable: false,
      eventBadge: [],
      notice: null,
      useWidget: { useDemo: false, useEventBadge: false, useOnetimePurchasable: false, useNotice: false },
      groupId: null,
      countrySetting: null,
      availableRegions: [],
    });
  });

  test("answers its related records: options, combinations, plans, categories, regions", async () => {
    const { databaseId, code } = await catalogue.createProduct({
      quantity: 12,
      sku: "HB-1",
      optionGroups: [
        { name: "Colour", options: [{ name: "Red", price: "0.5", quantity: 3 }] },
        { name: "Size", options: [{ name: "L", parent: "Red" }] },
      ],
      useCombination: true,
      optionCombinations: [{ options: ["Red", "L"], quantity: 4, price: "1.25" }],
      categories: ["Coffee"],
      eventBadge: [{ event: "NEW", startDateTime: "2026-03-01T00:00:00+09:00" }],
      countrySetting: { countryCode: "KR", timezoneName: "Asia/Seoul", currencyCode: "KRW", taxRate: "10" },
      availableRegions: ["US_NEW_YORK"],
    });
    await catalogue.createPlan(databaseId);
    const { body } = await gateway.sendRest("GET", `/products/${code}`);
    const [colour, size] = body.optionGroups!;
    expect(body).toMatchObject({
      quantity: 12,
      sku: "HB-1",
      prices: [plainPrice],
      eventBadge: [{ event: "NEW", startDateTime: "2026-02-28T15:00:00.000", endDateTime: null }],
    });
    expect(body.optionGroups).toEqual([
      {
        id: expect.any(Number),
        name: "Colour",
        options: [{ id: expect.any(Number), name: "Red", price: 0.5, quantity: 3, parent: null }],
        depth: 0,
      },
      {
        id: expect.any(Number),
        name: "Size",
        options: [{ id: expect.any(Number), name: "L", price: 0, quantity: null, parent: colour!.options[0]!.id }],
        depth: 1,
      },
    ]);
    expect(body.optionCombinations).toEqual([
      { id: [colour!.options[0]!.id, size!.options[0]!.id], status: "SALE", quantity: 4, price: 1.25 },
    ]);
    expect(body.categories).toEqual([{ categoryId: expect.any(Number), name: "Coffee" }]);
    expect(body.countrySetting).toEqual({
      id: expect.any(Number),
      countryCode: "KR",
      timezoneName: "Asia/Seoul",
      currencyCode: "KRW",
      isDefault: false,
      taxRate: 10,
    });
    expect(body.availableRegions).toEqual([
      {
        code: "US_NEW_YORK",
        currency: "USD",
        country: "United States",
        countryCode: "US",
        state: "New York",
        language: "en",
      },
    ]);
  });

  test("answers the members of a bundle, with their plans in its own plan", async () => {
    const tea = await catalogue.createProduct({
      name: "Tea",
      optionGroups: [{ name: "Sort", options: [{ name: "Green" }] }],
    });
    const plan = await catalogue.createPlan(tea.databaseId);
    const bundle = await catalogue.createProduct({ type: "BUNDLE", combinedProductIds: [String(tea.databaseId)] });
    const pair = { productId: String(tea.databaseId), priceId: String(plan.databaseId) };
    await catalogue.createPlan(bundle.databaseId, { type: "BUNDLE", onetimeBundlePrice: "5", bundlePrices: [pair] });
    const { body } = await gateway.sendRest("GET", `/products/${bundle.code}`);
    const member = {
      code: tea.code,
      type: "BOX",
      status: "SALE",
      name: "Tea",
      description: "",
      options: [
        {
          id: expect.any(Number),
          name: "Sort",
          options: [{ id: expect.any(Number), name: "Green", price: 0, quantity: null, parent: null }],
          depth: 0,
        },
      ],
      prices: [plainPrice],
      createdAt: AT,
      modifiedAt: AT,
    };
    expect(body.combinedProducts).toEqual([member]);
    const { body: whole } = await gateway.sendRest("GET", `/products/${tea.code}`);
    expect(body.prices).toEqual([
      {
        ...plainPrice,
        type: "BUNDLE",
        onetimeBundlePrice: 5,
        bundlePrices: [{ product: whole, price: { ...plainPrice, id: plan.databaseId, code: plan.code } }],
      },
    ]);
  });

  test("answers 404 for a code that the vendor does not have, even if another one has it", async () => {
    const { code } = await catalogue.createProduct();
    const nobodys = "/products/product_nobodys00";
    expect(statusAndBody(await gateway.sendRest("GET", nobodys))).toEqual(
      expectedUnknownPath(404, "PRODUCT_NOT_FOUND", "code"),
    );
    const theirs = await sendRestForText(gateway, "GET", `/products/${code}`, undefined, stranger);
    const same = await sendRestForText(gateway, "GET", nobodys, undefined, stranger);
    expect({ ...theirs, text: theirs.text.replaceAll(code, "product_nobodys00") }).toEqual(same);
  });
});

describe("GET /products/{id}/prices", () => {
  test("lists the plans in their order, in two statements whatever their number", async () => {
    const { databaseId } = await catalogue.createProduct();
    const count = async () => {
      gateway.statements.length = 0;
      const { status, body } = await gateway.sendRest("GET", `/products/${databaseId}/prices`);
      return { status, names: rowsOf(body).map(({ planName }) => planName), statements: gateway.statements.length };
    };
    expect((await count()).names).toEqual([]);
    await catalogue.createPlan(databaseId, { order: 2, plan: { name: "Second" } });
    const { statements } = await count();
    await catalogue.createPlan(databaseId, { order: 1, plan: { name: "First" } });
    await catalogue.createPlan(databaseId, { order: 2, plan: { name: "Third" } });
    expect(await count()).toEqual({ status: 200, names: ["First", "Second", "Third"], statements });
  });

  test.each(["4000000", "theirs"])("answers 404 for a product that the vendor does not have: %s", async (whose) => {
    const id = whose === "theirs" ? (await new TestCatalogue(gateway, stranger).createProduct()).databaseId : whose;
    expect(statusAndBody(await gateway.sendRest("GET", `/products/${id}/prices`))).toEqual(
      expectedUnknownPath(404, "PRODUCT_NOT_FOUND", "id"),
    );
  });
});

describe("GET /products/{id}/prices/{priceId}", () => {
  test("answers every field of a plan; only its product has regions", async () => {
    const { databaseId } = await catalogue.createProduct({ availableRegions: ["KR"] });
    const course = await catalogue.createProduct({ type: "SOFTWARE" });
    const other = await catalogue.createPlan(course.databaseId, {
      type: "FLAT",
      recurring: everyMonth,
      plan: { name: "Course" },
    });
    const { databaseId: priceId } = await catalogue.createPlan(databaseId, {
      type: "USAGE_BASED",
      currencyPrice: { USD: "12.5" },
      recurring: { interval: "YEAR", intervalCount: 2 },
      claim: { methodType: "POST", whenToClaimType: "DATE", billingDate: 15, provideStartDay: 3 },
      setupOption: { name: "Set-up", type: "INITIALLY", price: "3.5", currencyPrice: { USD: "1" } },
      basicServing: 10,
      additionalBilling: {
        type: "USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE",
        ranges: [{ until: 100, price: "0" }, { price: "0.25" }],
      },
      options: [{ name: "Course", type: "PERIODIC", price: "7", optionPriceId: String(other.databaseId) }],
      firstSale: { enabled: true, price: "0.1", currencyPrice: { USD: "12.5" } },
    });
    const { status, body } = await gateway.sendRest("GET", `/products/${databaseId}/prices/${priceId}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...plainPrice,
      id: priceId,
      type: "USAGE_BASED",
      currencyPrice: { USD: 12.5 },
      enabledFirstSalePrice: true,
      firstSalePrice: 0.1,
      firstSale: { enabled: true, price: 0.1, currencyPrice: { USD: 12.5 } },
      claimMethodType: "POST",
      whenToClaimType: "DATE",
      billingDate: 15,
      claim: { methodType: "POST", whenToClaimType: "DATE", billingDate: 15, provideStartDay: 3 },
      setupOption: {
        id: priceId,
        name: "Set-up",
        type: "INITIALLY",
        price: 3.5,
        currencyPrice: { USD: 1 },
        claimMethodType: "PRE",
      },
      basicServing: 10,
      additionalBilling: {
        id: priceId,
        type: "USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE",
        ranges: [
          { id: 1, until: 100, price: 0 },
          { id: 2, until: -1, price: 0.25 },
        ],
      },
      options: [
        {
          id: expect.any(Number),
          price: 7,
          name: "Course",
          productCode: course.code,
          type: "PERIODIC",
          priceCode: other.code,
          priceName: "Course",
          productType: "SOFTWARE",
          recurringDTO: {
            id: other.databaseId,
            intervalCount: 1,
            aggregateUsageType: "SUM",
            interval: "MONTH",
            usageType: "LICENSED",
          },
        },
      ],
      recurring: {
        id: priceId,
        intervalCount: 2,
        aggregateUsageType: "SUM",
        interval: "YEAR",
        usageType: "METERED",
      },
    });
  });

  test("answers ranges of quantities", async () => {
    const { databaseId } = await catalogue.createProduct();
    const volumes = [
      { min: 1, max: 9, price: "100" },
      { min: 10, price: "90.5" },
    ];
    const plan = await catalogue.createPlan(databaseId, { type: "VOLUME_BASED", volumes });
    const { body } = await gateway.sendRest("GET", `/products/${databaseId}/prices/${plan.databaseId}`);
    expect(body.volumes).toEqual([
      { id: 1, min: 1, max: 9, price: 100 },
      { id: 2, min: 10, max: -1, price: 90.5 },
    ]);
  });

  test("answers 404 for a plan of another product, of another vendor, or of none", async () => {
    const [one, other] = [await catalogue.createProduct(), await catalogue.createProduct()];
    const plan = await catalogue.createPlan(other.databaseId);
    const theirs = new TestCatalogue(gateway, stranger);
    const their = await theirs.createProduct();
    const theirPlan = await theirs.createPlan(their.databaseId);
    for (const path of [
      `/products/${one.databaseId}/prices/${plan.databaseId}`,
      `/products/${one.databaseId}/prices/4000000`,
      `/products/4000000/prices/${plan.databaseId}`,
      `/products/${their.databaseId}/prices/${theirPlan.databaseId}`,
    ] as const)
      expect(statusAndBody(await gateway.sendRest("GET", path))).toEqual(
        expectedUnknownPath(404, "PRICE_NOT_FOUND", "priceId"),
      );
    expect((await gateway.sendRest("GET", `/products/${one.databaseId}/prices/many`)).status).toBe(404);
  });
});
