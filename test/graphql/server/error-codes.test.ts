import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import type { GraphQLRefusal } from "../../support/refusal-values.ts";
import { refusalCodes } from "../../../src/kernel/refusal-codes.ts";
import { startGateway } from "../../support/test-gateway.ts";

const gateway = await startGateway();
const disabled = (await gateway.openVendor()).token;
const { server } = gateway.gateway;

beforeAll(async () => {
  await gateway.database.handle.execute(
    sql`update vendors set enabled = false where id = (select vendor_id from api_keys order by id desc limit 1)`,
  );
});

interface Request {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  url?: string;
  headers?: Record<string, string>;
  body?: string | object;
  token?: string | null;
}

async function send({ method = "POST", url = "/graphql", headers, body, token = gateway.vendor.token }: Request) {
  const response = await server.inject({
    method,
    url,
    headers: {
      ...(token !== null && { "secret-token": token }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { payload: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(response.body) };
}

const vendor = { query: "{ vendor { name } }" };
const asked = (query: string) => `/graphql?query=${encodeURIComponent(query)}`;

/** Every error of a request before an operation runs: its status and its code. */
const wrongRequests: [name: string, request: Request, status: number, code: string][] = [
  ["no token", { body: vendor, token: null }, 403, "TOKEN_MISSING"],
  ["an empty token", { body: vendor, token: "" }, 403, "TOKEN_MISSING"],
  ["an unknown token", { body: vendor, token: "nobody" }, 403, "TOKEN_INVALID"],
  ["the token of a disabled vendor", { body: vendor, token: disabled }, 403, "VENDOR_DISABLED"],
  ["an unknown method", { method: "DELETE" }, 405, "METHOD_NOT_ALLOWED"],
  ["a path below the endpoint", { method: "GET", url: "/graphql/x" }, 404, "NOT_FOUND"],
  ["text instead of JSON", { body: "{}", headers: { "content-type": "text/plain" } }, 415, "UNSUPPORTED_MEDIA_TYPE"],
  [
    "a form",
    { body: "query=1", headers: { "content-type": "application/x-www-form-urlencoded" } },
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  ],
  [
    "another charset",
    { body: vendor, headers: { "content-type": "application/json; charset=latin1" } },
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  ],
  ["more than a megabyte", { body: `"${"x".repeat(1_048_576)}"` }, 413, "PAYLOAD_TOO_LARGE"],
  ["malformed JSON", { body: "{" }, 400, "MALFORMED_JSON"],
  ["no body", {}, 400, "BAD_REQUEST"],
  ["no keys", { body: {} }, 400, "BAD_REQUEST"],
  ["a string as body", { body: '"x"' }, 400, "BAD_REQUEST"],
  ["a batch", { body: [vendor] }, 400, "BAD_REQUEST"],
  ["variables as text", { body: { ...vendor, variables: "{}" } }, 400, "BAD_REQUEST"],
  ["variables as a list", { body: { ...vendor, variables: [1] } }, 400, "BAD_REQUEST"],
  ["a query that is no string", { body: { query: { a: 1 } } }, 400, "BAD_REQUEST"],
  ["an empty query", { body: { query: "" } }, 400, "BAD_REQUEST"],
  ["no operation", { body: { query: "fragment F on Vendor { name }" } }, 400, "GRAPHQL_VALIDATION_FAILED"],
  [
    "an unknown operation name",
    { body: { query: "query A { vendor { name } }", operationName: "B" } },
    400,
    "BAD_REQUEST",
  ],
  [
    "several operations and no name",
    { body: { query: "query A { vendor { name } } query B { vendor { name } }" } },
    400,
    "BAD_REQUEST",
  ],
  [
    "a persisted query",
    { body: { extensions: { persistedQuery: { version: 1, sha256Hash: "a".repeat(64) } } } },
    200,
    "BAD_REQUEST",
  ],
  ["a document that is not well-formed", { body: { query: "{ vendor {" } }, 400, "GRAPHQL_PARSE_FAILED"],
  ["an empty document", { body: { query: " " } }, 400, "GRAPHQL_PARSE_FAILED"],
  ["an unknown field", { body: { query: "{ vendor { password } }" } }, 400, "GRAPHQL_VALIDATION_FAILED"],
  ["a field of the wrong type", { body: { query: "{ vendor }" } }, 400, "GRAPHQL_VALIDATION_FAILED"],
  [
    "a variable that is wrong",
    { body: { query: "query ($n: Int) { covers(first: $n) { totalCount } }", variables: { n: "x" } } },
    400,
    "INVALID_ARGUMENT",
  ],
  ["a GET without a query", { method: "GET" }, 400, "BAD_REQUEST"],
  [
    "a GET of a mutation",
    { method: "GET", url: asked('mutation { advanceTestClock(input: { by: "P1D" }) { now } }') },
    405,
    "BAD_REQUEST",
  ],
  [
    "a GET with malformed variables",
    { method: "GET", url: `${asked("{ vendor { name } }")}&variables=%7B` },
    400,
    "BAD_REQUEST",
  ],
  [
    "an idempotency key that is too long",
    { body: vendor, headers: { "idempotency-key": "x".repeat(256) } },
    400,
    "INVALID_ARGUMENT",
  ],
];

describe.each(wrongRequests)("a request with %s", (_name, request, status, code) => {
  test(`is answered ${status} ${code}, with a sentence and a traceId`, async () => {
    const answer = await send(request);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status,
      body: {
        errors: expect.arrayContaining([
          expect.objectContaining({
            message: expect.stringMatching(/^\S/),
            extensions: expect.objectContaining({ code, traceId: expect.stringMatching(/^[0-9a-f]{32}$/) }),
          }),
        ]),
      },
    });
    expect(answer.headers["content-type"]).toMatch(/^application\/json; charset=utf-8$/);
  });

  test("carries a code that errorCodes lists", async () => {
    const { errors } = (await send(request)).body;
    for (const { extensions } of errors) expect(Object.keys(refusalCodes)).toContain(extensions.code);
  });
});

test("errorCodes lists every code once, with a sentence", async () => {
  const { errorCodes } = await gateway.queryData("{ errorCodes { code meaning } }");
  expect(errorCodes.map(({ code }: { code: string }) => code).sort()).toEqual(Object.keys(refusalCodes).sort());
  for (const { meaning } of errorCodes) expect(meaning).toMatch(/^[A-Z`].+\.$/);
});

test("the enum of the codes has the same words and meanings", async () => {
  const { errorCodes, __type } = await gateway.queryData(
    '{ errorCodes { code meaning } __type(name: "ErrorCode") { enumValues { name description } } }',
  );
  const words = __type!.enumValues!.map(({ name, description }) => ({ code: name, meaning: description }));
  expect(new Set(words)).toEqual(new Set(errorCodes));
});

test("a subscription, which the schema does not have, is the caller's error and no bug", async () => {
  gateway.logLines.length = 0;
  const { status, body } = await send({ body: { query: "subscription { vendor { name } }" } });
  expect(status).toBe(400);
  expect(["BAD_REQUEST", "GRAPHQL_VALIDATION_FAILED"]).toContain(body.errors[0].extensions.code);
  expect(gateway.logLines.filter((line) => line.includes('"failed"'))).toEqual([]);
});

test("a bug shows the caller its traceId only, and logs everything", async () => {
  await gateway.database.handle.execute(sql`alter table covers rename to covers_gone`);
  const { errors, data } = await gateway.sendGraphQL("{ covers { totalCount } }");
  await gateway.database.handle.execute(sql`alter table covers_gone rename to covers`);
  const [{ extensions, message, path }] = errors as [GraphQLRefusal];
  expect([data, extensions.code, path]).toEqual([null, "INTERNAL_ERROR", ["covers", "totalCount"]]);
  expect(message).not.toMatch(/cover_|column|relation/);
  expect(Object.keys(extensions).sort()).toEqual(["code", "docUrl", "traceId"]);
  const lines = gateway.logLines.filter((line) => line.includes(extensions.traceId!) && line.includes("42P01"));
  expect(lines).toHaveLength(1);
});
