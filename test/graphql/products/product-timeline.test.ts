import { describe, expect, test } from "vitest";
import { startGateway, type TestVendor } from "../../support/test-gateway.ts";

/* The timeline of a product: its own events and those of its price plans. */

const gateway = await startGateway();

async function create(name: string, vendor: TestVendor = gateway.vendor): Promise<string> {
  const { createProduct } = await gateway.queryRawData(
    "mutation ($input: CreateProductInput!) { createProduct(input: $input) { product { id } } }",
    { input: { name, type: "SOFTWARE" } },
    vendor,
  );
  return createProduct.product.id;
}

async function addPlan(productId: string, price: string): Promise<string> {
  const plan = { productId, price, type: "ONE_TIME", plan: { name: "Once" } };
  const { createPricePlan } = await gateway.queryRawData(
    "mutation ($input: CreatePricePlanInput!) { createPricePlan(input: $input) { pricePlan { id } } }",
    { input: plan },
  );
  return createPricePlan.pricePlan.id;
}

const update = (input: object) =>
  gateway.queryRawData("mutation ($input: UpdateProductInput!) { updateProduct(input: $input) { product { id } } }", {
    input,
  });

const TIMELINE = `timeline(first: 50) { totalCount nodes {
  subject type title korean: title(language: KOREAN) statusBefore statusAfter subjectName amount currency facts } }`;

async function timelineOf(id: string, vendor: TestVendor = gateway.vendor) {
  const { product } = await gateway.queryRawData(
    `query ($id: ID!) { product(id: $id) { ${TIMELINE} } }`,
    { id },
    vendor,
  );
  return product?.timeline;
}

describe("the timeline of a product", () => {
  test("has its events and those of its plans, and of no other product", async () => {
    const [id, other] = [await create("Roast log"), await create("Grinder")];
    const planId = await addPlan(id, "12000");
    await addPlan(other, "99000");
    await update({ id, status: "UNSOLD" });
    await gateway.queryRawData(
      "mutation ($input: UpdatePricePlanInput!) { updatePricePlan(input: $input) { pricePlan { id } } }",
      { input: { id: planId, price: "13000" } },
    );
    const { totalCount, nodes } = await timelineOf(id);
    expect(totalCount).toBe(4);
    const product = { subject: "PRODUCT", subjectName: "Roast log", amount: null, currency: null };
    const plan = { subject: "PRICE_PLAN", subjectName: "Once", currency: "KRW", statusBefore: null, statusAfter: "" };
    expect(nodes).toMatchObject([
      { ...product, type: "PRODUCT_CREATED", title: "Product created", korean: "상품 등록", statusAfter: "SALE" },
      { ...plan, type: "PRICE_PLAN_CREATED", title: "Price plan created", amount: "12000" },
      { ...product, type: "PRODUCT_UPDATED", statusBefore: "SALE", statusAfter: "UNSOLD" },
      { ...plan, type: "PRICE_PLAN_UPDATED", title: "Price plan changed", amount: "13000" },
    ]);
    expect((await timelineOf(other)).totalCount).toBe(2);
  });

  test("is not seen by another vendor", async () => {
    const id = await create("Scale");
    const other = await gateway.openVendor({ name: "Other" });
    const otherId = await create("Kettle", other);
    expect(await timelineOf(id, other)).toBeUndefined();
    expect((await timelineOf(otherId, other)).totalCount).toBe(1);
  });

  test("is read by its index", async () => {
    const id = await create("Press");
    const { product } = await gateway.queryRawData("query ($id: ID!) { product(id: $id) { databaseId } }", { id });
    const plan = await gateway.database.transaction(async (handle) => {
      await handle.execute("set local enable_seqscan = off");
      return handle.execute(
        `explain select id from event_log where vendor_id = ${gateway.vendor.id}
         and (case "subject" when 'PRODUCT' then "subject_id" else ("facts" ->> 'productId')::bigint end) = ${product.databaseId}
         and "subject" in ('PRODUCT', 'PRICE_PLAN') order by occurred_at desc, id desc limit 20`,
      );
    });
    expect(JSON.stringify(plan)).toMatch(/Index Scan Backward using event_log\S*(?:vendor_id_case|product)/);
  });
});
