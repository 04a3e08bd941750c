import { describe, expect, test } from "vitest";
import type { GraphQLRefusal, RefusalDetails } from "../support/refusal-values.ts";
import { oversizedDocuments, oversizedValues } from "../../bench/oversized-input.ts";
import { startGateway } from "../support/test-gateway.ts";

const gateway = await startGateway();

/** The maximum length of an error answer in characters, whatever was sent. */
const LONGEST_ANSWER = 40_000;

async function refused(url: string, payload: string) {
  gateway.statements.length = 0;
  const response = await gateway.gateway.server.inject({
    method: "POST",
    url,
    headers: { "secret-token": gateway.vendor.token, "content-type": "application/json" },
    payload,
  });
  expect(response.statusCode, response.body.slice(0, 500)).toBe(400);
  expect(response.body.length).toBeLessThan(LONGEST_ANSWER);
  expect(gateway.statements.filter(({ text }) => !text.includes("api_keys"))).toEqual([]);
  const { details, errors = [] } = response.json<{ details?: RefusalDetails; errors?: GraphQLRefusal[] }>();
  const fields = details?.fields ?? errors.flatMap((error) => error.extensions.details?.fields ?? []);
  expect(fields.length).toBeLessThanOrEqual(20);
  expect(errors.length).toBeLessThanOrEqual(20);
  return { fields, errors };
}

const order = (field: string, value: string): string => {
  const fields = { customerId: "1", amount: "1", partnerOrderId: '"x"', items: "[]", [field]: value };
  return `{${Object.entries(fields)
    .map(([name, written]) => `"${name}":${written}`)
    .join(",")}}`;
};

describe.each(Object.entries(oversizedValues))("%s of a megabyte", (_name, value) => {
  test.each(["items", "paymentInfo", "amount"])("as %s are refused in a short answer by REST", async (field) => {
    await refused("/api/v1/cover/order", order(field, value));
  });

  test("are refused in a short answer by GraphQL, in variables of every kind", async () => {
    const query = `mutation ($input: RegisterCoverOrderInput!) { registerCoverOrder(input: $input) { order { id } } }`;
    for (const field of ["items", "paymentInfo", "paymentFailed", "unknown"])
      await refused("/graphql", `{"query":${JSON.stringify(query)},"variables":{"input":${order(field, value)}}}`);
    const nodes = "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }";
    await refused("/graphql", `{"query":${JSON.stringify(nodes)},"variables":{"ids":${value}}}`);
    const fields = "mutation ($input: CreateCustomerInput!) { createCustomer(input: $input) { customer { id } } }";
    const customer = `{"name":"Kim","email":"a@b.c","phone":"1","customFields":${value}}`;
    await refused("/graphql", `{"query":${JSON.stringify(fields)},"variables":{"input":${customer}}}`);
  });
});

test.each(Object.entries(oversizedDocuments))(
  "%s of a megabyte in a document is refused in a short answer",
  async (_, query) => {
    await refused("/graphql", JSON.stringify({ query }));
  },
);

test("an answer lists at most twenty validation errors, and validation stops there", async () => {
  const items = `[${Array.from({ length: 900 }, () => '{"quantity":0}').join(",")}]`;
  expect((await refused("/api/v1/cover/order", order("items", items))).fields).toHaveLength(20);
  const query = `mutation ($input: RegisterCoverOrderInput!) { registerCoverOrder(input: $input) { order { id } } }`;
  const variables = `{"input":${order("items", items)}}`;
  expect(
    (await refused("/graphql", `{"query":${JSON.stringify(query)},"variables":${variables}}`)).fields,
  ).toHaveLength(20);
});

test("errors of a document quote little of it, at few places", async () => {
  const name = "x".repeat(40_000);
  const fields = Array.from({ length: 60 }, (_, index) => `a${index}: node(id: $${index % 2 ? "y" : "z"}) { id }`);
  const { errors } = await refused("/graphql", JSON.stringify({ query: `query ${name} { ${fields.join(" ")} }` }));
  expect(errors.length).toBeGreaterThan(0);
});
