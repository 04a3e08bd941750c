import fc from "fast-check";
import { describe, test } from "vitest";
import { startGateway } from "../support/test-gateway.ts";
import {
  Fuzz,
  arbitraryMutations,
  applyMutations,
  arbitraryOddHeaders,
  PROPERTY_TIMEOUT_MS,
  FUZZ_SEED,
  arbitraryIncludesField,
} from "./fuzz.ts";
import type { HttpRequest } from "./response-checker.ts";
import { printJsonText, applyTextMutation, arbitraryTextMutation, type JsonText } from "./json-mutations.ts";
import { createRecordFixtures } from "./record-fixtures.ts";
import { sampleDocument, schemaOperations, sampleVariables, type SchemaOperation } from "./sample-requests.ts";

const gateway = await startGateway({ connections: 2 });
const records = await createRecordFixtures(gateway);
const fuzz = await Fuzz.start(gateway);

const graphql = (body: string): HttpRequest => ({ method: "POST", url: "/graphql", body });
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

describe.each(schemaOperations.map((operation) => [operation.name, operation] as const))(
  `%s (seed ${FUZZ_SEED})`,
  (_, operation) => {
    const variables = (sent: () => boolean) => sampleVariables(operation, { records, includesField: sent });
    const query = sampleDocument(operation);

    test(
      "refuses or accepts malformed variables",
      () =>
        fuzz.runProperty(
          5,
          fc
            .tuple(arbitraryIncludesField, arbitraryMutations)
            .map(([sent, done]) =>
              graphql(
                `{"query":${JSON.stringify(query)},"variables":${printJsonText(applyMutations(variables(sent), done))}}`,
              ),
            ),
        ),
      PROPERTY_TIMEOUT_MS,
    );

    test(
      "refuses or accepts malformed literals",
      () =>
        fuzz.runProperty(
          3,
          fc
            .tuple(arbitraryIncludesField, arbitraryMutations)
            .map(([sent, done]) =>
              graphql(JSON.stringify({ query: withLiterals(operation, applyMutations(variables(sent), done)) })),
            ),
        ),
      PROPERTY_TIMEOUT_MS,
    );

    test(
      "refuses a malformed document",
      () =>
        fuzz.runProperty(
          3,
          fc.tuple(arbitraryTextMutation(GRAPHQL_SLIPS), fc.boolean()).map(([done, byGet]) => {
            const [broken, values] = [applyTextMutation(query, done), variables(() => false)];
            if (!byGet) return graphql(JSON.stringify({ query: broken, variables: values }));
            const parameters = new URLSearchParams({ query: broken, variables: JSON.stringify(values) });
            return { method: "GET", url: `/graphql?${parameters.toString()}` };
          }),
        ),
      PROPERTY_TIMEOUT_MS,
    );
  },
);

/** The call with its arguments written into the document. Enum values stay in quotes, where they are wrong. */
function withLiterals({ kind, field }: SchemaOperation, values: JsonText): string {
  const given =
    "entries" in values
      ? values.entries.map(([name, value]) => `${name}: ${printJsonText(value, "graphql")}`).join(", ")
      : printJsonText(values, "graphql");
  return `${kind} { ${field.name}(${given}) { __typename } }`;
}

test(
  `a GraphQL request is refused or accepted in any envelope (seed ${FUZZ_SEED})`,
  () => {
    const valid = { query: "query A { vendor { id } }", variables: {}, operationName: "A", extensions: {}, id: "1" };
    const envelopes = arbitraryMutations.map((done) => printJsonText(applyMutations(valid, done)));
    const hashed = { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } };
    const persisted = arbitraryMutations.map((done) => printJsonText(applyMutations({ extensions: hashed }, done)));
    const batches = envelopes.map((body) => `[${body},${body}]`);
    return fuzz.runProperty(
      60,
      fc
        .tuple(fc.oneof(envelopes, persisted, batches), arbitraryOddHeaders, fc.boolean())
        .map(([body, headers, withHeaders]) => ({
          ...graphql(body),
          ...(withHeaders && { headers }),
        })),
    );
  },
  PROPERTY_TIMEOUT_MS,
);

test("requests were refused with many different codes, and some were accepted", () => {
  const codes = ["INVALID_ARGUMENT", "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED", "BAD_REQUEST"];
  fuzz.expectVariety(schemaOperations.length * 11, codes);
});
