import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contract } from "../../rest-compat/contract.ts";
import type { Route } from "../../rest-compat/binding/route.ts";
import { startGateway } from "../support/gateway.ts";
import { Judge, type Sent } from "./judgement.ts";
import { mess, messUp, oddValue, print, slip, slipOf, written, type Mess } from "./messes.ts";
import { documentOf, nameOf, operations, registerRecords, requestOf, variablesOf, type Operation } from "./samples.ts";

/* `FUZZ=long` sends fifty thousand requests instead of three thousand. A failure shows the request in its smallest form. */

const SEED = 20_260_301;
const long = process.env["FUZZ"] === "long";
const runs = (count: number): number => (long ? count * 17 : count);
const timeout = long ? 1_800_000 : 60_000;

const gateway = await startGateway({ connections: 2 });
const records = await registerRecords(gateway);
const judge = await Judge.of(gateway);

/** How often each code was answered: what never refuses anything tests nothing. */
const answered = new Map<string, number>();

const holds = (count: number, requests: fc.Arbitrary<Sent>) =>
  fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const { code = "DONE" } = await judge.send(request);
      answered.set(code, (answered.get(code) ?? 0) + 1);
    }),
    { seed: SEED, numRuns: runs(count), endOnFailure: false },
  );

/** Makes a valid request with some optional fields; which ones, the seed decides. */
const sends = fc.uniqueArray(fc.nat(30)).map((chosen) => {
  let asked = 0;
  return () => chosen.includes(asked++ % 31);
});
const messes = fc.array(mess, { minLength: 1, maxLength: 3 });
const messy = (value: unknown, done: readonly Mess[]) => done.reduce(messUp, written(value));

const restSent = (route: Route, path: string, body?: string | Buffer): Sent => ({
  method: route.method,
  url: `/api/v1${path}`,
  ...(body !== undefined && { body }),
});

const JSON_SLIPS = ["{", "}", "[", "]", ",", ":", '"', "\\", "\0", "\ufeff", "NaN", "'", "//", "\\ud800", "1e", "-", "\r\n"];

describe.each(contract.map((route) => [nameOf(route), route] as const))(`%s (seed ${SEED})`, (_, route) => {
  const bodies = fc.tuple(sends, messes).map(([sent, done]) => print(messy(requestOf(route, { records, sends: sent }).body ?? {}, done)));

  test("refuses a messy body, or takes it", () => holds(60, bodies.map((body) => restSent(route, requestOf(route, { records }).path, body))), timeout);

  test("refuses a body that is hardly JSON", () => {
    const broken = fc.tuple(bodies, slipOf(JSON_SLIPS), fc.boolean()).map(([body, done, latin]) => {
      const text = slip(body, done);
      return latin ? Buffer.from(text, "latin1") : text;
    });
    return holds(40, broken.map((body) => restSent(route, requestOf(route, { records }).path, body)));
  }, timeout);

  test("refuses what is no id in its path", () => {
    const odd = fc.oneof(oddValue, fc.string({ unit: "binary", maxLength: 20 }), fc.constantFrom("%", "%zz", "%00", "..%2f", "x".repeat(17_000)));
    const encode = (text: string) => (text.startsWith("%") ? text : encodeURIComponent(text.toWellFormed())) || "%20";
    const paths = odd.map((text) => route.path.replace(/\{\w+\}/, encode(text)));
    return holds(20, paths.map((path) => restSent(route, path, route.body && "{}")));
  }, timeout);

  test("bears any query string and any header", () => holds(30, fc.tuple(queries(route), oddHeaders).map(([query, headers]) => {
    const { path, body } = requestOf(route, { records });
    return { ...restSent(route, `${path}?${query}`, body && JSON.stringify(body)), headers };
  })), timeout);
});

function queries({ query = [] }: Route): fc.Arbitrary<string> {
  const names = [...query, "notify", "__proto__", "constructor", "a[b]", "a[]", "", "%zz", "%00", "語"];
  const value = fc.oneof(fc.constantFrom("true", "false", "TRUE", "1", "", "%zz", "%", "%00", "%ED%A0%80", "+", "&&", "=", "x".repeat(5_000)), fc.webQueryParameters());
  return fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 5 }).map((pairs) => pairs.map(([name, text]) => `${encodeURI(name)}=${text}`).join("&"));
}

const headerText = fc.oneof(
  fc.constantFrom("", " ", "*/*", "null", "application/json; charset=utf-16", 'application/json; charset="utf-8"', "text/plain", "multipart/form-data; boundary=x", "text/html", "gzip", "x".repeat(600), "00-00000000000000000000000000000000-0000000000000000-00"),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 300 }),
);
const oddHeaders = fc.dictionary(
  fc.constantFrom("secret-token", "content-type", "accept", "idempotency-key", "traceparent", "origin", "accept-encoding", "cookie", "x-forwarded-for", "if-none-match"),
  headerText,
  { minKeys: 1, maxKeys: 3, noNullPrototype: true },
);

const graphql = (body: string): Sent => ({ method: "POST", url: "/graphql", body });
const GRAPHQL_SLIPS = ["{", "}", "(", ")", "...", "@include", "@skip(if: $x)", "@defer", "$", "!", "[", ":", '"""', "#", "fragment F on Query { ...F }", "...F", "...on Query", "__schema{types{name}}", "__typename", "a: ", "1e400", "null", "{".repeat(300), "a".repeat(3_000), "a ".repeat(2_100)];

describe.each(operations.map((operation) => [operation.name, operation] as const))(`%s (seed ${SEED})`, (_, operation) => {
  const variables = (sent: () => boolean) => variablesOf(operation, { records, sends: sent });
  const query = documentOf(operation);

  test("refuses messy variables, or takes them", () => holds(25, fc.tuple(sends, messes).map(([sent, done]) =>
    graphql(`{"query":${JSON.stringify(query)},"variables":${print(messy(variables(sent), done))}}`))), timeout);

  test("refuses messy literals, or takes them", () => holds(15, fc.tuple(sends, messes).map(([sent, done]) =>
    graphql(JSON.stringify({ query: withLiterals(operation, messy(variables(sent), done)) })))), timeout);

  test("refuses a document that is hardly one", () => holds(15, fc.tuple(slipOf(GRAPHQL_SLIPS), fc.boolean()).map(([done, byGet]) => {
    const [broken, values] = [slip(query, done), variables(() => false)];
    if (!byGet) return graphql(JSON.stringify({ query: broken, variables: values }));
    const parameters = new URLSearchParams({ query: broken, variables: JSON.stringify(values) });
    return { method: "GET", url: `/graphql?${parameters}` };
  })), timeout);
});

/** The call with its arguments written into the document. Words of closed lists stay in quotes, where they are wrong. */
function withLiterals({ kind, field }: Operation, values: ReturnType<typeof written>): string {
  const given = "entries" in values ? values.entries.map(([name, value]) => `${name}: ${print(value, "graphql")}`).join(", ") : print(values, "graphql");
  return `${kind} { ${field.name}(${given}) { __typename } }`;
}

test(`a request of GraphQL is refused, or taken, in whatever envelope it comes (seed ${SEED})`, () => {
  const valid = { query: "query A { vendor { id } }", variables: {}, operationName: "A", extensions: {}, id: "1" };
  const envelopes = messes.map((done) => print(messy(valid, done)));
  const hashed = { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } };
  const persisted = messes.map((done) => print(messy({ extensions: hashed }, done)));
  const batches = envelopes.map((body) => `[${body},${body}]`);
  return holds(250, fc.tuple(fc.oneof(envelopes, persisted, batches), oddHeaders, fc.boolean()).map(([body, headers, withHeaders]) => ({
    ...graphql(body),
    ...(withHeaders && { headers }),
  })));
}, timeout);

test("what was sent was refused in many ways, and taken at times", () => {
  expect([...answered.keys()]).toEqual(expect.arrayContaining(["DONE", "INVALID_ARGUMENT", "MALFORMED_JSON", "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED"]));
  expect([...answered.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(3_000);
  expect(answered.get("DONE")!).toBeGreaterThan(100);
});
