import { readdirSync, readFileSync } from "node:fs";
import { pino } from "pino";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openGateway } from "../../src/gateway.ts";
import { startGateway } from "../support/test-gateway.ts";
import { createPayableOrder } from "../support/fixtures/checkout-fixture.ts";
import { expectedUnknownPath } from "../support/rest-assertions.ts";

const PROXY = "10.1.2.3";
const publicUrl = "https://pay.example.com";
const gateway = await startGateway({ publicUrl, trustedProxies: ["10.0.0.0/8"] });
const order = await createPayableOrder(gateway);

let clients = 0;

/** Opens the payer's link without a token, by default from an address of its own. */
async function pay(
  code: string | number,
  {
    from = `192.0.2.${++clients}`,
    headers = {},
    query = "",
  }: { from?: string; headers?: Record<string, string>; query?: string } = {},
  { server } = gateway.gateway,
) {
  const url = `/api/public/orders/${code}/pay${query}`;
  const answer = await server.inject({ method: "GET", url, remoteAddress: from, headers });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.body === "" ? "" : JSON.parse(answer.body),
  };
}

test("a payer's link without a token sends the browser to the checkout", async () => {
  const query = "?lang=ko&successUrl=https://shop.example.com/thanks&cancelUrl=";
  const { status, headers, body } = await pay(order.orderCode, { query });
  expect([status, body, headers["deprecation"]]).toEqual([302, "", undefined]);
  expect(headers.location).toMatch(/^https:\/\/pay\.example\.com\/checkout\/[\w-]+\.[\w-]{43}$/);
  const page = await gateway.gateway.server.inject({ url: new URL(String(headers.location)).pathname });
  expect([page.statusCode, page.body.includes(order.orderCode)]).toEqual([200, true]);
  const wrong = await pay(order.orderCode, { query: "?successUrl=javascript:alert(1)&langg=ko" });
  expect([wrong.status, wrong.body.details.fields[0].path]).toEqual([400, "successUrl"]);
  expect(wrong.headers["x-ignored-parameters"]).toBe("langg; did-you-mean=lang");
});

test("a payer's link without a token accepts no number and no global id", async () => {
  const { order: known } = await gateway.queryRawData(`{ order(code: "${order.orderCode}") { id } }`);
  for (const code of [order.orderId, known.id, "order_nobodys00", "0", "%00", "x".repeat(300)])
    expect(await pay(code)).toMatchObject(expectedUnknownPath(404, "ORDER_NOT_FOUND", "code"));
});

test("payers' links from one address are limited, whatever X-Forwarded-For says", async () => {
  const statuses = async (code: string, count: number, sent: (index: number) => Parameters<typeof pay>[1]) => {
    const answers = await Promise.all(Array.from({ length: count }, (_, index) => pay(code, sent(index))));
    return [302, 404, 429].map((status) => answers.filter((one) => one.status === status).length);
  };
  const forged = (index: number) => ({ from: "198.51.100.7", headers: { "x-forwarded-for": `192.0.2.${index}` } });
  expect(await statuses("order_nobodys00", 70, forged)).toEqual([0, 60, 10]);
  const { status, headers, body } = await pay(order.orderCode, { from: "::ffff:198.51.100.7" });
  expect([status, body.errorCode, Number(headers["retry-after"]) > 0]).toEqual([429, "TOO_MANY_REQUESTS", true]);
  expect(gateway.logLines.filter((line) => line.includes("TRUSTED_PROXIES")).length).toBeGreaterThan(0);
  // One client can have 64 bits of IPv6 addresses.
  expect(await statuses(order.orderCode, 62, (index) => ({ from: `2001:db8::${index.toString(16)}:1` }))).toEqual([
    60, 0, 2,
  ]);
  expect((await pay(order.orderCode, { from: "2001:db8:0:1::1" })).status).toBe(302);
  // A configured proxy's header gives the client's address; addresses that the client added before it do not count.
  const proxied = (index: number) => ({ from: PROXY, headers: { "x-forwarded-for": `192.0.2.${index}, 203.0.113.9` } });
  expect(await statuses(order.orderCode, 61, proxied)).toEqual([60, 0, 1]);
  const other = { from: PROXY, headers: { "x-forwarded-for": "203.0.113.10" } };
  expect((await pay(order.orderCode, other)).status).toBe(302);
});

test("a code shared by older orders of two vendors is 404 without a token, and is reported at each start", async () => {
  const other = await gateway.openVendor();
  const [ours, theirs] = [await createPayableOrder(gateway), await createPayableOrder(gateway, {}, other)];
  const { handle } = gateway.database;
  const take = sql`update orders set code = ${ours.orderCode} where id = ${theirs.orderId}`;
  await expect(handle.execute(take)).rejects.toThrow();
  await handle.execute(sql`alter table orders drop column code_repeat`);
  await handle.execute(take);
  const name = readdirSync("schema/migrations").find((file) => file.endsWith("_order_codes_over_all_vendors.sql"))!;
  for (const statement of readFileSync(`schema/migrations/${name}`, "utf8").split("--> statement-breakpoint"))
    await handle.execute(sql.raw(statement));
  expect(await pay(ours.orderCode)).toMatchObject(expectedUnknownPath(404, "ORDER_NOT_FOUND", "code"));
  expect((await pay(order.orderCode)).status).toBe(302);
  for (const options of [{}, other])
    expect((await gateway.sendRest("GET", `/orders/${ours.orderCode}/pay`, undefined, options)).status).toBe(302);
  const lines: string[] = [];
  const logger = pino({ base: undefined }, { write: (line: string) => void lines.push(line) });
  const database = { ...gateway.database, close: () => Promise.resolve() };
  await (await openGateway({ database, clock: gateway.clock, logger, vocabulary: {} })).close();
  expect(lines.map((line) => JSON.parse(line).codes)).toEqual([[ours.orderCode]]);
});
