import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect } from "vitest";
import type { ErrorBody } from "./rest-answers.ts";
import type { TestResponse, RequestOptions, TestGateway } from "./test-gateway.ts";

/** An answer as it went over the wire, without the traceId, which is unique. */
export interface RawResponse {
  status: number;
  text: string;
}

/**
 * A REST call whose body is text already and whose answer stays text: it shows details that parsing JSON would hide.
 */
export async function sendRestForText(
  gateway: TestGateway,
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
  { token, headers }: RequestOptions = {},
): Promise<RawResponse> {
  const response = await gateway.gateway.server.inject({
    method,
    url: `/api/v1${path}`,
    headers: {
      ...(token !== null && { "secret-token": token ?? gateway.vendor.token }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && {
      payload: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    }),
  });
  return { status: response.statusCode, text: response.body.replace(/"traceId":"[0-9a-f]{32}"/, '"traceId":""') };
}

/** A body in which one field has exactly these characters: `withRawField(order, "amount", "1e400")`. */
export const withRawField = (body: object, field: string, characters: string): string =>
  JSON.stringify({ ...body, [field]: "@raw@" }).replace('"@raw@"', characters);

/** A unique word, to search for later. */
export const uniqueWord = (noun: string): string => `${noun}${randomBytes(6).toString("hex")}`;

const fingerprintedTables = [
  "vendors",
  "vendor_settings",
  "managers",
  "exchange_rates",
  "cover_customers",
  "cover_products",
  "cover_prices",
  "cover_subscriptions",
  "cover_orders",
  "cover_order_items",
  "covers",
  "cover_attempts",
  "cover_decisions",
  "event_log",
];

/**
 * A fingerprint of every row of the vendors and of the recovery module: two equal ones mean that nothing was saved or
 * changed.
 */
async function fingerprintTables(gateway: TestGateway): Promise<unknown> {
  const prints = fingerprintedTables.map(
    (table) => `select '${table}' as name, count(*), md5(string_agg(t::text, ',' order by t::text)) from ${table} t`,
  );
  return gateway.database.handle.execute(sql.raw(prints.join(" union all ")));
}

/** Runs work that must leave every row unchanged. */
export async function expectNoChanges<T>(gateway: TestGateway, work: () => Promise<T>): Promise<T> {
  const before = await fingerprintTables(gateway);
  const result = await work();
  expect(await fingerprintTables(gateway)).toEqual(before);
  return result;
}

/** The refusal of a request by one code. */
export const expectedRefusal = (status: number, errorCode: string) => ({
  status,
  body: {
    errorCode,
    errorMessage: expect.any(String),
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    details: expect.objectContaining(expectedExplanation(errorCode)),
  },
});

/** The details of every refusal of a code: what to do, and where to read about it. */
export const expectedExplanation = (errorCode: string) => ({
  hint: expect.stringMatching(/\.$/),
  docUrl: expect.stringMatching(new RegExp(`/docs/errors/${errorCode}$`)),
});

/** The refusal of an id or a code in the path that names no record of the vendor. */
export const expectedUnknownPath = (status: number, errorCode: string, path: string) => ({
  status,
  body: {
    ...expectedRefusal(status, errorCode).body,
    details: {
      fields: [expect.objectContaining({ path, code: "NOT_FOUND", message: expect.stringMatching(/^There is no /) })],
      ...expectedExplanation(errorCode),
    },
  },
});

/** The refusal of a body for exactly these fields: a path and a code each. */
export const expectedInvalidFields = (...fields: (readonly [path: string, code: string])[]) => ({
  status: 400,
  body: {
    errorCode: "INVALID_ARGUMENT",
    errorMessage: expect.stringContaining(fields[0]?.[0] ?? ""),
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    details: {
      fields: fields.map(([path, code]) =>
        expect.objectContaining({ path, code, message: expect.stringMatching(/[.?]$/) }),
      ),
      ...expectedExplanation("INVALID_ARGUMENT"),
    },
  },
});

/** The refusal of an id in a body that names no record of the vendor. */
export const expectedUnknownReference = (path: string, errorCode: string) => ({
  status: 400,
  body: {
    ...expectedRefusal(400, errorCode).body,
    details: {
      fields: [expect.objectContaining({ path, code: "NOT_FOUND", message: expect.stringMatching(/\.$/) })],
      ...expectedExplanation(errorCode),
    },
  },
});

/** The rows of a list. A refusal fails the test. */
export function rowsOf<Row>(body: readonly Row[] | ErrorBody): readonly Row[] {
  if ("errorCode" in body) throw new Error(body.errorCode);
  return body;
}

/** The status and the body of an answer: what most tests look at. */
export const statusAndBody = ({ status, body }: TestResponse) => ({ status, body });
