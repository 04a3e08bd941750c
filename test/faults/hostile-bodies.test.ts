import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import type { GraphQLRefusal } from "../support/refusal-values.ts";
import { buildOnce } from "../support/build-once.ts";
import { customerBody, createFaultFixture, orderBody, type FaultFixture } from "./harness/fault-client.ts";
import { createDatabase } from "./harness/fault-databases.ts";
import { GatewayProcess, TOKEN } from "./harness/gateway-process.ts";

/* bodies that are made to hurt. Each is refused in the contract's words, and the gateway works on as before. */

const MEGABYTE = 1_048_576;

let gateway: GatewayProcess;
let shop: FaultFixture;

beforeAll(async () => {
  await buildOnce();
  gateway = await GatewayProcess.start({ DATABASE_URL: await createDatabase() });
  shop = await createFaultFixture(gateway.address);
});

interface Sent {
  path?: string;
  headers?: Record<string, string>;
  body: string | Buffer<ArrayBuffer> | ReadableStream;
}

async function post({ path = "/api/v1/cover/customer", headers, body }: Sent) {
  const response = await fetch(gateway.address + path, {
    method: "POST",
    headers: { "secret-token": TOKEN, "content-type": "application/json", ...headers },
    body,
    duplex: "half",
  });
  return { status: response.status, text: await response.text() };
}

/** The error body of the contract: JSON with a code, a trace id and a sentence. */
function expectRefusal({ status, text }: { status: number; text: string }, code?: string): void {
  expect(status, text).toBeGreaterThanOrEqual(400);
  expect(status, text).toBeLessThan(500);
  const body = JSON.parse(text);
  expect(body).toMatchObject({
    errorCode: code ?? expect.any(String),
    errorMessage: expect.any(String),
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  // The body sent is not repeated, and internals of the gateway are not shown.
  expect(text.length).toBeLessThan(2000);
  expect(text).not.toMatch(/node_modules|PostgresError|\bat .*:\d+:\d+|select |insert /);
}

const withField = (field: string, characters: string): string =>
  JSON.stringify({ ...customerBody(), [field]: "@" }).replace('"@"', characters);
const nested = (open: string, close: string, levels: number): string => open.repeat(levels) + close.repeat(levels);

/** A body without a content length: the gateway has to count the bytes. */
function endless(): ReadableStream {
  let left = 4;
  const piece = new TextEncoder().encode(`"${"x".repeat(MEGABYTE / 2 - 4)}",`);
  return new ReadableStream({ pull: (controller) => (left-- > 0 ? controller.enqueue(piece) : controller.close()) });
}

const bodies: [name: string, code: string | undefined, sent: () => Sent][] = [
  ["2 MB of JSON", "PAYLOAD_TOO_LARGE", () => ({ body: withField("name", `"${"x".repeat(2 * MEGABYTE)}"`) })],
  ["2 MB of JSON in pieces", "PAYLOAD_TOO_LARGE", () => ({ body: endless() })],
  [
    "2 MB for GraphQL",
    undefined,
    () => ({ path: "/graphql?", body: JSON.stringify({ query: `{ __typename ${" ".repeat(2 * MEGABYTE)} }` }) }),
  ],
  [
    "a gzip bomb",
    undefined,
    () => ({ headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(20 * MEGABYTE, " ")) }),
  ],
  [
    "good JSON in gzip",
    undefined,
    () => ({ headers: { "content-encoding": "gzip" }, body: gzipSync(JSON.stringify(customerBody())) }),
  ],
  ["50,000 levels of arrays", "MALFORMED_JSON", () => ({ body: nested("[", "]", 50_000) })],
  [
    "50,000 levels of objects",
    "MALFORMED_JSON",
    () => ({ body: withField("memo", `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`) }),
  ],
  ["50,000 levels that never close", "MALFORMED_JSON", () => ({ body: "[".repeat(50_000) })],
  ["a lone high surrogate", "INVALID_ARGUMENT", () => ({ body: withField("name", '"a\\ud800b"') })],
  ["a lone low surrogate", "INVALID_ARGUMENT", () => ({ body: withField("partnerCustomerId", '"\\udc00"') })],
  ["surrogates in the wrong order", "INVALID_ARGUMENT", () => ({ body: withField("name", '"\\udc00\\ud800"') })],
  [
    "a surrogate as raw bytes",
    "MALFORMED_JSON",
    () => ({ body: Buffer.from(withField("name", '"\xed\xa0\x80"'), "latin1") }),
  ],
  ["an escaped NUL", "INVALID_ARGUMENT", () => ({ body: withField("name", '"a\\u0000b"') })],
  ["a raw NUL", "MALFORMED_JSON", () => ({ body: withField("name", '"a\0b"') })],
  ["nothing but NUL", "MALFORMED_JSON", () => ({ body: "\0".repeat(1000) })],
];

/** Places where text reaches the database by another path than a registration. */
const texts = ['"a\\u0000b"', '"\\ud800"'];

describe("a gateway refuses with 4xx and the error body", () => {
  test.each(bodies)("%s", async (_name, code, sent) => {
    const answer = await post(sent());
    const { path } = sent();
    if (path === undefined) return expectRefusal(answer, code);
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text).errors[0].extensions.code).toBe("PAYLOAD_TOO_LARGE");
  });

  test("an order of 10,000 items", async () => {
    const items = Array.from({ length: 10_000 }, () => ({ quantity: 1, priceId: shop.priceId }));
    expectRefusal(
      await post({ path: "/api/v1/cover/order", body: JSON.stringify({ ...orderBody(shop), items }) }),
      "INVALID_ARGUMENT",
    );
  });

  test.each(texts)("%s in the report of a failure", async (text) => {
    for (const field of ["errorCode", "errorMessage"]) {
      const report = JSON.stringify({ subscriptionId: shop.subscriptionId, orderId: 1, errorCode: "51", [field]: "@" });
      expectRefusal(
        await post({ path: "/api/v1/cover/recovery", body: report.replace('"@"', text) }),
        "INVALID_ARGUMENT",
      );
    }
  });

  test("a key of a JSON object that no text column can store is ignored like any other unknown field", async () => {
    for (const key of ['"\\ud800"', '"a\\u0000"', '"__proto__"']) {
      const body = JSON.stringify({ ...customerBody(), "@": { polluted: true } }).replace('"@"', key);
      expect((await post({ body })).status).toBe(201);
      // With an idempotency key the body is hashed too.
      const again = JSON.stringify({ ...customerBody(), "@": { polluted: true } }).replace('"@"', key);
      expect((await post({ body: again, headers: { "idempotency-key": `k-${key.length}` } })).status).toBe(201);
    }
  });
});

test.each(texts)(
  "GraphQL answers %s in a variable, in a document and in a filter as the caller's error",
  async (text) => {
    const mutation =
      "mutation ($input: RegisterCoverCustomerInput!) { registerCoverCustomer(input: $input) { customer { id } } }";
    const input = JSON.stringify({
      name: "@",
      email: "a@example.com",
      phone: "010-1234-5678",
      partnerCustomerId: "nul",
    });
    const requests = [
      `{"query":${JSON.stringify(mutation)},"variables":{"input":${input.replace('"@"', text)}}}`,
      `{"query":"{ coverCustomers(filter: {email: \\"@\\"}) { nodes { id } } }"}`.replace("@", text.slice(1, -1)),
      `{"query":${text}}`,
      `{"query":"{ __typename }","operationName":${text}}`,
    ];
    for (const body of requests) {
      const answer = await post({ path: "/graphql", body });
      expect(answer.status, answer.text).toBeLessThan(500);
      const { errors = [] } = JSON.parse(answer.text) as { errors?: GraphQLRefusal[] };
      expect(
        errors.map(({ extensions }) => extensions.code),
        body,
      ).not.toContain("INTERNAL_ERROR");
    }
  },
);

test("GraphQL answers a forged cursor as the caller's error", async () => {
  const query = "query ($after: String) { coverCustomers(first: 1, after: $after) { pageInfo { endCursor } } }";
  const ask = async (after?: string) =>
    JSON.parse((await post({ path: "/graphql", body: JSON.stringify({ query, variables: { after } }) })).text);
  const given = Buffer.from((await ask()).data.coverCustomers.pageInfo.endCursor, "base64url").toString();
  const [version, sort, value, id] = JSON.parse(given);
  const forged = [
    [version, sort, "+275760-09-13T00:00:00.000Z", id],
    [version, sort, "-271821-04-20T00:00:00.000Z", id],
    [version, sort, "0000-12-31T23:59:59.999Z", id],
    [version, sort, "2026-02-30T00:00:00.000Z", id],
    [version, sort, "infinity", id],
    [version, sort, "\0", id],
    [version, sort, null, id],
    [version, sort, {}, id],
    [version, sort, value, -1],
    [version, sort, value, Number.MAX_SAFE_INTEGER],
    [version, sort, value, 2 ** 63],
    [version, sort, value, "1"],
    [version, sort],
    [Number(version) + 1, sort, value, id],
    {},
  ];
  const failed: unknown[] = [];
  for (const parts of forged) {
    const { errors = [] } = await ask(Buffer.from(JSON.stringify(parts)).toString("base64url"));
    if (errors.some(({ extensions }: GraphQLRefusal) => extensions.code === "INTERNAL_ERROR")) failed.push(parts);
  }
  expect(failed).toEqual([]);
});

test.each(["%00", "1%00", "%ed%a0%80", "%", "1e3", "9".repeat(400)])(
  "a path that ends in %s is refused with 4xx",
  async (id) => {
    for (const path of ["/api/v1/cover/order/success/", "/api/v1/cover/recovery/"]) {
      const headers = { "secret-token": TOKEN };
      for (const method of ["GET", "PATCH"]) {
        const response = await fetch(gateway.address + path + id, { method, headers });
        expectRefusal({ status: response.status, text: await response.text() });
      }
    }
  },
);

test("none of these counts as a failure of the gateway, which still works", async () => {
  expect(gateway.isRunning).toBe(true);
  const complaints = gateway.output.split("\n").filter((line) => /"status":5|"level":[56]0/.test(line));
  expect(complaints).toEqual([]);
  expect((await post({ body: JSON.stringify(customerBody()) })).status).toBe(201);
});
