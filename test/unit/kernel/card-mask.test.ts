import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskCardNumbers } from "../../../src/kernel/secrets/card-mask.ts";
import { PROPERTY_SEED } from "../../support/property-tests.ts";

describe("a card number is masked to its last four digits", () => {
  test.each([
    ["4111111111111111", "************1111"],
    ["4111 1111 1111 1111", "**** **** **** 1111"],
    ["4111-1111-1111-1111", "****-****-****-1111"],
    ["3782 822463 10005", "**** ****** *0005"],
    ["Card 5555555555554444, expired", "Card ************4444, expired"],
    ["카드4111111111111111번", "카드************1111번"],
    ["4111111111111111/4242424242424242", "************1111/************4242"],
    ["4111111111111111 4242424242424242", "************1111 ************4242"],
    ["ref 12 4111 1111 1111 1111 77", "ref 12 **** **** **** 1111 77"],
    ["2223000048400011", "************0011"],
    ["30569309025904", "**********5904"],
    ["3530111333300000", "************0000"],
    ["6011 0009 9013 9424", "**** **** **** 9424"],
    ["6200000000000005", "************0005"],
    ["4000000000006", "*********0006"],
    ["6304000000000000000", "***************0000"],
    ["41 11 11 11 11 11 11 11", "** ** ** ** ** ** 11 11"],
  ])("%s", (text, masked) => {
    expect(maskCardNumbers(text)).toBe(masked);
  });
});

describe("other text is unchanged", () => {
  test.each([
    "",
    "잔액부족",
    "4111111111111112",
    "41111111111",
    "12345678901",
    "2026-03-01T09:30:00Z",
    "order 100, line 3",
    // Numbers that pass the check, but without an issuer's prefix or its length.
    "000000000000",
    "1765432109875",
    "order 1732182345678903",
    "42424242424242",
    "55555555555544",
    "+82 10-1234-5678",
  ])("%s", (text) => {
    expect(maskCardNumbers(text)).toBe(text);
  });
});

test("no millisecond timestamp of these decades is masked as a card", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_000_000_000_000, max: 1_999_999_999_999 }), (time) => {
      expect(maskCardNumbers(`order ${time}`)).toBe(`order ${time}`);
    }),
    { seed: PROPERTY_SEED },
  );
});

test("masking again changes nothing", () => {
  const text = "4111 1111 1111 1111 and 5555555555554444";
  expect(maskCardNumbers(maskCardNumbers(text))).toBe(maskCardNumbers(text));
});

test.each([
  ["separated digits", "1 ".repeat(2_000)],
  ["one long number", "1".repeat(4_000)],
  ["pairs", "12-".repeat(1_333)],
])("a text of %s, of the maximum length, is masked without a change of its length", (_name, text) => {
  expect(maskCardNumbers(text)).toHaveLength(text.length);
});
