import { monthly, type Shelf } from "./test-catalogue.ts";

/** A product of a child of which there are ten, and its parent's that lists it. */
export async function listing(childs: Shelf, parents: Shelf, plan: object = {}, product: object = {}) {
  const own = await childs.product({ type: "DRAFT", draftOf: "BOX", name: "Cup", quantity: 10, ...product });
  const told = { type: "FLAT", recurring: monthly, price: "4000", ...plan };
  const { databaseId: planId, code: priceCode } = await childs.plan(own.databaseId, told);
  await childs.done("submitProduct", { productId: String(own.databaseId) }, "product { id }");
  const approved = await parents.done(
    "approveProduct",
    { productId: String(own.databaseId) },
    "product { databaseId prices { databaseId } }",
  );
  const { databaseId: listingId, prices } = approved.product;
  const line = { productCode: own.code as string, priceCode: priceCode as string };
  const left = async () => (await childs.read(own.databaseId, "quantity")).quantity as number;
  return { id: own.databaseId as number, planId, listingId, listedPlanId: prices[0].databaseId, line, left };
}
