import { describe, expect, test } from "vitest";
import { Refusal } from "../../../src/kernel/refusals.ts";
import { parseJsonBody, UnsafeNumber } from "../../../src/kernel/json-reader.ts";

const read = (text: string) => parseJsonBody(Buffer.from(text));

test.each<[string, unknown]>([
  ["", undefined],
  [" \n\t", undefined],
  ["null", null],
  ["true", true],
  ['"잔액부족"', "잔액부족"],
  ['"\\u0000"', "\0"],
  ["[1, 2.5, -0.5, 1e3]", [1, 2.5, -0.5, 1000]],
  ['{"a": {"b": []}}', { a: { b: [] } }],
  ['{"a": 1, "a": 1}', { a: 1 }],
  ["9007199254740991", 9_007_199_254_740_991],
  ["0.1", 0.1],
  ["18900.00", 18_900],
])("%s is read", (text, value) => {
  expect(read(text)).toEqual(value);
});

test.each(["9007199254740993", "12345678901234567890", "1e400", "0.12345678901234567890123"])(
  "the number %s, which no JavaScript number can represent, is preserved as it was written",
  (text) => {
    expect(read(`[${text}]`)).toEqual([new UnsafeNumber(text)]);
  },
);

describe("the JSON reader refuses", () => {
  const refusalOf = (bytes: Uint8Array): Refusal => {
    try {
      parseJsonBody(bytes);
    } catch (error) {
      if (error instanceof Refusal) return error;
    }
    throw new Error("It was not refused.");
  };

  test.each([
    ["{", "The body is not JSON: a syntax error at position 1."],
    ['{"secret": tru', "The body is not JSON: a syntax error at position 11."],
    ["[1,]", "The body is not JSON: a syntax error at position 3."],
    ["{'a': 1}", "The body is not JSON: a syntax error at position 1."],
    ["01", "The body is not JSON: a syntax error at position 1."],
    ["NaN", "The body is not JSON: a syntax error at position 0."],
    ["{} {}", "The body is not JSON: a syntax error at position 3."],
    ['{"a": 1, "a": 2}', "The body is not JSON: a duplicate key at position 9."],
  ])("%s, and names the position without repeating the text", (text, message) => {
    expect(refusalOf(Buffer.from(text))).toMatchObject({ kind: "invalid", code: "MALFORMED_JSON", message });
  });

  test("text that is not UTF-8", () => {
    expect(refusalOf(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({
      code: "MALFORMED_JSON",
      message: "The body is not UTF-8.",
    });
  });

  test("more than 64 nested levels, but not brackets within a text", () => {
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect(read(nested(64))).toBeInstanceOf(Array);
    expect(refusalOf(Buffer.from(nested(65))).message).toBe("The body has more than 64 levels.");
    expect(refusalOf(Buffer.from("[".repeat(500_000))).message).toBe("The body has more than 64 levels.");
    expect(read(`"${"[".repeat(1000)}\\"[["`)).toBe(`${"[".repeat(1000)}"[[`);
  });
});

test("a key named __proto__ sets no prototype", () => {
  const value = read('{"__proto__": {"polluted": true}}') as object;
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect((value as Record<string, unknown>)["polluted"]).toBeUndefined();
});
