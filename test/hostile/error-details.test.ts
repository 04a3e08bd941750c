import { describe, expect, test } from "vitest";
import type { RefusalCode } from "../../src/kernel/refusal-codes.ts";
import { createBillingFixture } from "../support/fixtures/billing-fixture.ts";
import { startGateway } from "../support/test-gateway.ts";

const gateway = await startGateway();
const shop = await createBillingFixture(gateway);

/** The details that a caller needs to correct a mistake. */
interface Expected {
  status: number;
  code: RefusalCode;
  /** The place of the error in the request. */
  path: string;
  /** The value sent there; undefined if there was none, or none that may be repeated. */
  value?: string | number;
  /** What to send instead. */
  says: RegExp;
}

interface Told {
  status: number;
  code: string;
  message: string;
  docUrl?: string;
  hint?: string;
  fields: { path: string; value?: unknown; message: string }[];
}

/** Each error has a code, the path, the value, a correction, and the status with the page of the code. */
function expectFullMarks(told: Told, { status, code, path, value, says }: Expected): void {
  const field = told.fields.find((one) => one.path === path);
  expect({ ...told, field }).toMatchObject({ status, code, docUrl: `/docs/errors/${code}`, field: { path } });
  expect(field).toEqual(expect.objectContaining({ path, ...(value !== undefined && { value }) }));
  expect([field?.message, told.hint].join(" ")).toMatch(says);
  // The sentence contains it too: many clients show nothing else.
  if (told.fields[0] === field && value !== undefined) expect(told.message).toContain(String(value));
}

const item = { productCode: shop.billingProductCode, priceCode: "price_House" };
const order = (rest: object) => ({ customerId: shop.billingCustomerId, items: [item], ...rest });

const byRest: [method: "GET" | "POST" | "PUT" | "PATCH", path: string, body: unknown, expected: Expected][] = [
  [
    "POST",
    "/orders",
    { items: [item] },
    { status: 400, code: "INVALID_ARGUMENT", path: "customerId", says: /required, or customerCode/ },
  ],
  [
    "POST",
    "/orders",
    [1],
    { status: 400, code: "INVALID_ARGUMENT", path: "body", value: "[…]", says: /must be a JSON object/ },
  ],
  [
    "POST",
    "/orders",
    order({ customerId: "abc" }),
    { status: 400, code: "INVALID_ARGUMENT", path: "customerId", value: "abc", says: /must be a number/ },
  ],
  [
    "POST",
    "/orders",
    order({ items: [{ ...item, minimumQuantity: 1.5 }] }),
    { status: 400, code: "INVALID_ARGUMENT", path: "items[0].minimumQuantity", value: 1.5, says: /whole number/ },
  ],
  [
    "POST",
    "/orders",
    order({ currency: "WON" }),
    { status: 400, code: "INVALID_ARGUMENT", path: "currency", value: "WON", says: /such as KRW/ },
  ],
  [
    "POST",
    "/orders",
    order({ items: [{ ...item, productCode: "no-such" }] }),
    { status: 400, code: "PRODUCT_NOT_FOUND", path: "items[0].productCode", value: "no-such", says: /`products`/ },
  ],
  [
    "GET",
    "/orders?status=PAYED",
    undefined,
    { status: 400, code: "INVALID_ARGUMENT", path: "status", value: "PAYED", says: /FINISHED.*Did you mean PAID\?/ },
  ],
  [
    "GET",
    "/orders?size=5000",
    undefined,
    { status: 400, code: "INVALID_ARGUMENT", path: "size", value: "5000", says: /from 1 to 1000/ },
  ],
  [
    "GET",
    "/orders?startDate=2026-11-20&endDate=2026-11-01",
    undefined,
    { status: 400, code: "INVALID_ARGUMENT", path: "endDate", value: "2026-11-01", says: /not be before startDate/ },
  ],
  [
    "GET",
    "/orders/no-such",
    undefined,
    { status: 404, code: "ORDER_NOT_FOUND", path: "idOrCode", value: "no-such", says: /`orders`/ },
  ],
  [
    "PATCH",
    "/cover/order/success/4000000",
    undefined,
    { status: 400, code: "ORDER_NOT_FOUND", path: "orderId", value: "4000000", says: /under \/cover.*`coverOrders`/ },
  ],
  [
    "PATCH",
    "/cover/subscription/7/activate",
    undefined,
    {
      status: 404,
      code: "NOT_FOUND",
      path: "path",
      value: "/api/v1/cover/subscription/7/activate",
      says: /Did you mean \/api\/v1\/cover\/subscription\/\{subscriptionId\}\/active\?/,
    },
  ],
  [
    "GET",
    "/custmers",
    undefined,
    {
      status: 404,
      code: "NOT_FOUND",
      path: "path",
      value: "/api/v1/custmers",
      says: /Did you mean \/api\/v1\/customers\?/,
    },
  ],
];

const byGraphql: [document: string, variables: Record<string, unknown>, expected: Expected][] = [
  [
    "{ orders(first: 1000) { nodes { id } } }",
    {},
    { status: 400, code: "INVALID_ARGUMENT", path: "first", value: 1000, says: /from 1 to 100/ },
  ],
  [
    "query ($n: Int) { orders(first: $n) { nodes { id } } }",
    { n: -1 },
    { status: 400, code: "INVALID_ARGUMENT", path: "first", value: -1, says: /from 1 to 100/ },
  ],
  [
    "query ($n: Int) { customer(id: 1) { orders(first: $n) { nodes { id } } } }",
    { n: 1000 },
    { status: 400, code: "INVALID_ARGUMENT", path: "customer.orders.first", value: 1000, says: /from 1 to 100/ },
  ],
  [
    '{ orders(first: 2, after: "xyz") { nodes { id } } }',
    {},
    { status: 200, code: "INVALID_ARGUMENT", path: "after", value: "xyz", says: /use one from `pageInfo`/ },
  ],
  [
    '{ order(id: "abc") { id } }',
    {},
    { status: 200, code: "INVALID_ARGUMENT", path: "id", value: "abc", says: /an id of the type Order/ },
  ],
  [
    "{ orders(filter: { status: PAYED }) { nodes { id } } }",
    {},
    {
      status: 400,
      code: "INVALID_ARGUMENT",
      path: "filter.status",
      value: "PAYED",
      says: /FINISHED.*Did you mean PAID\?/,
    },
  ],
  [
    "{ ordrs { nodes { id } } }",
    {},
    { status: 400, code: "GRAPHQL_VALIDATION_FAILED", path: "ordrs", value: "ordrs", says: /Did you mean "orders"/ },
  ],
  [
    "{ orders(frist: 3) { nodes { id } } }",
    {},
    { status: 400, code: "GRAPHQL_VALIDATION_FAILED", path: "frist", value: "frist", says: /Did you mean "first"/ },
  ],
  [
    '{ revenueAnalytics(zero: "2026-11-01") { days { gross } } }',
    {},
    {
      status: 400,
      code: "GRAPHQL_VALIDATION_FAILED",
      path: "zero",
      value: "zero",
      says: /Its arguments are .*period/,
    },
  ],
  [
    "mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { id } } }",
    { input: { name: "A", phone: "1", email: "a@b.co", zodiac: "x" } },
    {
      status: 400,
      code: "INVALID_ARGUMENT",
      path: "input.zodiac",
      value: "x",
      says: /is not a field of this input\. Its fields are .*email/,
    },
  ],
  [
    "query ($f: OrderFilter) { orders(filter: $f) { nodes { id } } }",
    {},
    {
      status: 400,
      code: "GRAPHQL_VALIDATION_FAILED",
      path: "f",
      value: "OrderFilter",
      says: /Did you mean .*"OrderFilterInput"/,
    },
  ],
  [
    "query ($unused: Int) { vendor { name } }",
    {},
    { status: 400, code: "GRAPHQL_VALIDATION_FAILED", path: "unused", says: /never used/ },
  ],
  [
    "{ customers(first: 1) { nodes { ...F } } }",
    {},
    { status: 400, code: "GRAPHQL_VALIDATION_FAILED", path: "customers.nodes", value: "F", says: /Unknown fragment/ },
  ],
  [
    'mutation { createCustomer(input: { name: "A", email: "nope" }) { customer { id } } }',
    {},
    { status: 400, code: "INVALID_ARGUMENT", path: "input.email", value: "nope", says: /must be an e-mail address/ },
  ],
  [
    `mutation { payOrder(input: { orderId: ${shop.billingOrderId} }) { order { id } } }`,
    {},
    { status: 200, code: "INVALID_ARGUMENT", path: "input.method", says: /is required, or storedMethodId/ },
  ],
  [
    "query A { vendor { name } } query B { vendor { name } }",
    {},
    { status: 400, code: "BAD_REQUEST", path: "operationName", says: /operation name/ },
  ],
  [
    "subscription { events { id } }",
    {},
    { status: 400, code: "BAD_REQUEST", path: "query", says: /send it with the header/ },
  ],
  ["", {}, { status: 400, code: "BAD_REQUEST", path: "query", says: /non-empty `query`/ }],
];

describe("an error names its code, path, value, correction and documentation page", () => {
  test.each(byRest)("by REST: %s %s %j", async (method, path, body, expected) => {
    const answer = await gateway.sendRawRest(method, path, body);
    const { errorCode, errorMessage, details } = answer.body;
    expectFullMarks(
      { status: answer.status, code: errorCode, message: errorMessage, fields: [], ...details },
      expected,
    );
  });

  test.each(byGraphql)("by GraphQL: %s %j", async (document, variables, expected) => {
    const { status, errors = [] } = await gateway.sendRawGraphQL(document, variables);
    const fields = errors.flatMap((error) => error.extensions.details?.fields ?? []);
    const error = errors.find(({ extensions }) => extensions.details?.fields?.[0]?.path === expected.path);
    const { code, docUrl, details } = (error ?? errors[0])!.extensions;
    expectFullMarks({ status, code, docUrl, message: (error ?? errors[0])!.message, ...details, fields }, expected);
  });

  test("the digits of a card are not repeated", async () => {
    const card = `{ number: "42424242", expiryMonth: 13, expiryYear: 2030 }`;
    const answer = await gateway.sendRawGraphQL(
      `mutation { payOrder(input: { orderId: ${shop.billingOrderId}, method: CARD, card: ${card} }) { order { id } } }`,
    );
    expect(answer.errors![0]!.extensions.details!.fields![0]!.path).toBe("input.card.number");
    expect(JSON.stringify(answer)).not.toContain("42424242");
  });

  test("an error about a missing field of a literal does not show the value that lacks it", async () => {
    const { errors } = await gateway.sendRawGraphQL("mutation { createCustomer(input: {}) { customer { id } } }");
    const [first] = errors![0]!.extensions.details!.fields!;
    expect(first).toEqual({ path: expect.stringMatching(/^input\./), code: "REQUIRED", message: "is required." });
  });
});
