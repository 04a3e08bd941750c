import { describe, expect, test } from "vitest";
import { complaints } from "../support/by-graphql.ts";
import { startGateway } from "../support/gateway.ts";
import { fresh } from "../support/shop.ts";

/* Where in a document a key may stand. What a key does is the same for both protocols, and tested over REST. */

const gateway = await startGateway();

/** A mutation that works once: it is refused when it is sent again, unless a key makes the second a repeat of the first. */
const registering = (partnerProductId: string, key = "") =>
  `registerCoverProduct(${key} input: { name: "Tea", partnerProductId: "${partnerProductId}" }) { product { databaseId } }`;

const fragment = (name: string, selection: string) => `fragment ${name} on Mutation { ${selection} }`;

/** Sends a request twice and tells whether the second was taken for a repeat of the first. */
async function isRepeated(document: string, variables: object = {}, operationName?: string): Promise<boolean> {
  const send = async () => {
    const { headers, body } = await gateway.gateway.server.inject({
      method: "POST",
      url: "/graphql",
      headers: { "secret-token": gateway.vendor.token, "content-type": "application/json" },
      payload: JSON.stringify({ query: document, variables, operationName }),
    });
    return { replayed: headers["idempotency-replayed"], ...JSON.parse(body) };
  };
  const { replayed, ...first } = await send();
  expect([replayed, first.errors]).toEqual([undefined, undefined]);
  const second = await send();
  if (second.replayed === undefined) expect(complaints(second)).toContain("DUPLICATE_PARTNER_ID");
  else expect(second).toEqual({ replayed: "true", ...first });
  return second.replayed === "true";
}

/** A partner id and a key that no other test has. */
const once = () => ({ id: fresh("product"), key: fresh("key") });

describe("a key counts", () => {
  type Written = (id: string, key: string) => [document: string, variables?: object, operationName?: string];

  // prettier-ignore
  test.each<[string, Written]>([
    ["in the document", (id, key) => [`mutation { ${registering(id, `idempotencyKey: "${key}"`)} }`]],
    ["in the document as a block of text", (id, key) => [`mutation { ${registering(id, `idempotencyKey: """${key}"""`)} }`]],
    ["in a variable", (id, key) => [`mutation ($key: Line) { ${registering(id, "idempotencyKey: $key")} }`, { key }]],
    ["in a variable's default", (id, key) => [`mutation ($key: Line = "${key}") { ${registering(id, "idempotencyKey: $key")} }`]],
    ["of a field with an alias", (id, key) => [`mutation { tea: ${registering(id, `idempotencyKey: "${key}"`)} }`]],
    ["in an inline fragment", (id, key) => [`mutation { ... on Mutation { ... { ${registering(id, `idempotencyKey: "${key}"`)} } } }`]],
    ["in a fragment", (id, key) => [`mutation { ...Outer } ${fragment("Outer", "...Inner")} ${fragment("Inner", registering(id, `idempotencyKey: "${key}"`))}`]],
    ["in a fragment, from a variable's default", (id, key) => [`mutation ($key: Line = "${key}") { ...Tea } ${fragment("Tea", registering(id, "idempotencyKey: $key"))}`]],
    ["in a fragment that is skipped where it is spread first", (id, key) => [`mutation { ...Tea @skip(if: true) ...Tea } ${fragment("Tea", registering(id, `idempotencyKey: "${key}"`))}`]],
    ["of the operation that is named", (id, key) => [
      `mutation Other { ${registering("other", 'idempotencyKey: "other"')} } mutation This { ${registering(id, `idempotencyKey: "${key}"`)} }`, {}, "This",
    ]],
    ["of a field that directives leave in", (id, key) => [
      `mutation ($no: Boolean!, $yes: Boolean! = true) { ${registering(id, `idempotencyKey: "${key}"`).replace(") {", ") @skip(if: $no) @include(if: $yes) {")} }`, { no: false },
    ]],
  ])("%s", async (_where, written) => {
    const { id, key } = once();
    expect(await isRepeated(...written(id, key))).toBe(true);
  });
});

describe("a key does not count", () => {
  test("where a null takes the place of its default", async () => {
    const { id, key } = once();
    const document = `mutation ($key: Line = "${key}") { ${registering(id, "idempotencyKey: $key")} }`;
    expect(await isRepeated(document, { key: null })).toBe(false);
  });

  test.each([
    ["skipped", "@skip(if: true)", {}],
    ["not included", "@include(if: false)", {}],
    ["skipped by a variable", "@skip(if: $if)", { if: true }],
    ["not included by a variable's default", "@include(if: $if)", {}],
  ])("where its mutation is %s, by itself or with the fragment around it", async (_how, directive, variables) => {
    const { id, key } = once();
    const keyed = registering(fresh("product"), `idempotencyKey: "${key}"`);
    const declared = directive.includes("$") ? "($if: Boolean! = false)" : "";
    const skipped = [
      `skipped: ${keyed.replace(") {", `) ${directive} {`)}`,
      `... ${directive} { skipped: ${keyed} }`,
      `...Skipped ${directive} } ${fragment("Skipped", `skipped: ${keyed}`).slice(0, -1)}`,
    ];
    for (const [index, selection] of skipped.entries())
      expect(
        await isRepeated(`mutation ${declared} { ${registering(`${id}-${index}`)} ${selection} }`, variables),
      ).toBe(false);
  });
});

describe("two keys in one request are refused", () => {
  const [one, other] = [`idempotencyKey: "${fresh("key")}"`, `idempotencyKey: "${fresh("key")}"`];

  test("wherever they stand, and the same key twice is none too many", async () => {
    const two = (first: string, second: string) =>
      `mutation { a: ${registering(fresh("product"), first)} ...B } ${fragment("B", `b: ${registering(fresh("product"), second)}`)}`;
    expect(complaints(await gateway.graphql(two(one, other)))).toEqual([
      "INVALID_ARGUMENT: idempotencyKey INVALID_VALUE",
    ]);
    expect(complaints(await gateway.graphql(two(one, one)))).toEqual([]);
  });

  test("unless only one of them belongs to a mutation that runs", async () => {
    const skipped = registering(fresh("product"), other).replace(") {", ") @skip(if: true) {");
    const document = `mutation { a: ${registering(fresh("product"), one.replace('"key', '"own-key'))} b: ${skipped} }`;
    expect(await isRepeated(document)).toBe(true);
  });
});

test.each([
  ["fragments that spread each other", `mutation { ...A } ${fragment("A", "...B")} ${fragment("B", "...A")}`],
  ["a fragment that is not there", "mutation { ...A }"],
  ["a condition that is missing", `mutation { ${registering("x").replace(") {", ") @skip {")} }`],
  ["what is no document", "mutation {"],
])("a document with %s is refused as one that does not fit", async (_fault, document) => {
  const { errors } = await gateway.graphql(`${document} # idempotencyKey`);
  expect(errors![0]!.extensions["code"]).toMatch(/^GRAPHQL_(?:PARSE|VALIDATION)_FAILED$/);
});
