import {
  buildClientSchema,
  getIntrospectionQuery,
  Kind,
  parse,
  print,
  visit,
  type FragmentDefinitionNode,
} from "graphql";
import { expect, test } from "vitest";
import { restOrdersQuery } from "../../../bench/support/orders-queries.ts";
import { startGateway } from "../../support/test-gateway.ts";

const gateway = await startGateway();

const everything = {
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
};

/** A document with its fragments inlined. */
function inlined(query: string): string {
  const document = parse(query);
  const fragments = new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  );
  const open = <T extends Parameters<typeof visit>[0]>(node: T): T =>
    visit(node, {
      FragmentSpread: ({ name }) => {
        const { selectionSet } = fragments.get(name.value)!;
        return { kind: Kind.INLINE_FRAGMENT, selectionSet: open(selectionSet) } as never;
      },
    });
  return print(open(document.definitions[0]!));
}

const closed = await startGateway({ introspection: false });

const times = (count: number, field: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => field(index)).join(" ");

const WHOLE_TYPE = "name description fields { name description args { name description } } enumValues { name }";

/** Documents that request more of the schema than any tool needs. */
const bombs: [name: string, query: string, code: string][] = [
  [
    "250 aliases of types",
    `{ __schema { ${times(250, (index) => `a${index}: types { ${index < 5 ? WHOLE_TYPE : "name"} }`)} } }`,
    "TOO_MANY_ALIASES",
  ],
  [
    "aliases of types",
    `{ __schema { ${times(20, (index) => `a${index}: types { ${WHOLE_TYPE} }`)} } }`,
    "QUERY_TOO_COSTLY",
  ],
  [
    "aliases of the schema",
    `{ ${times(9, (index) => `a${index}: __schema { types { ${WHOLE_TYPE} } }`)} }`,
    "QUERY_TOO_COSTLY",
  ],
  [
    "eleven of one type",
    `{ ${times(11, (index) => `a${index}: __type(name: "Order") { name }`)} }`,
    "TOO_MANY_ROOT_FIELDS",
  ],
  ["aliases of __typename", `{ vendor { ${times(500, (index) => `a${index}: __typename`)} } }`, "TOO_MANY_ALIASES"],
  ["31 aliases in the schema", `{ __schema { ${times(31, (index) => `a${index}: __typename`)} } }`, "TOO_MANY_ALIASES"],
  [
    "types of the fields of types",
    `{ __schema { ${times(3, (index) => `a${index}: types { fields { type { fields { name description } ofType { fields { name description } } } } }`)} } }`,
    "QUERY_TOO_COSTLY",
  ],
  [
    "the same in fragments",
    `{ __schema { types { ...A } x: types { ...A } y: types { ...A } } } fragment A on __Type { fields { type { ...B ofType { ...B } } } } fragment B on __Type { fields { name description type { name kind description } } }`,
    "QUERY_TOO_COSTLY",
  ],
  [
    "fields of fields of one type",
    '{ __type(name: "Query") { fields { type { ofType { fields { type { fields { type { fields { name } } } } } } } } } }',
    "GRAPHQL_VALIDATION_FAILED",
  ],
  [
    "one with directives",
    `query ($no: Boolean = false) { __schema { ${times(20, (index) => `a${index}: types @include(if: true) @skip(if: $no) { ${WHOLE_TYPE} }`)} } }`,
    "QUERY_TOO_COSTLY",
  ],
  [
    "a type that a variable names",
    `query ($name: String = "Query") { ${times(8, (index) => `a${index}: __type(name: $name) { fields { type { ...F } x: type { ...F ofType { ...F ofType { ...F } } } } }`)} } fragment F on __Type { fields { name description type { name description ofType { name description } } } }`,
    "QUERY_TOO_COSTLY",
  ],
  [
    "13 levels of interfaces",
    `{ __schema { types { ${"interfaces { ".repeat(11)} name ${"} ".repeat(11)} } } }`,
    "GRAPHQL_VALIDATION_FAILED",
  ],
  [
    "one operation of many",
    `query Whole { __schema { ${times(20, (index) => `a${index}: types { ${WHOLE_TYPE} }`)} } } query Other { vendor { name } }`,
    "QUERY_TOO_COSTLY",
  ],
];

test.each(bombs)("%s: introspection is refused in a short answer", async (_name, query, code) => {
  const response = await gateway.gateway.server.inject({
    method: "POST",
    url: "/graphql",
    headers: { "secret-token": gateway.vendor.token, "content-type": "application/json" },
    payload: { query, ...(query.startsWith("query Whole") && { operationName: "Whole" }) },
  });
  expect(response.json()).toMatchObject({ errors: [{ extensions: { code } }] });
  expect(response.body.length).toBeLessThan(2_000);
});

const tools: [name: string, query: string][] = [
  ["graphql-js", getIntrospectionQuery()],
  ["graphql-js, with all its options", getIntrospectionQuery({ ...everything, typeDepth: 30 })],
  ["graphql-js without descriptions", getIntrospectionQuery({ descriptions: false })],
  ["a tool that names its operation", getIntrospectionQuery(everything).replace("IntrospectionQuery", "Describe")],
  ["a tool that writes everything inline", inlined(getIntrospectionQuery(everything))],
];

test.each(tools)("the whole schema is shown to %s", async (_name, query) => {
  for (let run = 0; run < 3; run++) {
    const told = await gateway.queryRawData(query);
    expect(buildClientSchema(told).getMutationType()?.name).toBe("Mutation");
  }
});

test("so is one type with the types of its fields, beside other queries", async () => {
  const data = await gateway.queryData(
    'query ($name: String!) { vendor { __typename } __type(name: $name) { name fields { name type { name kind enumValues { name } ofType { name enumValues { name } fields { name } } } } } none: __type(name: "None") { name } }',
    { name: "Order" },
  );
  expect(data).toMatchObject({ vendor: { __typename: "Vendor" }, __type: { name: "Order" }, none: null });
});

test("a gateway whose schema is closed refuses __schema and __type, and answers __typename", async () => {
  for (const query of [getIntrospectionQuery(), '{ ...A } fragment A on Query { x: __type(name: "Order") { name } }'])
    expect((await closed.sendRawGraphQL(query)).errors).toMatchObject([
      { extensions: { code: "INTROSPECTION_CLOSED" } },
    ]);
  expect(await closed.queryData("{ __typename vendor { __typename } }")).toEqual({
    __typename: "Query",
    vendor: { __typename: "Vendor" },
  });
});

test.each([
  ["a field", "{ vendor { zodiac } }", {}, /fields are|Did you mean/],
  ["an argument", "{ covers(zodiac: 1) { totalCount } }", {}, /arguments are|Did you mean/],
  [
    "a field of an input",
    "query ($period: PeriodInput) { revenueAnalytics(period: $period) { days { date } } }",
    { period: { zodiac: 1 } },
    /fields are|Did you mean/,
  ],
])("names of the schema are shown only when introspection is allowed: %s", async (_, query, variables, names) => {
  expect(JSON.stringify((await gateway.sendRawGraphQL(query, variables)).errors)).toMatch(names);
  const { errors } = await closed.sendRawGraphQL(query, variables);
  expect(errors).not.toEqual([]);
  expect(JSON.stringify(errors)).not.toMatch(names);
});

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
  ["one root field 480 times", `{ ${times(480, () => "vendor { name }")} }`, {}, "TOO_MANY_REPEATED_FIELDS"],
  ["one field 150 times", `{ vendor { ${times(150, () => "name")} } }`, {}, "TOO_MANY_REPEATED_FIELDS"],
  [
    "fields repeated in fields repeated",
    `{ ${times(20, () => `vendor { ${times(20, () => "name")} }`)} }`,
    {},
    "TOO_MANY_REPEATED_FIELDS",
  ],
  [
    "one field in 110 fragments",
    `{ ${times(110, (index) => `...f${index}`)} } ${times(110, (index) => `fragment f${index} on Query { vendor { name } }`)}`,
    {},
    "TOO_MANY_REPEATED_FIELDS",
  ],
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
  const posted = await gateway.sendRawGraphQL(query, variables);
  const got = await gateway.gateway.server.inject({
    method: "GET",
    url: `/graphql?${new URLSearchParams({ query, variables: JSON.stringify(variables) }).toString()}`,
    headers: { "secret-token": gateway.vendor.token },
  });
  expect(posted).toMatchObject({ status: 400, errors: [{ extensions: { code, traceId: expect.any(String) } }] });
  expect(got.json()).toMatchObject({ errors: [{ extensions: { code } }] });
  expect(gateway.statements.filter(({ text }) => !text.includes("api_keys"))).toEqual([]);
});

test("fields that fragments repeat run when a component has dozens of them", async () => {
  const facts = "vendor { name zoneId currency manager { uuid username } }";
  const query = `{ ${times(50, (index) => `...f${index}`)} } ${times(50, (index) => `fragment f${index} on Query { ${facts} }`)}`;
  expect((await gateway.sendRawGraphQL(query)).errors).toBeUndefined();
});

test("a fragment cycle is reported, however often it repeats a field", async () => {
  const query = `{ ...A } fragment A on Query { ${times(100, () => "vendor { name }")} ...B } fragment B on Query { ...A }`;
  expect((await gateway.sendRawGraphQL(query)).errors?.[0]?.extensions["code"]).toBe("GRAPHQL_VALIDATION_FAILED");
});

test("a query within the limits runs", async () => {
  expect((await gateway.sendRawGraphQL(nest(4))).errors).toBeUndefined();
  expect(
    (await gateway.sendGraphQL("{ covers(first: 100) { nodes { timeline(first: 100) { nodes { type } } } } }")).errors,
  ).toBeUndefined();
});

test("so does the selection of GET /orders for twenty orders, sent by a dashboard", async () => {
  const page = { page: 0, size: 20, sort: "CREATED_AT", sortDir: "DESC" };
  expect((await gateway.sendRawGraphQL(await restOrdersQuery(), page)).errors).toBeUndefined();
});

test("fragments that double each other are measured once each: otherwise this would not end", async () => {
  const levels = 60;
  const fragments = Array.from(
    { length: levels },
    (_, index) => `fragment F${index} on Vendor { ...F${index + 1} ...F${index + 1} }`,
  ).join(" ");
  const { errors } = await gateway.sendRawGraphQL(
    `{ vendor { ...F0 } } ${fragments} fragment F${levels} on Vendor { name }`,
  );
  expect(errors).toBeUndefined();
});

test("nor do they delay projected reads, on the path to the rows or below them", async () => {
  const doubling = (name: string, type: string, last: string) =>
    Array.from(
      { length: 40 },
      (_, index) => `fragment ${name}${index} on ${type} { ...${name}${index + 1} ...${name}${index + 1} }`,
    ).join(" ") + ` fragment ${name}40 on ${type} { ${last} }`;
  const query = `{ customers { ...W0 } } ${doubling("W", "CustomerConnection", "nodes { ...C0 }")} ${doubling("C", "Customer", "code")}`;
  const { data, errors } = await gateway.sendRawGraphQL(query);
  expect([data, errors]).toEqual([{ customers: { nodes: [] } }, undefined]);
});

test("an address that sends wrong tokens is limited for a while, and a right token is still accepted", async () => {
  const statuses: number[] = [];
  for (let index = 0; index < 32; index++)
    statuses.push((await gateway.sendGraphQL("{ vendor { name } }", {}, { token: `wrong-${index}` })).status);
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(403));
  expect(statuses.slice(30)).toEqual([429, 429]);
  const refused = await gateway.sendRest("PUT", "/cover/subscription/1/cancel", undefined, { token: "wrong" });
  expect(refused).toMatchObject({
    status: 429,
    body: { errorCode: "TOO_MANY_REQUESTS" },
    headers: { "retry-after": expect.any(String) },
  });
  expect((await gateway.sendGraphQL("{ vendor { name } }")).status).toBe(200);
});

test.each(["/livez", "/openapi.json", "/graphql", "/api/v1/nothing"])(
  "%s is answered with headers that forbid shared caches",
  async (url) => {
    const { headers } = await gateway.gateway.server.inject({ method: "GET", url });
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
  },
);
