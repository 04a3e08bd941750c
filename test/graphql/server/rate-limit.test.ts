import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { queryRows } from "../../hostile/query-rows.ts";
import { awaitTimeInMinute } from "../../support/minute-start.ts";
import { startGateway, type TestGateway } from "../../support/test-gateway.ts";

/* How many requests a key may send in a minute, what an operation costs, and how callers learn of both. */

const unlimited = await startGateway();
const gateway = await startGateway({ requestsPerMinute: 600 });
const small = await startGateway({ requestsPerMinute: 5 });
const COST = { "x-include-cost": "true" };
const NAME = "{ vendor { name } }";

interface Answer {
  data?: unknown;
  errors?: { extensions: Record<string, unknown> }[];
  extensions?: { cost: { requested: number; limit: number; rate: unknown } };
}

/** Sends an operation, and returns its whole answer. */
async function send(
  { gateway: { server }, vendor }: TestGateway,
  query: string,
  options: { token?: string; headers?: object } = {},
) {
  const { statusCode, headers, body } = await server.inject({
    method: "POST",
    url: "/graphql",
    headers: { "secret-token": options.token ?? vendor.token, "content-type": "application/json", ...options.headers },
    payload: JSON.stringify({ query }),
  });
  return { status: statusCode, headers, body: JSON.parse(body) as Answer };
}

const remainingIn = (headers: Record<string, unknown>): number =>
  Number(/^"minute";r=(\d+);t=\d+$/.exec(String(headers["ratelimit"]))![1]);

describe("the rate limit", () => {
  test("is reported in the headers of both protocols, and leaves their bodies as they are", async () => {
    await awaitTimeInMinute(5_000);
    const graphql = await send(gateway, NAME);
    const rest = await gateway.sendRest("GET", "/customers");
    for (const { headers } of [graphql, rest]) expect(headers["ratelimit-policy"]).toBe('"minute";q=600;w=60');
    expect(remainingIn(graphql.headers) - remainingIn(rest.headers)).toBe(1);
    const { token } = await unlimited.openVendor();
    const [limitedBody, body] = [rest.body, (await unlimited.sendRest("GET", "/customers", undefined, { token })).body];
    expect(limitedBody).toEqual(body);
    expect(graphql.body).toEqual({ data: { vendor: { name: "Test vendor" } } });
  });

  test("is in no header of a gateway without one", async () => {
    const { headers } = await send(unlimited, NAME);
    expect(Object.keys(headers).filter((name) => name.startsWith("ratelimit"))).toEqual([]);
  });

  test("refuses further requests of the key until the minute ends, over both protocols, and of no other key", async () => {
    const { token } = await small.openVendor();
    await awaitTimeInMinute(20_000);
    for (let sent = 0; sent < 5; sent++) expect((await send(small, NAME)).status).toBe(200);
    const graphql = await send(small, NAME);
    const rest = await small.sendRawRest("GET", "/customers");
    const seconds = Number(rest.headers["retry-after"]);
    expect([graphql.status, graphql.body.errors![0]!.extensions["code"]]).toEqual([429, "TOO_MANY_REQUESTS"]);
    expect(rest.status).toBe(429);
    expect(rest.body).toMatchObject({
      errorCode: "TOO_MANY_REQUESTS",
      errorMessage: `The key or person sent 5 requests in this minute, which is the limit; wait ${seconds} seconds.`,
    });
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(remainingIn(rest.headers)).toBe(0);
    expect((await send(small, NAME, { token })).status).toBe(200);
  });

  test("costs no statement for a request: a gateway settles what it counted once a second", async () => {
    const { token } = await gateway.openVendor();
    await awaitTimeInMinute(10_000);
    await sleep(1_100);
    gateway.statements.length = 0;
    for (let sent = 0; sent < 9; sent++) await send(gateway, NAME, { token });
    await sleep(1_100);
    const settlements = gateway.statements.filter(({ text }) => text.includes("request_counts"));
    expect(settlements.length).toBeGreaterThan(0);
    expect(settlements.length).toBeLessThanOrEqual(3);
    const [row] = await queryRows<{ requests: number }>(
      gateway,
      "select max(requests)::integer as requests from request_counts where caller <> 'key:1'",
    );
    expect(row!.requests).toBe(9);
  });
});

describe("the cost of an operation", () => {
  test("is in the extensions when the request asks for it", async () => {
    await awaitTimeInMinute(5_000);
    const query = "{ customers(first: 20) { nodes { name latestOrders { code } } } }";
    const { body, headers } = await send(gateway, query, { headers: COST });
    const { requested, ...cost } = body.extensions!.cost;
    // Twenty customers, each with a list that counts for a hundred rows.
    expect(requested).toBe(2_020);
    expect(cost).toEqual({
      limit: 50_000,
      rate: { limit: 600, remaining: remainingIn(headers), resetSeconds: expect.any(Number) },
    });
  });

  test("is the measure of the document limits", async () => {
    const costOf = (slices: string) =>
      send(unlimited, `{ customers(first: 100) { nodes { ${slices} } } }`, { headers: COST });
    const { body } = await costOf("latestOrders { code } orders(first: 50) { nodes { code } }");
    const { requested, rate } = body.extensions!.cost;
    expect([requested, rate]).toEqual([100 + 100 * 100 + 100 * 50, null]);
    const tooMany = "a: orders(first: 100) { nodes { latestOrders: relatedOrders { code } } }";
    const refused = (await costOf(tooMany)).body;
    expect(refused.errors![0]!.extensions["code"]).toBe("QUERY_TOO_COSTLY");
    expect(refused).not.toHaveProperty("extensions");
  });

  test("is reported beside the errors of an operation that was measured", async () => {
    const { body } = await send(unlimited, 'mutation { cancelOrder(input: { orderId: "7" }) { order { code } } }', {
      headers: COST,
    });
    expect([body.errors!.length, body.extensions!.cost]).toEqual([1, { requested: 0, limit: 50_000, rate: null }]);
  });

  test("is left out when the request does not ask for it", async () => {
    expect((await send(gateway, NAME)).body).not.toHaveProperty("extensions");
  });
});
