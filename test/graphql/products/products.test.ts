import { describe, expect, test } from "vitest";
import { startGateway } from "../../support/test-gateway.ts";
import { graphqlRefusalOf, TestCatalogue } from "../../support/test-catalogue.ts";

const gateway = await startGateway();
const catalogue = new TestCatalogue(gateway);

const whole = `code type draftOf status name subTitle description summary featuredImageUrl imageUrls reasonOfReject sku
  quantity combinedProducts { name } optionGroups { name } useCombination optionCombinations { quantity } prices { code }
  enabledDemo demoPeriod demoPeriodUnit categories { name } vendorUuid productOrder isOnetimePurchasable
  eventBadge { event startDateTime endDateTime } notice useWidget { useDemo useEventBadge useOnetimePurchasable useNotice }
  groupId countrySetting { countryCode timezoneName currencyCode isDefault taxRate }
  availableRegions { code countryCode state } availableRegionCodes createdAt modifiedAt`;

describe("a product", () => {
  test("has defaults for fields that are not given", async () => {
    const { databaseId } = await catalogue.createProduct();
    expect(await catalogue.readProduct(databaseId, whole)).toEqual({
      code: expect.stringMatching(/^product_[A-Za-z0-9]{9}$/),
      type: "BOX",
      draftOf: null,
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
      enabledDemo: false,
      demoPeriod: null,
      demoPeriodUnit: null,
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
      availableRegionCodes: [],
      createdAt: "2026-03-01T09:30:00.000Z",
      modifiedAt: "2026-03-01T09:30:00.000Z",
    });
  });

  const told = {
    subTitle: "Medium roast",
    description: "Chocolate and hazelnut.",
    summary: "For every day",
    featuredImageUrl: "https://example.com/bean.png",
    imageUrls: ["https://example.com/1.png", "https://example.com/2.png"],
    sku: "HB-1",
    quantity: 12,
    enabledDemo: true,
    demoPeriod: 2,
    demoPeriodUnit: "WEEK",
    productOrder: -3,
    isOnetimePurchasable: true,
    notice: "Roasted on Mondays",
    groupId: 7,
  };
  const lists = {
    categories: ["Coffee", "Beans"],
    eventBadge: [{ event: "NEW", startDateTime: "2026-03-01T00:00:00+09:00" }],
    useWidget: { useDemo: true, useNotice: true },
    countrySetting: { countryCode: "KR", timezoneName: "Asia/Seoul", currencyCode: "KRW", taxRate: "10" },
    availableRegions: ["KR", "US_NEW_YORK"],
  };
  const shown = {
    ...told,
    categories: [{ name: "Coffee" }, { name: "Beans" }],
    eventBadge: [{ event: "NEW", startDateTime: "2026-02-28T15:00:00.000Z", endDateTime: null }],
    useWidget: { useDemo: true, useEventBadge: false, useOnetimePurchasable: false, useNotice: true },
    countrySetting: {
      countryCode: "KR",
      timezoneName: "Asia/Seoul",
      currencyCode: "KRW",
      isDefault: false,
      taxRate: "10",
    },
    availableRegions: [
      { code: "KR", countryCode: "KR", state: null },
      { code: "US_NEW_YORK", countryCode: "US", state: "New York" },
    ],
    availableRegionCodes: ["KR", "US_NEW_YORK"],
  };

  test("saves every given field", async () => {
    expect(await catalogue.createProduct({ ...told, ...lists }, whole)).toMatchObject(shown);
  });

  test("changes the sent fields, and leaves the others", async () => {
    const { databaseId } = await catalogue.createProduct({ ...told, ...lists });
    gateway.clock.setTo("2026-03-02T09:30:00.000Z");
    const after = await catalogue.updateProduct(
      databaseId,
      { name: "Winter Blend", sku: null, categories: ["Beans"] },
      whole,
    );
    expect(after).toMatchObject({
      ...shown,
      name: "Winter Blend",
      sku: null,
      categories: [{ name: "Beans" }],
      createdAt: "2026-03-01T09:30:00.000Z",
      modifiedAt: "2026-03-02T09:30:00.000Z",
    });
    expect(
      await catalogue.updateProduct(databaseId, { useWidget: { useDemo: false }, countrySetting: null }, whole),
    ).toMatchObject({
      useWidget: { ...shown.useWidget, useDemo: false },
      countrySetting: null,
    });
  });

  test("has an existing category, and the region setting of its country, which is the vendor's", async () => {
    const category = "categories { databaseId } countrySetting { databaseId isDefault taxRate }";
    const setting = { countryCode: "JP", timezoneName: "Asia/Tokyo", currencyCode: "JPY", isDefault: true };
    const one = await catalogue.createProduct(
      { categories: ["Tea"], countrySetting: { ...setting, taxRate: "8" } },
      category,
    );
    const other = await catalogue.createProduct(
      { categories: ["Tea"], countrySetting: { ...setting, taxRate: "10" } },
      category,
    );
    expect(other.categories).toEqual(one.categories);
    expect(other.countrySetting).toEqual({ ...one.countrySetting, taxRate: "10" });
    const next = { ...setting, countryCode: "FR", timezoneName: "Europe/Paris", currencyCode: "EUR" };
    const last = await catalogue.createProduct({ countrySetting: next }, `databaseId ${category}`);
    expect(last.countrySetting!.isDefault).toBe(true);
    const settings = await gateway.queryData("{ products { nodes { countrySetting { countryCode isDefault } } } }");
    const defaults = settings.products.nodes.filter((row) => row.countrySetting?.isDefault);
    expect(defaults.map((row) => row.countrySetting!.countryCode)).toEqual(["FR"]);
  });
});

describe("a product is refused", () => {
  test.each([
    [
      "a trial of more than a century",
      { enabledDemo: true, demoPeriod: 36_601, demoPeriodUnit: "DAY" },
      "demoPeriod INVALID_VALUE",
    ],
    ["a trial without a length", { enabledDemo: true }, "demoPeriod REQUIRED", "demoPeriodUnit REQUIRED"],
    ["a draft of a vendor that has no parent", { type: "DRAFT", draftOf: "BOX" }, "type INVALID_VALUE"],
    ["a target type without a draft", { draftOf: "BOX" }, "draftOf INVALID_VALUE"],
    ["a bundle of nothing", { type: "BUNDLE" }, "combinedProductIds REQUIRED"],
    ["a state that follows from stock", { status: "OUT_OF_STOCK" }, "status INVALID_VALUE"],
    ["a category twice", { categories: ["Tea", "Tea"] }, "categories[1] INVALID_VALUE"],
    ["a region twice", { availableRegions: ["KR", "JP", "KR"] }, "availableRegions[2] INVALID_VALUE"],
    ["too many images", { imageUrls: Array(51).fill("https://example.com/1.png") }, "imageUrls INVALID_VALUE"],
    [
      "a badge that ends before it begins",
      { eventBadge: [{ event: "NEW", startDateTime: "2026-03-02T00:00:00Z", endDateTime: "2026-03-01T00:00:00Z" }] },
      "eventBadge[0].endDateTime INVALID_VALUE",
    ],
  ])("with %s", async (_, input, ...faults) => {
    expect(await catalogue.refusalOfProduct(input)).toEqual(["INVALID_ARGUMENT", ...faults]);
  });

  test("when the result of a change would be invalid", async () => {
    const { databaseId } = await catalogue.createProduct({ enabledDemo: true, demoPeriod: 1, demoPeriodUnit: "DAY" });
    const change = (input: object) =>
      catalogue.sendMutation("updateProduct", { id: databaseId, ...input }, "product { id }");
    expect(graphqlRefusalOf(await change({ demoPeriod: null }))).toEqual(["INVALID_ARGUMENT", "demoPeriod REQUIRED"]);
    expect(graphqlRefusalOf(await change({ combinedProductIds: [databaseId] }))).toEqual([
      "INVALID_ARGUMENT",
      "combinedProductIds INVALID_VALUE",
    ]);
    expect(
      graphqlRefusalOf(await catalogue.sendMutation("updateProduct", { id: "4000000", name: "Tea" }, "product { id }")),
    ).toEqual(["PRODUCT_NOT_FOUND", "id NOT_FOUND"]);
  });
});

describe("the status", () => {
  test("follows the stock that a merchant sets", async () => {
    const { databaseId } = await catalogue.createProduct({ quantity: 0 });
    const after = async (input: object) => (await catalogue.updateProduct(databaseId, input, "status")).status;
    expect(await catalogue.readProduct(databaseId, "status")).toEqual({ status: "OUT_OF_STOCK" });
    expect(await after({ quantity: 1 })).toBe("SALE");
    expect(await after({ quantity: 0 })).toBe("OUT_OF_STOCK");
    expect(await after({ status: "SALE" })).toBe("OUT_OF_STOCK");
    expect(await after({ quantity: null })).toBe("SALE");
    expect(await after({ status: "UNSOLD" })).toBe("UNSOLD");
    expect(await after({ quantity: 0 })).toBe("UNSOLD");
    expect(await after({ status: "SALE" })).toBe("OUT_OF_STOCK");
  });

  test("is refused when the table has no such transition", async () => {
    const { databaseId } = await catalogue.createProduct({ quantity: 0 });
    const { errors } = await catalogue.sendMutation(
      "updateProduct",
      { id: databaseId, status: "UNSOLD" },
      "product { id }",
    );
    expect(errors![0]!.extensions).toMatchObject({
      code: "ILLEGAL_TRANSITION",
      details: { legal: ["updateProduct(quantity)"] },
    });
  });
});

describe("a bundle", () => {
  test("shows its members in their order", async () => {
    const [tea, cup] = [await catalogue.createProduct({ name: "Tea" }), await catalogue.createProduct({ name: "Cup" })];
    const members = [String(cup.databaseId), String(tea.databaseId)];
    const bundle = await catalogue.createProduct(
      { type: "BUNDLE", combinedProductIds: members },
      "databaseId combinedProducts { name }",
    );
    expect(bundle.combinedProducts).toEqual([{ name: "Cup" }, { name: "Tea" }]);
  });

  test("refuses a member that is unknown, a bundle, or listed twice", async () => {
    const tea = await catalogue.createProduct();
    const bundle = await catalogue.createProduct({ type: "BUNDLE", combinedProductIds: [String(tea.databaseId)] });
    const refused = (...ids: number[]) =>
      catalogue.refusalOfProduct({ type: "BUNDLE", combinedProductIds: ids.map(String) });
    expect(await refused(tea.databaseId, 4_000_000)).toEqual(["PRODUCT_NOT_FOUND", "combinedProductIds[1] NOT_FOUND"]);
    expect(await refused(bundle.databaseId)).toEqual(["INVALID_ARGUMENT", "combinedProductIds[0] INVALID_VALUE"]);
    expect(await refused(tea.databaseId, tea.databaseId)).toEqual([
      "INVALID_ARGUMENT",
      "combinedProductIds[1] INVALID_VALUE",
    ]);
  });

  test("refuses other members once it has plans, which name them", async () => {
    const [tea, cup] = [await catalogue.createProduct({ name: "Tea" }), await catalogue.createProduct({ name: "Cup" })];
    const plan = await catalogue.createPlan(tea.databaseId);
    const { databaseId } = await catalogue.createProduct({
      type: "BUNDLE",
      combinedProductIds: [String(tea.databaseId)],
    });
    const bundlePrices = [{ productId: String(tea.databaseId), priceId: String(plan.databaseId) }];
    await catalogue.createPlan(databaseId, { type: "BUNDLE", bundlePrices });
    const change = (id: number) =>
      catalogue.sendMutation("updateProduct", { id: databaseId, combinedProductIds: [String(id)] }, "product { id }");
    expect(graphqlRefusalOf(await change(cup.databaseId))).toEqual([
      "INVALID_ARGUMENT",
      "combinedProductIds INVALID_VALUE",
    ]);
    expect((await change(tea.databaseId)).errors).toBeUndefined();
  });
});
