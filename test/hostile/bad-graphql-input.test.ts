import fc from "fast-check";
import { describe, test } from "vitest";
import { startGateway } from "../support/test-gateway.ts";
import { Fuzz, messes, messy, oddHeaders, PATIENCE, SEED, sends } from "./fuzz.ts";
import type { Sent } from "./response-checker.ts";
import { print, slip, slipOf, type Written } from "./json-mutations.ts";
import { registerRecords } from "./record-fixtures.ts";
import { documentOf, operations, variablesOf, type Operation } from "./sample-requests.ts";

const gateway = await startGateway({ connections: 2 });
const records = await registerRecords(gateway);
const fuzz = await Fuzz.of(gateway);

const graphql = (body: string): Sent => ({ method: "POST", url: "/graphql", body });
const GRAPHQL_SLIPS = [
  "{",
  "}",
  "(",
  ")",
  "...",
  "@include",
  "@skip(if: $x)",
  "@defer",
  "$",
  "!",
  "[",
  ":",
  '"""',
  "#",
  "fragment F on Query { ...F }",
  "...F",
  "...on Query",
  "__schema{types{name}}",
  "__typename",
  "a: ",
  "1e400",
  "null",
  "{".repeat(300),
  "a".repeat(3_000),
  "a ".repeat(2_100),
];

describe.each(operations.map((operation) => [operation.name, operation] as const))(
  `%s (seed ${SEED})`,
  (_, operation) => {
    const variables = (sent: () => boolean) => variablesOf(operation, { records, sends: sent });
    const query = documentOf(operation);

    test(
      "refuses messy variables, or takes them",
      () =>
        fuzz.holds(
          8,
          fc
            .tuple(sends, messes)
            .map(([sent, done]) =>
              graphql(`{"query":${JSON.stringify(query)},"variables":${print(messy(variables(sent), done))}}`),
            ),
        ),
      PATIENCE,
    );

    test(
      "refuses messy literals, or takes them",
      () =>
        fuzz.holds(
          5,
          fc
            .tuple(sends, messes)
            .map(([sent, done]) =>
              graphql(JSON.stringify({ query: withLiterals(operation, messy(variables(sent), done)) })),
            ),
        ),
      PATIENCE,
    );

    test(
      "refuses a document that is hardly one",
      () =>
        fuzz.holds(
          5,
          fc.tuple(slipOf(GRAPHQL_SLIPS), fc.boolean()).map(([done, byGet]) => {
            const [broken, values] = [slip(query, done), variables(() => false)];
            if (!byGet) return graphql(JSON.stringify({ query: broken, variables: values }));
            const parameters = new URLSearchParams({ query: broken, variables: JSON.stringify(values) });
            return { method: "GET", url: `/graphql?${parameters.toString()}` };
          }),
        ),
      PATIENCE,
    );
  },
);

/** The call with its arguments written into the document. Words of closed lists stay in quotes, where they are wrong. */
function withLiterals({ kind, field }: Operation, values: Written): string {
  const given =
    "entries" in values
      ? values.entries.map(([name, value]) => `${name}: ${print(value, "graphql")}`).join(", ")
      : print(values, "graphql");
  return `${kind} { ${field.name}(${given}) { __typename } }`;
}

test(
  `a request of GraphQL is refused, or taken, in whatever envelope it comes (seed ${SEED})`,
  () => {
    const valid = { query: "query A { vendor { id } }", variables: {}, operationName: "A", extensions: {}, id: "1" };
    const envelopes = messes.map((done) => print(messy(valid, done)));
    const hashed = { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } };
    const persisted = messes.map((done) => print(messy({ extensions: hashed }, done)));
    const batches = envelopes.map((body) => `[${body},${body}]`);
    return fuzz.holds(
      83,
      fc
        .tuple(fc.oneof(envelopes, persisted, batches), oddHeaders, fc.boolean())
        .map(([body, headers, withHeaders]) => ({
          ...graphql(body),
          ...(withHeaders && { headers }),
        })),
    );
  },
  PATIENCE,
);

test("what was sent was refused in many ways, and taken at times", () => {
  const codes = ["INVALID_ARGUMENT", "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED", "BAD_REQUEST"];
  fuzz.expectVariety(operations.length * 18, codes);
});
