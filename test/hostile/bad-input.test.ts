import fc from "fast-check";
import { describe, test } from "vitest";
import { contract } from "../../rest-compat/contract-routes.ts";
import { queryParameters, type Route } from "../../rest-compat/binding/route.ts";
import { startGateway } from "../support/test-gateway.ts";
import { Fuzz, messes, messy, oddHeaders, PATIENCE, SEED, sends } from "./fuzz.ts";
import type { Sent } from "./response-checker.ts";
import { oddValue, print, slip, slipOf } from "./json-mutations.ts";
import { registerRecords } from "./record-fixtures.ts";
import { nameOf, requestOf } from "./sample-requests.ts";

const gateway = await startGateway({ connections: 2 });
const records = await registerRecords(gateway);
const fuzz = await Fuzz.of(gateway);

const restSent = (route: Route, path: string, body?: string | Buffer): Sent => ({
  method: route.method,
  url: `/api/v1${path}`,
  ...(body !== undefined && { body }),
});

const JSON_SLIPS = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "\\",
  "\0",
  "\ufeff",
  "NaN",
  "'",
  "//",
  "\\ud800",
  "1e",
  "-",
  "\r\n",
];

describe.each(contract.map((route) => [nameOf(route), route] as const))(`%s (seed ${SEED})`, (_, route) => {
  const bodies = fc
    .tuple(sends, messes)
    .map(([sent, done]) => print(messy(requestOf(route, { records, sends: sent }).body ?? {}, done)));

  test(
    "refuses a messy body, or takes it",
    () =>
      fuzz.holds(
        20,
        bodies.map((body) => restSent(route, requestOf(route, { records }).path, body)),
      ),
    PATIENCE,
  );

  test(
    "refuses a body that is hardly JSON",
    () => {
      const broken = fc.tuple(bodies, slipOf(JSON_SLIPS), fc.boolean()).map(([body, done, latin]) => {
        const text = slip(body, done);
        return latin ? Buffer.from(text, "latin1") : text;
      });
      return fuzz.holds(
        13,
        broken.map((body) => restSent(route, requestOf(route, { records }).path, body)),
      );
    },
    PATIENCE,
  );

  test(
    "refuses what is no id in its path",
    () => {
      const odd = fc.oneof(
        oddValue,
        fc.string({ unit: "binary", maxLength: 20 }),
        fc.constantFrom("%", "%zz", "%00", "..%2f", "x".repeat(17_000)),
      );
      const encode = (text: string) => (text.startsWith("%") ? text : encodeURIComponent(text.toWellFormed())) || "%20";
      const paths = odd.map((text) => route.path.replace(/\{\w+\}/, encode(text)));
      return fuzz.holds(
        7,
        paths.map((path) => restSent(route, path, route.body && "{}")),
      );
    },
    PATIENCE,
  );

  test(
    "bears any query string and any header",
    () =>
      fuzz.holds(
        10,
        fc.tuple(queries(route), oddHeaders).map(([query, headers]) => {
          const { path, body } = requestOf(route, { records });
          return { ...restSent(route, `${path}?${query}`, body && JSON.stringify(body)), headers };
        }),
      ),
    PATIENCE,
  );
});

function queries(route: Route): fc.Arbitrary<string> {
  const known = queryParameters(route).map(({ name }) => name);
  const names = [...known, "notify", "__proto__", "constructor", "a[b]", "a[]", "", "%zz", "%00", "語"];
  const value = fc.oneof(
    fc.constantFrom(
      "true",
      "false",
      "TRUE",
      "1",
      "",
      "%zz",
      "%",
      "%00",
      "%ED%A0%80",
      "+",
      "&&",
      "=",
      "x".repeat(5_000),
    ),
    fc.webQueryParameters(),
  );
  return fc
    .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 5 })
    .map((pairs) => pairs.map(([name, text]) => `${encodeURI(name)}=${text}`).join("&"));
}

test("what was sent was refused in many ways, and taken at times", () => {
  const codes = ["INVALID_ARGUMENT", "MALFORMED_JSON", "ORDER_NOT_FOUND", "UNSUPPORTED_MEDIA_TYPE", "TOKEN_INVALID"];
  fuzz.expectVariety(contract.length * 50, codes);
});
