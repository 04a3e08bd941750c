import fc from "fast-check";
import { expect } from "vitest";
import type { TestGateway } from "../support/test-gateway.ts";
import { inForm, isLong } from "../support/test-form.ts";
import { ResponseChecker, type HttpRequest } from "./response-checker.ts";
import { arbitraryMutation, applyMutation, toJsonText, type JsonMutation, type JsonText } from "./json-mutations.ts";

/*
 * The short form sends some 2,700 requests; the long form (`npm run test:long`) sends 190,000, the first of which are
 * those of the short form. A failure shows the request in its smallest form.
 */

export const FUZZ_SEED = 20_260_301;

/** Timeout of a property, in milliseconds. */
export const PROPERTY_TIMEOUT_MS = isLong ? 1_800_000 : 60_000;

/** Sends requests that the seed selects, and counts the answers. */
export class Fuzz {
  /** How often each code was answered; DONE stands for an accepted request. */
  private readonly countByCode = new Map<string, number>();

  private constructor(private readonly checker: ResponseChecker) {}

  static async start(gateway: TestGateway): Promise<Fuzz> {
    return new Fuzz(await ResponseChecker.create(gateway));
  }

  /** Sends `count` requests in the short form, and 70 times as many in the long one. */
  runProperty(count: number, requests: fc.Arbitrary<HttpRequest>): Promise<void> {
    const property = fc.asyncProperty(requests, async (request) => {
      const { code = "DONE" } = await this.checker.sendAndCheck(request);
      this.countByCode.set(code, (this.countByCode.get(code) ?? 0) + 1);
    });
    return fc.assert(property, { seed: FUZZ_SEED, numRuns: inForm(count, count * 70) });
  }

  /** A generator that is never refused tests nothing, nor does one that is never accepted. */
  expectVariety(requests: number, codes: readonly string[]): void {
    expect([...this.countByCode.keys()]).toEqual(expect.arrayContaining(["DONE", ...codes]));
    expect([...this.countByCode.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(requests);
    expect(this.countByCode.get("DONE")).toBeGreaterThan(100);
  }
}

/** Makes a valid request with some optional fields, which the seed selects. */
export const arbitraryIncludesField = fc.uniqueArray(fc.nat(30)).map((chosen) => {
  let asked = 0;
  return () => chosen.includes(asked++ % 31);
});
export const arbitraryMutations = fc.array(arbitraryMutation, { maxLength: 3 });
export const applyMutations = (value: unknown, mutations: readonly JsonMutation[]): JsonText =>
  mutations.reduce(applyMutation, toJsonText(value));

const headerText = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "*/*",
    "null",
    "application/json; charset=utf-16",
    'application/json; charset="utf-8"',
    "text/plain",
    "multipart/form-data; boundary=x",
    "text/html",
    "gzip",
    "x".repeat(600),
    "00-00000000000000000000000000000000-0000000000000000-00",
  ),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 300 }),
);
export const arbitraryOddHeaders = fc.dictionary(
  fc.constantFrom(
    "secret-token",
    "content-type",
    "accept",
    "idempotency-key",
    "traceparent",
    "origin",
    "accept-encoding",
    "cookie",
    "x-forwarded-for",
    "if-none-match",
  ),
  headerText,
  { minKeys: 1, maxKeys: 3, noNullPrototype: true },
);
