import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { createTestChild } from "../../support/fixtures/child-vendors.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { everyMonth, graphqlRefusalOf, TestCatalogue } from "../../support/test-catalogue.ts";

const gateway = await startGateway();
const catalogue = new TestCatalogue(gateway);
const { customer } = await catalogue.runMutation(
  "createCustomer",
  { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" },
  "customer { id }",
);

type Line = { productCode: string; priceCode: string };

const order = (...items: object[]) =>
  catalogue.sendMutation("createOrder", { customerId: customer.id, items }, "order { id amount discountedAmount }");
const ordered = async (...items: object[]) => {
  const { data, errors } = await order(...items);
  if (errors) throw new Error(JSON.stringify(errors));
  return data!.createOrder.order;
};
const cancel = (orderId: string) => catalogue.runMutation("cancelOrder", { orderId }, "order { id }");

/** A product with a plan, as an order names it. */
async function offer(
  product: object = {},
  plan: object = {},
  of = catalogue,
): Promise<Line & { id: number; planId: number }> {
  const { databaseId: id, code: productCode } = await of.createProduct(product);
  const { databaseId: planId, code: priceCode } = await of.createPlan(id, plan);
  return { id, planId, productCode, priceCode };
}

const lineOf = ({ productCode, priceCode }: Line, rest: object = {}) => ({ productCode, priceCode, ...rest });

describe("combinations", () => {
  const glazes = { name: "Glaze", options: [{ name: "White" }, { name: "Blue" }] };
  const sizes = { name: "Size", options: [{ name: "S" }, { name: "L" }] };
  const both = { useCombination: true, optionGroups: [glazes, sizes] };

  const stockOf = async (id: number) => {
    const { optionCombinations, ...product } = await catalogue.readProduct(
      id,
      "quantity status optionCombinations { optionIds quantity status }",
    );
    return { ...product, left: optionCombinations.map((one) => `${String(one.quantity)} ${one.status}`) };
  };
  const groupsOf = async (id: number) => {
    const { optionGroups } = await catalogue.readProduct(id, "optionGroups { databaseId options { databaseId } }");
    return optionGroups.map((group) => ({
      id: group.databaseId,
      options: group.options.map((option) => option.databaseId),
    }));
  };

  test("return their stock although their groups have changed places meanwhile", async () => {
    const cup = await offer({ ...both, optionCombinations: [{ options: ["White", "S"], quantity: 2 }] });
    const [glaze, size] = await groupsOf(cup.id);
    const { id } = await ordered(lineOf(cup, { optionIds: [glaze!.options[0], size!.options[0]], minimumQuantity: 2 }));
    expect(await stockOf(cup.id)).toMatchObject({ left: ["0 OUT_OF_STOCK"], status: "OUT_OF_STOCK" });
    await catalogue.updateProduct(cup.id, {
      optionGroups: [
        { id: String(size!.id), name: "Size", options: [{ id: String(size!.options[0]), name: "S" }] },
        { id: String(glaze!.id), name: "Glaze", options: [{ id: String(glaze!.options[0]), name: "White" }] },
      ],
      optionCombinations: [{ options: ["S", "White"], quantity: 0 }],
    });
    await cancel(id);
    expect(await stockOf(cup.id)).toMatchObject({ left: ["2 SALE"], status: "SALE" });
  });

  test("that are deleted return no stock, and the order is cancelled all the same", async () => {
    const cup = await offer({ ...both, optionCombinations: [{ options: ["White", "S"], quantity: 2 }] });
    const [glaze, size] = await groupsOf(cup.id);
    const { id } = await ordered(lineOf(cup, { optionIds: [glaze!.options[0], size!.options[0]] }));
    await catalogue.updateProduct(cup.id, { optionCombinations: [{ options: ["Blue", "L"], quantity: 1 }] });
    await cancel(id);
    expect(await stockOf(cup.id)).toMatchObject({ left: ["1 SALE"] });
  });

  test("that a merchant has taken from sale are not sold, and stay so when other orders return their stock", async () => {
    const cup = await offer({
      ...both,
      optionCombinations: [
        { options: ["White", "S"], quantity: 1 },
        { options: ["Blue", "S"], quantity: 5 },
      ],
    });
    const [glaze, size] = await groupsOf(cup.id);
    const [white, blue] = glaze!.options.map((id) => [id, size!.options[0]!]);
    const sold = await ordered(lineOf(cup, { optionIds: white }));
    const blues = await ordered(lineOf(cup, { optionIds: blue }));
    await catalogue.updateProduct(cup.id, {
      optionCombinations: [
        { options: ["White", "S"], quantity: 0 },
        { options: ["Blue", "S"], quantity: 4, status: "UNSOLD" },
      ],
    });
    // The remaining combination is not on sale, so the product is sold out.
    expect(await stockOf(cup.id)).toMatchObject({ left: ["0 OUT_OF_STOCK", "4 UNSOLD"], status: "OUT_OF_STOCK" });
    await cancel(blues.id);
    expect(await stockOf(cup.id)).toMatchObject({ left: ["0 OUT_OF_STOCK", "5 UNSOLD"], status: "OUT_OF_STOCK" });
    await cancel(sold.id);
    expect(await stockOf(cup.id)).toMatchObject({ left: ["1 SALE", "5 UNSOLD"], status: "SALE" });
    expect(graphqlRefusalOf(await order(lineOf(cup, { optionIds: blue })))).toEqual([
      "INVALID_ARGUMENT",
      "items[0].optionIds INVALID_VALUE",
    ]);
  });

  test("can be set to SALE or UNSOLD; the other states follow from stock", async () => {
    const optionCombinations = [{ options: ["White", "S"], status: "OUT_OF_STOCK" }];
    expect(await catalogue.refusalOfProduct({ ...both, optionCombinations })).toEqual([
      "INVALID_ARGUMENT",
      "optionCombinations[0].status INVALID_VALUE",
    ]);
  });

  test("use the product's own stock when bought without a choice", async () => {
    const cup = await offer({ ...both, quantity: 1, optionCombinations: [{ options: ["White", "S"], quantity: 9 }] });
    const { id } = await ordered(lineOf(cup));
    expect(await stockOf(cup.id)).toEqual({ quantity: 0, status: "SALE", left: ["9 SALE"] });
    expect(graphqlRefusalOf(await order(lineOf(cup)))).toEqual([
      "OUT_OF_STOCK",
      "items[0].minimumQuantity INVALID_VALUE",
    ]);
    await cancel(id);
    expect(await stockOf(cup.id)).toEqual({ quantity: 1, status: "SALE", left: ["9 SALE"] });
  });

  test("that run out are refused with the line that needs them", async () => {
    const cup = await offer({ ...both, optionCombinations: [{ options: ["White", "S"], quantity: 1 }] });
    const [glaze, size] = await groupsOf(cup.id);
    const line = lineOf(cup, { optionIds: [glaze!.options[0], size!.options[0]] });
    expect(graphqlRefusalOf(await order(await offer().then(lineOf), line, line))).toEqual([
      "OUT_OF_STOCK",
      "items[1].minimumQuantity INVALID_VALUE",
    ]);
    expect(await stockOf(cup.id)).toMatchObject({ left: ["1 SALE"] });
  });

  test("that are deleted while an order waits for the product's lock are not sold", async () => {
    const cup = await offer({ ...both, optionCombinations: [{ options: ["White", "S"], quantity: 9 }] });
    const [glaze, size] = await groupsOf(cup.id);
    const sql = postgres(gateway.databaseUrl, { max: 2 });
    const merchant = await sql.reserve();
    await merchant`begin`;
    await merchant`select from products where id = ${cup.id} for update`;
    await merchant`delete from option_combinations where product_id = ${cup.id}`;
    const answer = order(lineOf(cup, { optionIds: [glaze!.options[0], size!.options[0]] }));
    const waits = async () =>
      (await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).count;
    while ((await waits()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await merchant`commit`;
    expect(graphqlRefusalOf(await answer)).toEqual(["OUT_OF_STOCK", "items[0].optionIds INVALID_VALUE"]);
    merchant.release();
    await sql.end();
  });
});

describe("a bundle", () => {
  async function bundleOf(...members: { id: number; planId: number }[]) {
    return offer(
      { type: "BUNDLE", name: "Starter set", combinedProductIds: members.map(({ id }) => String(id)) },
      {
        type: "BUNDLE",
        bundlePrices: members.map(({ id, planId }) => ({ productId: String(id), priceId: String(planId) })),
      },
    );
  }

  test("takes the stock of its members, and is refused when one has too little", async () => {
    const [beans, mill] = [await offer({ quantity: 5 }), await offer({ quantity: 3 })];
    const set = await bundleOf(beans, mill);
    const { id } = await ordered(lineOf(set, { minimumQuantity: 2 }));
    const left = async () => [
      (await catalogue.readProduct(beans.id, "quantity")).quantity,
      (await catalogue.readProduct(mill.id, "quantity")).quantity,
    ];
    expect(await left()).toEqual([3, 1]);
    expect(graphqlRefusalOf(await order(lineOf(beans), lineOf(set, { minimumQuantity: 2 })))).toEqual([
      "OUT_OF_STOCK",
      "items[1].minimumQuantity INVALID_VALUE",
    ]);
    expect(await left()).toEqual([3, 1]);
    await cancel(id);
    expect(await left()).toEqual([5, 3]);
  });

  test.each<[string, object, string]>([
    ["is not on sale", { status: "UNSOLD" }, "PRODUCT_NOT_ORDERABLE"],
    ["is out of stock", { quantity: 0 }, "PRODUCT_NOT_ORDERABLE"],
    ["is not sold in the region", { availableRegions: ["JP"] }, "REGION_NOT_SOLD"],
  ])("is refused when a member %s", async (_, change, code) => {
    const [beans, mill] = [await offer(), await offer({ name: "Mill" })];
    const set = await bundleOf(beans, mill);
    await catalogue.updateProduct(mill.id, change);
    const answer = await order(lineOf(set));
    expect(graphqlRefusalOf(answer)).toEqual([code, "items[0].productCode INVALID_VALUE"]);
    expect(answer.errors![0]!.message).toContain("Mill");
  });
});

describe("a limit of an order covers all its lines of a product", () => {
  test("the maximum quantity per purchase", async () => {
    const beans = await offer({}, { maximumPurchaseQuantity: 3 });
    const line = (minimumQuantity: number) => lineOf(beans, { minimumQuantity });
    expect(graphqlRefusalOf(await order(line(2), line(2)))).toEqual([
      "QUANTITY_LIMIT",
      "items[1].minimumQuantity INVALID_VALUE",
    ]);
    expect((await ordered(line(2), line(1))).amount).toBe("56700");
  });

  test("the discount on the first purchase", async () => {
    const beans = await offer({}, { price: "1000", firstSale: { enabled: true, price: "300" } });
    expect(await ordered(lineOf(beans), lineOf(beans))).toMatchObject({ amount: "1700", discountedAmount: "300" });
  });

  test("the one subscription that a product allows", async () => {
    const club = await offer({ isOnetimePurchasable: true }, { type: "FLAT", recurring: everyMonth });
    expect(graphqlRefusalOf(await order(lineOf(club), lineOf(club)))).toEqual([
      "ALREADY_SUBSCRIBED",
      "items[1].productCode INVALID_VALUE",
    ]);
    expect((await ordered(lineOf(club))).amount).toBe("18900");
  });
});

describe("what a child vendor sells through its parent", async () => {
  const child = await createTestChild(gateway);
  const childs = new TestCatalogue(gateway, child);

  /** A product of the child that the parent lists. */
  async function listed(input: object, plan: object = {}) {
    const own = await offer({ type: "DRAFT", draftOf: "BOX", ...input }, plan, childs);
    await childs.runMutation("submitProduct", { productId: String(own.id) }, "product { id }");
    const selection = "product { databaseId code prices { databaseId code } }";
    const { product } = await catalogue.runMutation("approveProduct", { productId: String(own.id) }, selection);
    const [price] = product.prices;
    return {
      own,
      listing: { id: product.databaseId, planId: price!.databaseId, productCode: product.code, priceCode: price!.code },
    };
  }
  const left = async (id: number) => (await childs.readProduct(id, "quantity")).quantity;
  test("returns to the child when the parent cancels its order", async () => {
    const { own, listing } = await listed({ quantity: 3 });
    const { id } = await ordered(lineOf(listing, { minimumQuantity: 2 }));
    expect(await left(own.id)).toBe(1);
    await cancel(id);
    expect(await left(own.id)).toBe(3);
    const { order: whole } = await gateway.queryRawData(
      `{ order(id: "${id}") { items { status } childOrders { items { status } } } }`,
    );
    expect(whole).toEqual({ items: [{ status: "CANCELED" }], childOrders: [{ items: [{ status: "CANCELED" }] }] });
  });

  test("is unchanged by the parent's cancellation when the child has cancelled before", async () => {
    const { own, listing } = await listed({ quantity: 3 });
    const { id } = await ordered(lineOf(listing));
    const { orders } = await gateway.queryData("{ orders(first: 1) { nodes { id } } }", {}, child);
    await childs.runMutation("cancelOrder", { orderId: orders.nodes[0]!.id }, "order { id }");
    await cancel(id);
    expect(await left(own.id)).toBe(3);
  });

  test("is visible to the child in a bundle too, at no price beside the bundle's", async () => {
    const { own, listing } = await listed({ quantity: 3 });
    const set = await offer(
      { type: "BUNDLE", combinedProductIds: [String(listing.id)] },
      {
        type: "BUNDLE",
        price: "5000",
        bundlePrices: [{ productId: String(listing.id), priceId: String(listing.planId) }],
      },
    );
    const { id, amount } = await ordered(lineOf(set, { minimumQuantity: 2 }));
    expect([amount, await left(own.id)]).toEqual(["10000", 1]);
    const whole = await gateway.queryRawData(`{ order(id: "${id}") { childOrders { amount items { quantity } } } }`);
    expect(whole.order.childOrders).toEqual([{ amount: "0", items: [{ quantity: 2 }] }]);
  });
});
