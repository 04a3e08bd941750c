import postgres from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { seedOrders } from "../../../bench/support/orders-seed.ts";
import { errorSummaries } from "../../support/cover-mutations.ts";
import { startGateway } from "../../support/test-gateway.ts";

const gateway = await startGateway();
const ORDERS = 3_000;

beforeAll(async () => {
  const stranger = await gateway.openVendor();
  const sql = postgres(gateway.databaseUrl, { max: 1 });
  const volume = { ordersEach: ORDERS, lines: 3, customersEach: 50, productsEach: 10 };
  await seedOrders(sql, { vendorIds: [gateway.vendor.id, stranger.id], ...volume });
  await sql.end();
});

const page = async (args: string) =>
  (await gateway.queryRawData(`{ orderPage(${args}) { totalCount rows { code createdAt } } }`)).orderPage;
const codeOf = (number: number) => `order_${String(number).padStart(9, "0")}`;
const codes = ({ rows }: { rows: { code: string }[] }) => rows.map(({ code }) => code);
const down = (from: number, count: number) => Array.from({ length: count }, (_, index) => codeOf(from - index));

describe("a numbered page", () => {
  test.each([
    ["the first", "size: 20", down(3000, 20)],
    ["one in the middle", "page: 100, size: 20", down(1000, 20)],
    ["the last", "page: 149, size: 20", down(20, 20)],
    ["one past the end", "page: 150, size: 20", []],
    ["the last, which is not full", "page: 3, size: 900", down(300, 300)],
    ["one far past the end", "page: 2000000000, size: 1000", []],
    ["one from the other end", "page: 10, size: 2, orderBy: { direction: ASC }", [codeOf(21), codeOf(22)]],
    ["one of another order", "page: 1, size: 2, orderBy: { field: CODE, direction: ASC }", [codeOf(3), codeOf(4)]],
  ])("%s", async (_, args, expected) => {
    const { totalCount, ...rows } = await page(args);
    expect({ totalCount, codes: codes(rows) }).toEqual({ totalCount: ORDERS, codes: expected });
  });

  const spring = `createdAt: { from: "2026-03-01T05:00:00Z", until: "2026-05-01T03:00:00Z" }`;
  const inSpring = "created_at between '2026-03-01T05:00Z' and '2026-05-01T03:00Z'";
  const inState = (word: string) =>
    `exists (select from order_items i where i.order_id = o.id and i.status = '${word}')`;
  test.each([
    ["a period", spring, inSpring],
    ["a state", "status: CREATED", inState("CREATED")],
    ["a state in a period", `status: PAID, ${spring}`, `${inState("PAID")} and ${inSpring}`],
    [
      "a period within a day",
      `createdAt: { from: "2026-03-01T05:00:00Z", until: "2026-03-01T15:00:00Z" }`,
      "created_at between '2026-03-01T05:00Z' and '2026-03-01T15:00Z'",
    ],
    ["an open period", `createdAt: { from: "2026-09-30T00:00:00Z" }`, "created_at >= '2026-09-30T00:00Z'"],
    ["all writable dates", `createdAt: { from: "0001-01-01T00:00:00Z", until: "9999-12-31T23:59:59.999Z" }`, "true"],
    ["the last instant", `createdAt: { from: "9999-12-31T23:59:59.999Z" }`, "false"],
    ["the first instant in a state", `status: PAID, createdAt: { until: "0001-01-01T00:00:00Z" }`, "false"],
    ["an empty period", `createdAt: { until: "2020-01-01T00:00:00Z" }`, "false"],
  ])("of %s is a slice of the same list, from both ends, and its total is exact", async (_, filter, condition) => {
    const sql = postgres(gateway.databaseUrl, { max: 1 });
    const rows = await sql.unsafe(
      `select code from orders o where vendor_id = ${gateway.vendor.id} and ${condition} order by created_at desc, id desc`,
    );
    await sql.end();
    const whole = rows.map(({ code }) => code as string);
    for (const number of [0, 1, 7, 41]) {
      const [newest, oldest] = [
        await page(`page: ${number}, size: 7, filter: { ${filter} }`),
        await page(`page: ${number}, size: 7, filter: { ${filter} }, orderBy: { direction: ASC }`),
      ];
      expect([newest.totalCount, oldest.totalCount]).toEqual([whole.length, whole.length]);
      expect(codes(newest)).toEqual(whole.slice(number * 7, number * 7 + 7));
      expect(codes(oldest)).toEqual(whole.toReversed().slice(number * 7, number * 7 + 7));
    }
  });

  test("is refused below 0, and with a size that pages do not allow", async () => {
    for (const [args, path] of [
      ["page: -1", "page"],
      ["size: 0", "size"],
      ["size: 1001", "size"],
    ] as const) {
      const { errors } = await gateway.sendRawGraphQL(`{ orderPage(${args}) { totalCount } }`);
      expect(errors![0]!.extensions).toMatchObject({ code: "INVALID_ARGUMENT", details: { fields: [{ path }] } });
    }
  });
});

test("totals follow every transition of a line", async () => {
  const totals = async () => {
    const data = await gateway.queryData(
      "{ all: orders { totalCount } paid: orders(filter: { status: PAID }) { totalCount } requested: orders(filter: { status: CANCELLATION_REQUEST }) { totalCount } }",
    );
    return Object.values(data).map((list) => list.totalCount);
  };
  expect(await totals()).toEqual([ORDERS, 1_800, 0]);
  const { orders } = await gateway.queryRawData(
    "{ orders(first: 1, filter: { status: PAID }) { nodes { items { id } } } }",
  );
  const ids: string[] = orders.nodes[0].items.map(({ id }: { id: string }) => id);
  const move = (itemIds: readonly string[]) =>
    gateway.queryRawData(
      "mutation ($input: MoveOrderItemsInput!) { moveOrderItems(input: $input) { items { status } } }",
      { input: { itemIds, trigger: "REQUEST_CANCELLATION" } },
    );
  await move(ids.slice(0, 1));
  expect(await totals()).toEqual([ORDERS, 1_800, 1]);
  await move(ids.slice(1));
  expect(await totals()).toEqual([ORDERS, 1_799, 1]);
});

describe("a keyword", () => {
  test.each([
    ['keyword: "CUSTOMER 7"', 60],
    ['keyword: "customer7@example.com", target: EMAIL', 60],
    ['keyword: "customer7@example.com", target: CUSTOMER_NAME', 0],
    ['keyword: "0000-0007", target: PHONE', 60],
    ['keyword: "no digits", target: PHONE', 0],
    ['keyword: "order_000002_99", target: ORDER_CODE', 0],
    ['keyword: "000002999", target: ORDER_CODE', 1],
    ['keyword: "product 3", target: PRODUCT_NAME', 300],
    ['keyword: "0000-0007"', 60],
    ['keyword: "+0000-0007"', 60],
    ['keyword: "00000007", target: EMAIL', 0],
    ['keyword: "m"', ORDERS],
    ['keyword: "7@", target: EMAIL', 300],
    ['keyword: "7@", target: CUSTOMER_NAME', 0],
    ['keyword: "%"', 0],
    ['keyword: "+"', 0],
    // The end of one text and the beginning of the next do not match together.
    [String.raw`keyword: "\u001f"`, 0],
    [String.raw`keyword: "Product 1\u001fCustomer"`, 0],
  ])("%s", async (filter, total) => {
    const { orders } = await gateway.queryRawData(`{ orders(filter: { ${filter} }) { totalCount } }`);
    expect(orders.totalCount).toBe(total);
  });

  test.each([["000002998"], ["0000-0007"], ["no customer"]])(
    "%s is looked up in the index, although the table has never been vacuumed",
    async (keyword) => {
      gateway.statements.length = 0;
      await gateway.queryRawData(`{ orderPage(filter: { keyword: "${keyword}" }) { totalCount rows { code } } }`);
      const searches = gateway.statements.filter(({ text }) => text.includes("search_text"));
      expect(searches).toHaveLength(2);
      const sql = postgres(gateway.databaseUrl, { max: 1 });
      for (const { text, parameters } of searches) {
        const plan = await sql.unsafe(`explain ${text}`, parameters as never[]);
        expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain("on orders_search");
      }
      await sql.end();
    },
  );
});

test.each(["2026-02-30T00:00:00.000Z", "0000-01-01T00:00:00.000Z", "2026-01-01T24:00:00.000Z"])(
  "a cursor is invalid at %s, which no order has",
  async (instant) => {
    const [version, sort, , id] = JSON.parse(
      Buffer.from(
        (await gateway.queryData("{ orders(first: 1) { pageInfo { endCursor } } }")).orders.pageInfo.endCursor!,
        "base64url",
      ).toString(),
    );
    const after = Buffer.from(JSON.stringify([version, sort, instant, id])).toString("base64url");
    const answer = await gateway.sendGraphQL("query ($after: String) { orders(after: $after) { nodes { code } } }", {
      after,
    });
    expect(errorSummaries(answer)).toEqual(["INVALID_ARGUMENT: after INVALID_VALUE"]);
  },
);

test("a page of orders with all their nested rows is one statement, whatever its size", async () => {
  const query = (size: number) => `{ orders(first: ${size}) { nodes {
    code customer { name orderCount shipping { city } } region { name } orderLogs { content }
    items { code price { code recurring { interval } options { name } } product { name optionGroups { name } } histories { actor } }
    subscriptions { items { productName } } relatedOrders { code } childOrders { code } payment { amount } } } }`;
  for (const size of [1, 50]) {
    gateway.statements.length = 0;
    await gateway.queryRawData(query(size));
    expect(gateway.statements).toHaveLength(1);
  }
});
