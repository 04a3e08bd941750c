import { describe, expect, test } from "vitest";
import { maskCardNumbers } from "../../src/kernel/card-mask.ts";

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
    ["000000000000", "********0000"],
    ["4000000000006", "*********0006"],
    ["6304000000000000000", "***************0000"],
    ["41 11 11 11 11 11 11 11", "** ** ** ** ** ** 11 11"],
  ])("%s", (text, masked) => {
    expect(maskCardNumbers(text)).toBe(masked);
  });
});

describe("what can be none stays as it is", () => {
  test.each([
    "",
    "잔액부족",
    "4111111111111112",
    "41111111111",
    "12345678901",
    "2026-03-01T09:30:00Z",
    "order 100, line 3",
    "+82 10-1234-5678",
  ])("%s", (text) => {
    expect(maskCardNumbers(text)).toBe(text);
  });
});

test("masking again changes nothing", () => {
  const text = "4111 1111 1111 1111 and 5555555555554444";
  expect(maskCardNumbers(maskCardNumbers(text))).toBe(maskCardNumbers(text));
});

test.each([
  ["lonely digits", "1 ".repeat(2_000)],
  ["one long number", "1".repeat(4_000)],
  ["pairs", "12-".repeat(1_333)],
])("a text of %s, as long as a text may be, keeps its length", (_name, text) => {
  expect(maskCardNumbers(text)).toHaveLength(text.length);
});
