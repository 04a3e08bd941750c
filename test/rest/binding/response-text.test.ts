import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { seed, DEMO_TOKEN } from "../../demo/demo-gateway.ts";
import { startGateway, type TestGateway } from "../../support/test-gateway.ts";

/* A body whose records the database writes is, letter by letter, the one that code writes. */

const options = { now: "2026-03-01T09:30:00.000Z", demoToken: DEMO_TOKEN, isLoopback: true };
const plain = await startGateway(options);
const worded = await startGateway({
  ...options,
  vocabulary: {
    ...{ paidAmount: `sum"'\\\n$1`, createdAt: "born", code: "no", KR: "ROK" },
    ...{ PAID: "SETTLED", SKU: "goods'", CARD: "PLASTIC", HOUSE: "ACME", CANCELED: "GONE" },
  },
});

const ODD_TEXT = `"'\\/\b\f\n\r\t\u0001\u0002{}3\u001f\u007f\u2028 é 한 😀 %s $1`;
const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The bodies of the first request for a route, which code writes, and of the third, whose operation is compiled. */
async function bodiesOf(gateway: TestGateway, path: string): Promise<[string, string]> {
  const get = async () =>
    (await gateway.gateway.server.inject({ url: path, headers: { "secret-token": DEMO_TOKEN } })).body;
  const first = await get();
  await get();
  return [first, await get()];
}

/** The one value of a statement, as text. */
async function valueOf(gateway: TestGateway, statement: string): Promise<string> {
  const rows = await gateway.database.handle.execute(sql.raw(`select (${statement})::text as value`));
  const [row] = rows as Iterable<{ value: string }>;
  return row!.value;
}

describe.each([
  ["the contract's words", plain],
  ["a vocabulary file", worded],
] as const)("with %s", (_, gateway) => {
  beforeAll(async () => {
    await seed(gateway);
    for (const statement of [
      `update customers set name = ${quote(ODD_TEXT)}, dormant_at = 'infinity' where id % 3 = 0`,
      `update products set name = ${quote(ODD_TEXT)}, image_urls = array['', ${quote(ODD_TEXT)}] where id % 2 = 0`,
      // More digits than a JavaScript number has, and fewer than it writes in plain notation.
      `update orders set paid_amount = 123456789012345.123456, exchange_rate = 0.000000720001,
        currency_price = '{"USD": "0.5", "KRW": "1900"}' where id % 3 = 0`,
      `update orders set paid_amount = 0.000001, returned_amount = 0, exchange_rate = 12345.678901234567 where id % 3 = 1`,
      `update order_items set amount = 999999999.999999, paid_amount = 1000000000.000001 where id % 2 = 0`,
    ])
      await gateway.database.handle.execute(sql.raw(statement));
  });

  test.each([
    ["/orders?size=200", "select ''"],
    ["/orders/", "select max(order_id) from order_subscriptions"],
    ["/customers?size=100", "select ''"],
    ["/customers/", "select max(customer_id) from payment_methods"],
    ["/products/", "select p.code from products p join option_groups g on g.product_id = p.id limit 1"],
    ["/products/", "select max(product_id) || '/prices' from price_plans where volumes <> '[]'"],
    ["/vendors/", "select p.uuid || '/children?size=9' from vendors p join vendors c on c.parent_id = p.id limit 1"],
  ])("GET %s has the body that code writes", async (path, rest) => {
    const [first, third] = await bodiesOf(gateway, `/api/v1${path}${await valueOf(gateway, rest)}`);
    expect(first.length).toBeGreaterThan(200);
    expect(third).toBe(first);
  });
});

test("a page of orders is read as text", async () => {
  plain.statements.length = 0;
  await bodiesOf(plain, "/api/v1/orders?size=5");
  const [page = ""] = plain.statements
    .map(({ text }) => text)
    .filter((text) => text.includes('"orderCode"') || text.includes("concat("));
  expect(page).toContain("concat(");
});
