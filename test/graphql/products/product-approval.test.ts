import { describe, expect, test } from "vitest";
import { queryRows } from "../../hostile/query-rows.ts";
import { createTestChild } from "../../support/fixtures/child-vendors.ts";
import { startGateway, type GraphQLResponse } from "../../support/test-gateway.ts";
import { everyMonth, graphqlRefusalOf, TestCatalogue } from "../../support/test-catalogue.ts";

const gateway = await startGateway();
const child = await createTestChild(gateway);
const parents = new TestCatalogue(gateway);
const childs = new TestCatalogue(gateway, child);

const draft = { type: "DRAFT", draftOf: "BOX", name: "Hand-thrown cup" };

/** A draft with a plan, which the child has submitted. */
async function submitted(input: object = {}, plan: object = {}): Promise<{ databaseId: number; code: string }> {
  const product = await childs.createProduct({ ...draft, ...input });
  await childs.createPlan(product.databaseId, plan);
  await childs.runMutation("submitProduct", { productId: String(product.databaseId) }, "product { status }");
  return product;
}

const exponentialDelay = async (options?: { token: string }) => {
  const { productsToApprove } = await gateway.queryData(
    "{ productsToApprove { totalCount nodes { vendorName vendorUuid submittedAt product { databaseId name type draftOf status vendorUuid prices { planName } } } } }",
    {},
    options,
  );
  expect(productsToApprove.totalCount).toBe(productsToApprove.nodes.length);
  return productsToApprove.nodes;
};

const approve = (productId: number, catalogue = parents) =>
  catalogue.sendMutation("approveProduct", { productId: String(productId) }, "product { databaseId }");

const reject = (productId: number, catalogue = parents) => {
  const input = { productId: String(productId), reason: "The picture is blurred." };
  return catalogue.sendMutation("rejectProduct", input, "rejectedProductId");
};

describe("a draft", () => {
  test("is not on sale, and only child vendors have one", async () => {
    const product = await childs.createProduct(draft, "databaseId type draftOf status");
    expect(product).toMatchObject({ type: "DRAFT", draftOf: "BOX", status: "UNSOLD" });
    expect((await childs.updateProduct(product.databaseId, { draftOf: "SOFTWARE" }, "draftOf")).draftOf).toBe(
      "SOFTWARE",
    );
    const publish = await childs.sendMutation(
      "updateProduct",
      { id: product.databaseId, status: "SALE" },
      "product { id }",
    );
    expect(graphqlRefusalOf(publish)[0]).toBe("ILLEGAL_TRANSITION");
    expect(await childs.refusalOfProduct({ ...draft, draftOf: "BUNDLE" })).toEqual([
      "INVALID_ARGUMENT",
      "draftOf INVALID_VALUE",
    ]);
    expect(await childs.refusalOfProduct({ ...draft, draftOf: null })).toEqual([
      "INVALID_ARGUMENT",
      "draftOf REQUIRED",
    ]);
  });

  test("is read-only while it waits after its submission, and so are its plans", async () => {
    gateway.clock.setTo("2026-03-02T09:30:00.000Z");
    const { databaseId } = await submitted();
    expect(await exponentialDelay()).toEqual([
      {
        vendorName: "Bean Corner",
        vendorUuid: child.uuid,
        submittedAt: "2026-03-02T09:30:00.000Z",
        product: {
          databaseId,
          name: "Hand-thrown cup",
          type: "DRAFT",
          draftOf: "BOX",
          status: "WAITING_APPROVAL",
          vendorUuid: child.uuid,
          prices: [{ planName: "One bag" }],
        },
      },
    ]);
    const refused: GraphQLResponse<object>[] = [
      await childs.sendMutation("updateProduct", { id: databaseId, name: "Cup" }, "product { id }"),
      await childs.sendMutation(
        "createPricePlan",
        { productId: databaseId, type: "ONE_TIME", price: 1, plan: { name: "Two" } },
        "pricePlan { id }",
      ),
    ];
    const { prices } = await childs.readProduct(databaseId, "prices { databaseId }");
    refused.push(
      await childs.sendMutation("updatePricePlan", { id: prices[0]!.databaseId, price: 1 }, "pricePlan { id }"),
    );
    expect(refused.map(graphqlRefusalOf)).toEqual([["WAITING_APPROVAL"], ["WAITING_APPROVAL"], ["WAITING_APPROVAL"]]);
    const again = await childs.sendMutation("submitProduct", { productId: databaseId }, "product { id }");
    expect(again.errors![0]!.extensions).toMatchObject({
      code: "ILLEGAL_TRANSITION",
      details: { legal: ["approveProduct", "rejectProduct"] },
    });
    expect((await reject(databaseId)).errors).toBeUndefined();
  });

  test("cannot be submitted without a plan, by a vendor without a parent, or when the product is no draft", async () => {
    const refused = async (catalogue: TestCatalogue, input: object) => {
      const { databaseId } = await catalogue.createProduct(input);
      return graphqlRefusalOf(
        await catalogue.sendMutation("submitProduct", { productId: databaseId }, "product { id }"),
      );
    };
    expect(await refused(childs, draft)).toEqual(["INVALID_ARGUMENT", "productId INVALID_VALUE"]);
    expect(await refused(childs, { type: "BOX" })).toEqual(["ILLEGAL_TRANSITION"]);
    expect(await refused(parents, {})).toEqual(["NO_PARENT_VENDOR"]);
    expect(
      graphqlRefusalOf(await childs.sendMutation("submitProduct", { productId: "4000000" }, "product { id }")),
    ).toEqual(["PRODUCT_NOT_FOUND"]);
  });
});

test("a product whose prices are in another currency than the parent's is neither submitted nor approved", async () => {
  const other = await createTestChild(gateway, { currency: "USD" });
  const catalogue = new TestCatalogue(gateway, other);
  const { databaseId } = await catalogue.createProduct(draft);
  await catalogue.createPlan(databaseId);
  const submit = () => catalogue.sendMutation("submitProduct", { productId: databaseId }, "product { id }");
  expect(graphqlRefusalOf(await submit())).toEqual(["CURRENCY_MISMATCH"]);
  await queryRows(gateway, `update vendors set currency = 'KRW' where id = ${other.id}`);
  expect((await submit()).errors).toBeUndefined();
  await queryRows(gateway, `update vendors set currency = 'USD' where id = ${other.id}`);
  expect(graphqlRefusalOf(await approve(databaseId))).toEqual(["CURRENCY_MISMATCH"]);
  expect((await reject(databaseId)).errors).toBeUndefined();
});

describe("the parent's decision", () => {
  test("against it gives a reason; the child changes the draft and submits it again", async () => {
    const { databaseId } = await submitted();
    const { data } = await reject(databaseId);
    expect(Buffer.from(data!.rejectProduct.rejectedProductId, "base64url").toString()).toBe(`Product:${databaseId}`);
    const read = () => childs.readProduct(databaseId, "type status reasonOfReject");
    expect(await read()).toEqual({ type: "DRAFT", status: "REJECTED", reasonOfReject: "The picture is blurred." });
    expect(await exponentialDelay()).toEqual([]);
    await childs.updateProduct(databaseId, { name: "Cup" });
    await childs.runMutation("submitProduct", { productId: databaseId }, "product { id }");
    expect(await read()).toEqual({ type: "DRAFT", status: "WAITING_APPROVAL", reasonOfReject: null });
    expect((await exponentialDelay()).map(({ product }) => product.name)).toEqual(["Cup"]);
    await reject(databaseId);
  });

  test("for it puts the child's product on sale, and gives the parent a listing of its own", async () => {
    const choices = {
      optionGroups: [
        { name: "Glaze", options: [{ name: "White", quantity: 2 }, { name: "Blue" }] },
        { name: "Size", options: [{ name: "S" }, { name: "L", parent: "Blue" }] },
      ],
      useCombination: true,
      optionCombinations: [
        { options: ["White", "S"], quantity: 2, price: "100" },
        { options: ["Blue", "L"], quantity: 0 },
      ],
    };
    const { databaseId, code } = await submitted(
      { ...choices, quantity: 5, availableRegions: ["KR"], categories: ["Cups"], sku: "CUP-1" },
      { type: "FLAT", recurring: everyMonth, options: [{ name: "Wrap", type: "INITIALLY", price: "1" }] },
    );
    const { data } = await approve(databaseId);
    const listingId = data!.approveProduct.product.databaseId;
    const selection = `code type draftOf status name sku quantity availableRegionCodes categories { name }
      optionGroups { databaseId name options { databaseId name parent } }
      optionCombinations { optionIds quantity price status }
      prices { code planName type options { name price } recurring { interval } }`;
    const own = await childs.readProduct(databaseId, selection);
    const listing = await parents.readProduct(listingId, selection);
    expect(own).toMatchObject({ code, type: "BOX", draftOf: null, status: "SALE", quantity: 5 });
    expect(listing).toEqual({
      ...own,
      quantity: null,
      categories: [],
      optionCombinations: own.optionCombinations.map((combination: object) => ({
        ...combination,
        quantity: null,
        status: "SALE",
      })),
    });
    expect(own.optionGroups[1]!.options[1]!.parent).toBe(own.optionGroups[0]!.options[1]!.databaseId);
    expect(await exponentialDelay()).toEqual([]);

    const change = async (input: object) =>
      graphqlRefusalOf(await parents.sendMutation("updateProduct", { id: listingId, ...input }, "product { id }"));
    expect(await change({ optionGroups: [] })).toEqual(["INVALID_ARGUMENT", "optionGroups INVALID_VALUE"]);
    expect(await change({ optionCombinations: [] })).toEqual(["INVALID_ARGUMENT", "optionCombinations INVALID_VALUE"]);
    expect(await change({ quantity: 1 })).toEqual(["INVALID_ARGUMENT", "quantity INVALID_VALUE"]);
    expect(await parents.refusalOfPlan(listingId, {})).toEqual(["INVALID_ARGUMENT", "productId INVALID_VALUE"]);
    expect((await parents.updateProduct(listingId, { name: "Cup of the month" }, "name")).name).toBe(
      "Cup of the month",
    );
  });

  test("makes orders from the parent orders from the child too, with the child's stock", async () => {
    const { databaseId, code } = await submitted({
      quantity: 3,
      optionGroups: [{ name: "Glaze", options: [{ name: "White", price: "500" }] }],
    });
    await approve(databaseId);
    const { optionGroups, prices } = await childs.readProduct(
      databaseId,
      "optionGroups { options { databaseId } } prices { code }",
    );
    const { createCustomer } = await gateway.queryData(
      'mutation { createCustomer(input: { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" }) { customer { id } } }',
    );
    const order = (minimumQuantity: number) =>
      gateway.sendGraphQL(
        "mutation ($input: CreateOrderInput!) { createOrder(input: $input) { order { amount childOrders { amount } } } }",
        {
          input: {
            customerId: createCustomer.customer.id,
            items: [
              {
                productCode: code,
                priceCode: prices[0]!.code,
                minimumQuantity,
                optionIds: [optionGroups[0]!.options[0]!.databaseId],
              },
            ],
          },
        },
      );
    expect((await order(3)).data!.createOrder.order).toEqual({ amount: "58200", childOrders: [{ amount: "58200" }] });
    expect(await childs.readProduct(databaseId, "quantity status")).toEqual({ quantity: 0, status: "OUT_OF_STOCK" });
    expect(graphqlRefusalOf(await order(1))[0]).toBe("PRODUCT_NOT_ORDERABLE");
  });

  test("sets the state of a product without stock", async () => {
    const { databaseId } = await submitted({ quantity: 0 });
    await approve(databaseId);
    expect(await childs.readProduct(databaseId, "status")).toEqual({ status: "OUT_OF_STOCK" });
  });

  test("is made once when two are sent at once", async () => {
    const { databaseId } = await submitted();
    const answers = await Promise.all([approve(databaseId), approve(databaseId)]);
    const refused = answers.filter(({ errors }) => errors);
    expect(refused.map(graphqlRefusalOf)).toEqual([["PRODUCT_NOT_FOUND"]]);
  });
});

describe("a draft that is not the vendor's to decide", () => {
  test("is unknown: a sibling's, another parent's child's, its own, and one that does not wait", async () => {
    const sibling = await createTestChild(gateway);
    const stranger = await gateway.openVendor({ name: "Stranger" });
    const { databaseId } = await submitted();
    const others = [new TestCatalogue(gateway, sibling), new TestCatalogue(gateway, stranger), childs];
    for (const decide of [approve, reject]) {
      for (const catalogue of others) {
        const answer = await decide(databaseId, catalogue);
        expect(graphqlRefusalOf(answer)).toEqual(["PRODUCT_NOT_FOUND"]);
        const message = answer.errors![0]!.message.replace(String(databaseId), "4000000");
        expect(message).toBe((await decide(4_000_000, catalogue)).errors![0]!.message);
      }
      const sold = await childs.createProduct();
      expect(graphqlRefusalOf(await decide(sold.databaseId))).toEqual(["PRODUCT_NOT_FOUND"]);
    }
    expect(await exponentialDelay(stranger)).toEqual([]);
    expect(await exponentialDelay(child)).toEqual([]);
    expect((await exponentialDelay()).map(({ product }) => product.databaseId)).toContain(databaseId);
    // The parent can decide about the draft, and finds it nowhere else.
    const globalId = Buffer.from(`Product:${databaseId}`).toString("base64url");
    const found = await gateway.queryData("query ($id: ID!) { product(id: $id) { id } node(id: $id) { id } }", {
      id: globalId,
    });
    expect(found).toEqual({ product: null, node: null });
  });

  test("drafts cost the same number of statements to list, however many wait", async () => {
    const count = async (first: number) => {
      gateway.statements.length = 0;
      const { productsToApprove } = await gateway.queryData(
        "query ($first: Int!) { productsToApprove(first: $first) { nodes { product { name prices { planName } optionGroups { name } } } } }",
        { first },
      );
      return [productsToApprove.nodes.length, gateway.statements.length];
    };
    for (let more = 0; more < 4; more++) await submitted();
    const [, statements] = await count(1);
    expect(await count(4)).toEqual([4, statements]);
  });
});
