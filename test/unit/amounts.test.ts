import { describe, expect, test } from "vitest";
import { amountOf, plain, readAmount } from "../../src/kernel/amounts.ts";

test.each<[string | number, string]>([
  ["0", "0"],
  ["-0", "0"],
  [-0, "0"],
  ["000", "0"],
  ["0.000000", "0"],
  ["0.00000000000000000000", "0"],
  ["18900", "18900"],
  [18_900, "18900"],
  ["00018900.500", "18900.5"],
  ["0.1", "0.1"],
  [0.1, "0.1"],
  [1e-6, "0.000001"],
  ["1e3", "1000"],
  ["1.5E+2", "150"],
  ["1e14", "100000000000000"],
  ["999999999999999", "999999999999999"],
  [999_999_999_999_999, "999999999999999"],
  ["999999999.999999", "999999999.999999"],
  ["123456789012345.000000", "123456789012345"],
])("%j is read as %s", (written, amount) => {
  expect(plain(readAmount(written))).toBe(amount);
});

const [noNumber, negative] = ["must be a decimal number.", "must not be negative."];
const [digits, decimals] = ["must have at most 15 significant digits.", "must have at most 6 decimals."];

test.each<[string | number, string]>([
  ["", noNumber],
  [" ", noNumber],
  [" 1", noNumber],
  ["1 ", noNumber],
  ["1,5", noNumber],
  ["1_000", noNumber],
  ["0x10", noNumber],
  ["one", noNumber],
  ["+-1", noNumber],
  ["1e", noNumber],
  ["NaN", noNumber],
  ["Infinity", noNumber],
  [NaN, noNumber],
  [Infinity, noNumber],
  ["-1", negative],
  ["-0.000001", negative],
  [-0.01, negative],
  ["1000000000000000", digits],
  ["1e15", digits],
  ["1e400", digits],
  ["1234567890123456", digits],
  ["1234567890.123456", digits],
  [0.1 + 0.2, digits],
  ["0.0000001", decimals],
  ["1e-7", decimals],
  ["1e-400", decimals],
  ["1.1234567", decimals],
])("%j is refused: it %s", (written, sentence) => {
  expect(() => readAmount(written)).toThrow(new RangeError(sentence));
});

describe("plain notation", () => {
  test.each<[string | number, string]>([
    [1e21, "1000000000000000000000"],
    ["1e-6", "0.000001"],
    ["10.50", "10.5"],
    ["0.0", "0"],
  ])("of %j is %s: no exponent, no trailing zero", (value, text) => {
    expect(plain(amountOf(value))).toBe(text);
  });
});

test("a tenth and two tenths are three tenths", () => {
  expect(plain(amountOf("0.1").plus(amountOf(0.2)))).toBe("0.3");
});
