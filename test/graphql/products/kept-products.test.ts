import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { TestCatalogue, everyMonth } from "../../support/test-catalogue.ts";
import { startGateway } from "../../support/test-gateway.ts";

/*
 * The texts of products and plans on a page are kept by the version of the catalogue. After every change a page shows what
 * a page without kept texts shows.
 */

const gateway = await startGateway();
const catalogue = new TestCatalogue(gateway);

const PLAN = "code price order isRepresentative plan { name } recurring { interval } options { name price }";
const PRODUCT = `name status quantity sku description categories { name } countrySetting { countryCode taxRate }
  optionGroups { name options { name price quantity } } optionCombinations { quantity price } prices { ${PLAN} }`;
const LINES = `items { product { ${PRODUCT} } price { ${PLAN} product { name prices { code } } } }`;
const page = `{ orders(first: 20) { nodes { code ${LINES} } } }`;
/** An operation with a directive is not compiled, and reads values. */
const uncompiledPage = `query ($on: Boolean! = true) { orders(first: 20) { nodes @include(if: $on) { code ${LINES} } } }`;

let customerId: string;
let productId: number;
let planId: number;
let codes: { productCode: string; priceCode: string };

const order = (items: object[] = [codes]) =>
  gateway.queryRawData("mutation ($input: CreateOrderInput!) { createOrder(input: $input) { order { databaseId } } }", {
    input: { customerId, items },
  });

/** The statements of a page that is read with what is kept. */
async function statementsOfPage(): Promise<string[]> {
  gateway.statements.length = 0;
  await gateway.queryRawData(page);
  return gateway.statements
    .map(({ text }) => text)
    .filter((text) => text.includes('from "orders"') || text.includes(" as shared"));
}

/** Compares the page, and says how many statements it took the second time. */
async function expectTruth(): Promise<number> {
  const truth = await gateway.queryRawData(uncompiledPage);
  expect(await gateway.queryRawData(page)).toEqual(truth);
  const statements = await statementsOfPage();
  expect(await gateway.queryRawData(page)).toEqual(truth);
  return statements.length;
}

beforeAll(async () => {
  const { createCustomer } = await gateway.queryData(
    "mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { databaseId } } }",
    { input: { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" } },
  );
  customerId = String(createCustomer.customer.databaseId);
  const product = await catalogue.createProduct({ categories: ["Coffee"] });
  const plan = await catalogue.createPlan(product.databaseId, { price: "1900" });
  productId = product.databaseId;
  planId = plan.databaseId;
  codes = { productCode: product.code, priceCode: plan.code };
  await order();
  await order();
  await gateway.queryRawData(page);
  await gateway.queryRawData(page);
});

const changePlan = (input: object) =>
  gateway.queryRawData(
    "mutation ($input: UpdatePricePlanInput!) { updatePricePlan(input: $input) { pricePlan { databaseId } } }",
    { input: { id: String(planId), ...input } },
  );

const changes: Record<string, () => Promise<unknown>> = {
  "a new name": () => catalogue.updateProduct(productId, { name: `House Blend ${randomUUID()}` }),
  "other categories": () => catalogue.updateProduct(productId, { categories: ["Tea", "Gifts"] }),
  "a country": () =>
    catalogue.updateProduct(productId, {
      countrySetting: { countryCode: "KR", timezoneName: "Asia/Seoul", currencyCode: "KRW", taxRate: "10" },
    }),
  "another tax of the country": () =>
    catalogue.updateProduct(productId, {
      countrySetting: { countryCode: "KR", timezoneName: "Asia/Seoul", currencyCode: "KRW", taxRate: "11" },
    }),
  options: () =>
    catalogue.updateProduct(productId, {
      optionGroups: [{ name: "Grind", options: [{ name: "Fine" }, { name: "Coarse" }] }],
    }),
  "another plan": () => catalogue.createPlan(productId, { type: "FLAT", recurring: everyMonth }),
  "a new name of the plan": () => changePlan({ plan: { name: "Two bags" } }),
  "another order of plans": () => changePlan({ order: 7 }),
  "taken from sale": () => catalogue.updateProduct(productId, { status: "UNSOLD" }),
  "put on sale": () => catalogue.updateProduct(productId, { status: "SALE" }),
};

test.each(Object.keys(changes))("a page shows %s at once, and then keeps it", async (name) => {
  await changes[name]!();
  expect(await expectTruth()).toBe(1);
});

test("what another process changes is shown at once", async () => {
  await expectTruth();
  await gateway.database.handle.transaction(async (handle) => {
    await handle.execute(sql`update products set name = 'Elsewhere' where id = ${productId}`);
    await handle.execute(
      sql`update catalogue_versions set version = ${randomUUID()} where vendor_id = ${gateway.vendor.id}`,
    );
  });
  expect(JSON.stringify(await gateway.queryRawData(page))).toContain("Elsewhere");
  expect(await expectTruth()).toBe(1);
});

test("a change that is rolled back changes nothing", async () => {
  await gateway.sendRawGraphQL(
    "mutation ($input: UpdateProductInput!) { updateProduct(input: $input) { product { databaseId } } }",
    { input: { id: String(productId), name: "Never", status: "OUT_OF_STOCK" } },
  );
  expect(await expectTruth()).toBe(1);
});

test("stock that orders count is read each time", async () => {
  await catalogue.updateProduct(productId, { quantity: 9 });
  expect(await expectTruth()).toBe(2);
  await order();
  expect(await expectTruth()).toBe(2);
  expect(JSON.stringify(await gateway.queryRawData(page))).toContain('"quantity":8');
  await catalogue.updateProduct(productId, { quantity: null });
  expect(await expectTruth()).toBe(1);
});

test("stock of options that orders count is read each time", async () => {
  await catalogue.updateProduct(productId, {
    optionGroups: [{ name: "Grind", options: [{ name: "Fine", quantity: 5 }, { name: "Coarse" }] }],
  });
  expect(await expectTruth()).toBe(2);
});
