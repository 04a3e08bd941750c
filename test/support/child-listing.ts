import { everyMonth, type TestCatalogue } from "./test-catalogue.ts";

/** Ten listings of children's products by their parent. */
export async function createListing(
  childCatalogue: TestCatalogue,
  parentCatalogue: TestCatalogue,
  plan: object = {},
  product: object = {},
) {
  const childProduct = await childCatalogue.createProduct({
    type: "DRAFT",
    draftOf: "BOX",
    name: "Cup",
    quantity: 10,
    ...product,
  });
  const planInput = { type: "FLAT", recurring: everyMonth, price: "4000", ...plan };
  const { databaseId: planId, code: priceCode } = await childCatalogue.createPlan(childProduct.databaseId, planInput);
  await childCatalogue.runMutation("submitProduct", { productId: String(childProduct.databaseId) }, "product { id }");
  const approved = await parentCatalogue.runMutation(
    "approveProduct",
    { productId: String(childProduct.databaseId) },
    "product { databaseId prices { databaseId } }",
  );
  const { databaseId: listingId, prices } = approved.product;
  const line = { productCode: childProduct.code as string, priceCode: priceCode as string };
  const readRemainingStock = async () =>
    (await childCatalogue.readProduct(childProduct.databaseId, "quantity")).quantity as number;
  return {
    id: childProduct.databaseId as number,
    planId,
    listingId,
    listedPlanId: prices[0].databaseId,
    line,
    left: readRemainingStock,
  };
}
