import { connect, type Socket } from "node:net";
import { once } from "node:events";
import postgres from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { seedOrders } from "../../bench/support/orders-seed.ts";
import { EventStreamReader, listenToGraphQL } from "../support/event-stream-reader.ts";
import { cookieOf, OWN_PAGE, postJson } from "../support/fixtures/console-person.ts";
import { decompress, exchange } from "../support/http-exchange.ts";
import { startGateway } from "../support/test-gateway.ts";

/* Answers of reads are compressed for callers that accept it (decision 101). All by real HTTP: inject has no connections. */

const gateway = await startGateway({ connections: 10 });
const graphql = await listenToGraphQL(gateway);
const origin = new URL(graphql).origin;
const token = { "secret-token": gateway.vendor.token };
const json = { ...token, "content-type": "application/json" };
/** More than 64 KB, which is sent in chunks and compressed in another thread. */
const LARGE = "/api/v1/orders?size=60";
/** Between 4 and 16 KB, which is compressed at once. */
const MIDDLE = "/api/v1/orders?size=1";
const SMALL = "/api/v1/customers?size=1";
const ORDERS = "{ orders(first: 100) { nodes { databaseId code createdAt } } }";

const get = (path: string, headers: Record<string, string> = {}) =>
  exchange(origin + path, { headers: { ...token, ...headers } });

const query = (document: string, headers: Record<string, string> = {}) =>
  exchange(graphql, { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify({ query: document }) });

beforeAll(async () => {
  const sql = postgres(gateway.databaseUrl, { max: 1 });
  const volume = { ordersEach: 120, lines: 2, customersEach: 5, productsEach: 3 };
  await seedOrders(sql, { vendorIds: [gateway.vendor.id], ...volume });
  await sql.end();
});

describe("an answer to a read", () => {
  test.each([
    [LARGE, 65_536],
    [MIDDLE, 4_096],
    ["/openapi.json", 65_536],
  ])("of %s has the same text in each coding", async (path, least) => {
    const plain = await get(path);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.headers["content-length"]).toBe(String(plain.bytes.length));
    expect(plain.bytes.length).toBeGreaterThan(least);
    for (const [accepted, coding] of [
      ["gzip, deflate, br", "br"],
      ["gzip, deflate", "gzip"],
      ["br", "br"],
    ] as const) {
      const compressed = await get(path, { "accept-encoding": accepted });
      expect([compressed.status, compressed.headers["content-encoding"]]).toEqual([200, coding]);
      expect(decompress(compressed)).toBe(plain.bytes.toString());
      expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 3);
      expect(compressed.headers.vary).toContain("accept-encoding");
      expect(compressed.headers.etag).toBe(plain.headers.etag);
    }
  });

  test("has its bytes and its length for callers that name no coding, and the headers of before beside vary and etag", async () => {
    const { status, headers, bytes } = await get(LARGE);
    expect([status, Object.keys(headers).toSorted()]).toEqual([
      200,
      [
        "access-control-expose-headers",
        "cache-control",
        "connection",
        "content-length",
        "content-type",
        "date",
        "etag",
        "keep-alive",
        "referrer-policy",
        "vary",
        "x-content-type-options",
        "x-frame-options",
      ],
    ]);
    expect(headers["cache-control"]).toBe("no-store");
    expect(JSON.parse(bytes.toString()).content).toHaveLength(60);
    for (const refused of ["identity", "deflate", "br;q=0, gzip;q=0"]) {
      const answer = await get(LARGE, { "accept-encoding": refused });
      expect([answer.headers["content-encoding"], answer.bytes.equals(bytes)]).toEqual([undefined, true]);
    }
  });

  test("is not compressed where it is small", async () => {
    const { headers, bytes } = await get(SMALL, { "accept-encoding": "gzip" });
    expect(headers["content-encoding"]).toBeUndefined();
    expect(headers["content-length"]).toBe(String(bytes.length));
    expect(headers.vary).toContain("accept-encoding");
  });

  test("of GraphQL is compressed, by POST and by GET", async () => {
    const plain = await query(ORDERS);
    const posted = await query(ORDERS, { "accept-encoding": "gzip" });
    const path = `/graphql?query=${encodeURIComponent(ORDERS)}`;
    const preflight = { "apollo-require-preflight": "true" };
    const got = await get(path, { ...preflight, "accept-encoding": "br" });
    expect([plain, posted, got].map(({ headers }) => headers["content-encoding"])).toEqual([undefined, "gzip", "br"]);
    expect(decompress(posted)).toBe(plain.bytes.toString());
    expect(decompress(got)).toBe(plain.bytes.toString());
  });
});

describe("an answer is not compressed", () => {
  test("to a mutation, which may contain a secret beside text of the request", async () => {
    const note = "a note ".repeat(1_000);
    const document = `mutation { createCustomer(input: { name: "Kim", email: "kim@example.com", phone: "1", customFields: { note: "${note}" } }) { customer { customFields } } }`;
    const { status, headers, bytes } = await query(document, { "accept-encoding": "gzip, br" });
    expect([status, headers["content-encoding"], headers.vary]).toEqual([200, undefined, "Origin"]);
    expect(bytes.toString()).toContain(note);
  });

  test("to a write over REST, first and when it is repeated by its key", async () => {
    const name = "Kim ".repeat(60);
    const body = JSON.stringify({ name, email: "kim@example.com", phone: "1", partnerCustomerId: "c-1" });
    const send = () =>
      exchange(`${origin}/api/v1/cover/customer`, {
        method: "POST",
        headers: { ...json, "accept-encoding": "gzip, br", "idempotency-key": "compressed" },
        body,
      });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status, again.headers["idempotency-replayed"]]).toEqual([201, 201, "true"]);
    expect(again.bytes.equals(first.bytes)).toBe(true);
    for (const { headers } of [first, again]) {
      expect([headers["content-encoding"], headers.vary, headers.etag]).toEqual([undefined, "Origin", undefined]);
    }
  });

  test("to a subscription", async () => {
    const stream = await EventStreamReader.open(graphql, {
      token: gateway.vendor.token,
      headers: { "accept-encoding": "gzip, br" },
    });
    expect(stream.response.headers.get("content-type")).toContain("text/event-stream");
    expect(stream.response.headers.get("content-encoding")).toBeNull();
    expect(await stream.nextBlock()).toMatchObject({ retry: "2000" });
    stream.close();
  });

  test("to another page's request, which a person's cookie came with: it is refused", async () => {
    await gateway.queryRawData(
      `mutation ($input: CreateChildVendorInput!) { createChildVendor(input: $input) { child { uuid } } }`,
      { input: { name: "Tea House", email: "kim@example.com", password: "correct horse" } },
    );
    const signedIn = await postJson(gateway, "/console/sign-in", {
      email: "kim@example.com",
      password: "correct horse",
    });
    const headers = { "content-type": "application/json", cookie: cookieOf(signedIn)!, "accept-encoding": "gzip, br" };
    const body = JSON.stringify({ query: `{ __schema { types { name description } } }` });
    const foreign = await exchange(graphql, {
      method: "POST",
      headers: { ...headers, "sec-fetch-site": "same-site", origin: "https://evil.example.com" },
      body,
    });
    expect([foreign.status, foreign.headers["content-encoding"]]).toEqual([403, undefined]);
    expect(foreign.bytes.toString()).toContain("CROSS_SITE_REQUEST");
    const own = await exchange(graphql, { method: "POST", headers: { ...headers, ...OWN_PAGE }, body });
    expect([own.status, own.headers["content-encoding"]]).toEqual([200, "br"]);
  });
});

describe("a caller that asks for compressed answers", () => {
  /** Sends many requests on one connection, and reads nothing. */
  async function askWithoutReading(count: number): Promise<Socket> {
    const socket = connect(Number(new URL(origin).port), "127.0.0.1").on("error", () => undefined);
    await once(socket, "connect");
    const lines = `GET ${LARGE} HTTP/1.1\r\nhost: x\r\nsecret-token: ${token["secret-token"]}\r\naccept-encoding: br\r\n\r\n`;
    socket.pause().write(lines.repeat(count));
    return socket;
  }

  test("and hangs up early leaves nothing in the log, and the others their answers", async () => {
    gateway.logLines.length = 0;
    for (const socket of await Promise.all(Array.from({ length: 10 }, () => askWithoutReading(3)))) socket.destroy();
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(LARGE, { "accept-encoding": "br" })));
    expect(new Set(answers.map((answer) => decompress(answer).length)).size).toBe(1);
    await expect
      .poll(
        () =>
          gateway.gateway.server.server.listening && gateway.logLines.filter((line) => /"level":(?:50|60)/.test(line)),
      )
      .toEqual([]);
  });

  test("gets whole answers while the gateway closes", async () => {
    const other = await startGateway({ copyOf: gateway });
    const url = new URL(LARGE, await listenToGraphQL(other)).href;
    const asked = Array.from({ length: 12 }, () =>
      exchange(url, { headers: { ...token, "accept-encoding": "gzip", connection: "close" } }),
    );
    await expect.poll(() => other.logLines.some((line) => line.includes('"answered"'))).toBe(true);
    const closing = other.gateway.close();
    const sizes = (await Promise.all(asked)).map((answer) => JSON.parse(decompress(answer)).content.length);
    await closing;
    expect(sizes).toEqual(Array.from({ length: 12 }, () => 60));
  });
});
