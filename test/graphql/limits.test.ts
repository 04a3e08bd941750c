import { expect, test } from "vitest";
import { twinOfOrders } from "../../bench/orders-queries.ts";
import { startGateway } from "../support/gateway.ts";

const gateway = await startGateway();

const nest = (levels: number) =>
  "{ covers { nodes { order { ".concat("cover { order { ".repeat(levels), "id", " } }".repeat(levels), " } } } }");

const cases: [name: string, query: string, variables: Record<string, unknown>, code: string][] = [
  ["13 levels", nest(5), {}, "QUERY_TOO_DEEP"],
  [
    "levels hidden in fragments",
    `{ covers { nodes { ...A } } } fragment A on Cover { order { ...B } } fragment B on CoverOrder { cover { order { cover { order { cover { order { cover { order { cover { id } } } } } } } } } }`,
    {},
    "QUERY_TOO_DEEP",
  ],
  [
    "31 aliases",
    `{ vendor { ${Array.from({ length: 31 }, (_, index) => `a${index}: name`).join(" ")} } }`,
    {},
    "TOO_MANY_ALIASES",
  ],
  [
    "aliases multiplied by fragments",
    `{ vendor { ...A ...B } } fragment A on Vendor { ...C x: name } fragment B on Vendor { ...C y: name } fragment C on Vendor { ${Array.from({ length: 15 }, (_, index) => `a${index}: name`).join(" ")} }`,
    {},
    "TOO_MANY_ALIASES",
  ],
  [
    "11 root fields",
    `{ ${Array.from({ length: 11 }, (_, index) => `a${index}: __typename`).join(" ")} }`,
    {},
    "TOO_MANY_ROOT_FIELDS",
  ],
  ["2,001 tokens", `{ vendor { ${"name ".repeat(2_000)} } }`, {}, "QUERY_TOO_LONG"],
  [
    "slices that multiply",
    "{ coverCustomers(first: 100) { nodes { orders(first: 100) { nodes { timeline(first: 100) { nodes { type } } } } } } }",
    {},
    "QUERY_TOO_COSTLY",
  ],
  ["a slice of 101", "{ covers(first: 101) { totalCount } }", {}, "INVALID_ARGUMENT"],
  ["a slice of 101 by variable", "query ($n: Int) { covers(last: $n) { totalCount } }", { n: 101 }, "INVALID_ARGUMENT"],
  ["a slice of none", "{ covers(first: 0) { totalCount } }", {}, "INVALID_ARGUMENT"],
];

test.each(cases)("%s is refused before any work, by POST and by GET", async (_name, query, variables, code) => {
  gateway.statements.length = 0;
  const posted = await gateway.graphql(query, variables);
  const got = await gateway.gateway.server.inject({
    method: "GET",
    url: `/graphql?${new URLSearchParams({ query, variables: JSON.stringify(variables) }).toString()}`,
    headers: { "secret-token": gateway.vendor.token },
  });
  expect(posted).toMatchObject({ status: 400, errors: [{ extensions: { code, traceId: expect.any(String) } }] });
  expect(got.json()).toMatchObject({ errors: [{ extensions: { code } }] });
  expect(gateway.statements.filter(({ text }) => !text.includes("api_keys"))).toEqual([]);
});

test("what lies within the limits runs", async () => {
  expect((await gateway.graphql(nest(4))).errors).toBeUndefined();
  expect(
    (await gateway.graphql("{ covers(first: 100) { nodes { timeline(first: 100) { nodes { type } } } } }")).errors,
  ).toBeUndefined();
});

test("so does what GET /orders answers of twenty orders, asked by a dashboard", async () => {
  const page = { page: 0, size: 20, sort: "CREATED_AT", sortDir: "DESC" };
  expect((await gateway.graphql(await twinOfOrders(), page)).errors).toBeUndefined();
});

test("fragments that double each other are measured once each: otherwise this would not end", async () => {
  const levels = 60;
  const fragments = Array.from(
    { length: levels },
    (_, index) => `fragment F${index} on Vendor { ...F${index + 1} ...F${index + 1} }`,
  ).join(" ");
  const { errors } = await gateway.graphql(`{ vendor { ...F0 } } ${fragments} fragment F${levels} on Vendor { name }`);
  expect(errors).toBeUndefined();
});

test("nor do they hold up what is read as it is selected, on the way to its rows or below them", async () => {
  const doubling = (name: string, type: string, last: string) =>
    Array.from(
      { length: 40 },
      (_, index) => `fragment ${name}${index} on ${type} { ...${name}${index + 1} ...${name}${index + 1} }`,
    ).join(" ") + ` fragment ${name}40 on ${type} { ${last} }`;
  const query = `{ customers { ...W0 } } ${doubling("W", "CustomerConnection", "nodes { ...C0 }")} ${doubling("C", "Customer", "code")}`;
  const { data, errors } = await gateway.graphql(query);
  expect([data, errors]).toEqual([{ customers: { nodes: [] } }, undefined]);
});

test("the schema describes itself whole", async () => {
  const { getIntrospectionQuery } = await import("graphql");
  expect((await gateway.data(getIntrospectionQuery())).__schema.mutationType.name).toBe("Mutation");
});

test("an address that sends wrong tokens is told to wait, and a right token is still taken", async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 32; index++)
    statuses.push((await gateway.graphql("{ vendor { name } }", {}, { token: `wrong-${index}` })).status);
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(403));
  expect(statuses.slice(30)).toEqual([429, 429]);
  const refused = await gateway.rest("PUT", "/cover/subscription/1/cancel", undefined, { token: "wrong" });
  expect(refused).toMatchObject({
    status: 429,
    body: { errorCode: "TOO_MANY_REQUESTS" },
    headers: { "retry-after": expect.any(String) },
  });
  expect((await gateway.graphql("{ vendor { name } }")).status).toBe(200);
});

test.each(["/livez", "/openapi.json", "/graphql", "/api/v1/nothing"])(
  "%s is answered with headers that keep it to its reader",
  async (url) => {
    const { headers } = await gateway.gateway.server.inject({ method: "GET", url });
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
  },
);
