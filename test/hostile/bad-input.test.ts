import fc from "fast-check";
import { describe, test } from "vitest";
import { contractRoutes } from "../../rest-compat/contract-routes.ts";
import { queryParametersOf, type RestRoute } from "../../rest-compat/binding/route.ts";
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
import { arbitraryOddValue, printJsonText, applyTextMutation, arbitraryTextMutation } from "./json-mutations.ts";
import { createRecordFixtures } from "./record-fixtures.ts";
import { routeNameOf, sampleRequest } from "./sample-requests.ts";

const gateway = await startGateway({ connections: 2 });
const records = await createRecordFixtures(gateway);
const fuzz = await Fuzz.start(gateway);

const restSent = (route: RestRoute, path: string, body?: string | Buffer): HttpRequest => ({
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

describe.each(contractRoutes.map((route) => [routeNameOf(route), route] as const))(
  `%s (seed ${FUZZ_SEED})`,
  (_, route) => {
    const bodies = fc
      .tuple(arbitraryIncludesField, arbitraryMutations)
      .map(([sent, done]) =>
        printJsonText(applyMutations(sampleRequest(route, { records, includesField: sent }).body ?? {}, done)),
      );

    test(
      "refuses or accepts a malformed body",
      () =>
        fuzz.runProperty(
          20,
          bodies.map((body) => restSent(route, sampleRequest(route, { records }).path, body)),
        ),
      PROPERTY_TIMEOUT_MS,
    );

    test(
      "refuses a body that is barely JSON",
      () => {
        const broken = fc.tuple(bodies, arbitraryTextMutation(JSON_SLIPS), fc.boolean()).map(([body, done, latin]) => {
          const text = applyTextMutation(body, done);
          return latin ? Buffer.from(text, "latin1") : text;
        });
        return fuzz.runProperty(
          13,
          broken.map((body) => restSent(route, sampleRequest(route, { records }).path, body)),
        );
      },
      PROPERTY_TIMEOUT_MS,
    );

    test(
      "refuses an invalid id in its path",
      () => {
        const odd = fc.oneof(
          arbitraryOddValue,
          fc.string({ unit: "binary", maxLength: 20 }),
          fc.constantFrom("%", "%zz", "%00", "..%2f", "x".repeat(17_000)),
        );
        const encode = (text: string) =>
          (text.startsWith("%") ? text : encodeURIComponent(text.toWellFormed())) || "%20";
        const paths = odd.map((text) => route.path.replace(/\{\w+\}/, encode(text)));
        return fuzz.runProperty(
          7,
          paths.map((path) => restSent(route, path, route.body && "{}")),
        );
      },
      PROPERTY_TIMEOUT_MS,
    );

    test(
      "tolerates any query string and any header",
      () =>
        fuzz.runProperty(
          10,
          fc.tuple(queries(route), arbitraryOddHeaders).map(([query, headers]) => {
            const { path, body } = sampleRequest(route, { records });
            return { ...restSent(route, `${path}?${query}`, body && JSON.stringify(body)), headers };
          }),
        ),
      PROPERTY_TIMEOUT_MS,
    );
  },
);

function queries(route: RestRoute): fc.Arbitrary<string> {
  const known = queryParametersOf(route).map(({ name }) => name);
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

test("requests were refused with many different codes, and some were accepted", () => {
  const codes = ["INVALID_ARGUMENT", "MALFORMED_JSON", "ORDER_NOT_FOUND", "UNSUPPORTED_MEDIA_TYPE", "TOKEN_INVALID"];
  fuzz.expectVariety(contractRoutes.length * 50, codes);
});
