import type { RequestOptions, TestGateway } from "./test-gateway.ts";
import { everyMonth, TestCatalogue } from "./test-catalogue.ts";
import { uniqueName } from "./cover-fixture.ts";

/** The ids and codes of products and plans. */
export interface CatalogueFixture {
  billingProductId: number;
  billingProductCode: string;
  billingOptionGroupId: number;
  billingOptionId: number;
  billingCategoryId: number;
  billingPriceId: number;
  billingPriceCode: string;
  /** Another product, whose plan has an option. */
  sideProductId: number;
  sideProductCode: string;
  sidePriceCode: string;
  sidePriceId: number;
  sideOptionId: number;
  /** A bundle of the first product. */
  bundleId: number;
  bundlePriceId: number;
}

/** A product that is shipped, with options and a plan of each month; another one, and a bundle, with their plans. */
export async function createCatalogueFixture(
  gateway: TestGateway,
  options?: RequestOptions,
): Promise<CatalogueFixture> {
  const catalogue = new TestCatalogue(gateway, options);
  const [product, side] = await Promise.all([
    catalogue.createProduct(
      { optionGroups: [{ name: "Colour", options: [{ name: "Red" }] }], categories: [uniqueName("category")] },
      "databaseId code categories { databaseId } optionGroups { databaseId options { databaseId } }",
    ),
    catalogue.createProduct({ name: "Grinder" }),
  ]);
  const wrap = { name: "Gift wrap", type: "INITIALLY", price: "1000" };
  const [plan, sidePlan, bundle] = await Promise.all([
    catalogue.createPlan(product.databaseId, { type: "FLAT", recurring: everyMonth }),
    catalogue.createPlan(side.databaseId, { options: [wrap] }, "databaseId code options { databaseId }"),
    catalogue.createProduct({ type: "BUNDLE", combinedProductIds: [String(product.databaseId)] }),
  ]);
  const bundlePlan = await catalogue.createPlan(bundle.databaseId, {
    type: "BUNDLE",
    bundlePrices: [{ productId: String(product.databaseId), priceId: String(plan.databaseId) }],
  });
  return {
    billingProductId: product.databaseId,
    billingProductCode: product.code,
    billingOptionGroupId: product.optionGroups[0].databaseId,
    billingOptionId: product.optionGroups[0].options[0].databaseId,
    billingCategoryId: product.categories[0].databaseId,
    billingPriceId: plan.databaseId,
    billingPriceCode: plan.code,
    sideProductId: side.databaseId,
    sideProductCode: side.code,
    sidePriceCode: sidePlan.code,
    sidePriceId: sidePlan.databaseId,
    sideOptionId: sidePlan.options[0].databaseId,
    bundleId: bundle.databaseId,
    bundlePriceId: bundlePlan.databaseId,
  };
}
