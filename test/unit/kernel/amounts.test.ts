import { describe, expect, test } from "vitest";
import {
  allocate,
  allocateWithin,
  toAmount,
  toPlainString,
  divideRounded,
  parseAmount,
  roundAmount,
} from "../../../src/kernel/amounts.ts";

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
  expect(toPlainString(parseAmount(written))).toBe(amount);
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
  expect(() => parseAmount(written)).toThrow(new RangeError(sentence));
});

describe("plain notation", () => {
  test.each<[string | number, string]>([
    [1e21, "1000000000000000000000"],
    ["1e-6", "0.000001"],
    ["10.50", "10.5"],
    ["0.0", "0"],
  ])("of %j is %s: no exponent, no trailing zero", (value, text) => {
    expect(toPlainString(toAmount(value))).toBe(text);
  });
});

test("a tenth and two tenths are three tenths", () => {
  expect(toPlainString(toAmount("0.1").plus(toAmount(0.2)))).toBe("0.3");
});

describe("a ratio", () => {
  test.each<[string, string, number, string]>([
    ["1", "3", 0, "0"],
    ["1", "2", 0, "1"],
    ["2", "3", 2, "0.67"],
    ["1", "8", 2, "0.13"],
    ["1.0005", "1", 3, "1.001"],
    ["-1", "2", 0, "-1"],
    ["-1", "3", 0, "0"],
    // The difference from a half is below twenty decimals.
    ["4999999999999999999999999999999", "10000000000000000000000000000000", 0, "0"],
    ["5000000000000000000000000000001", "10000000000000000000000000000000", 0, "1"],
  ])("%s of %s at %d decimals is %s", (part, whole, scale, amount) => {
    expect(toPlainString(divideRounded({ part: toAmount(part), whole: toAmount(whole) }, scale))).toBe(amount);
  });

  test("is an amount like any other once it is calculated", () => {
    expect(divideRounded({ part: toAmount(1), whole: toAmount(2) }, 1)).toEqual(toAmount("0.5"));
    expect(toPlainString(divideRounded({ part: toAmount(1), whole: toAmount(2) }, 1).div(3))).toBe(
      "0.16666666666666666667",
    );
  });
});

describe("rounding", () => {
  test.each<[string, number, string]>([
    ["0.5", 0, "1"],
    ["0.49", 0, "0"],
    ["1.005", 2, "1.01"],
    ["1.0045", 3, "1.005"],
    ["12", 3, "12"],
    ["-0.5", 0, "-1"],
  ])("%s at %d decimals is %s", (amount, scale, result) => {
    expect(toPlainString(roundAmount(toAmount(amount), scale))).toBe(result);
  });
});

describe("a total is split", () => {
  const amounts = (list: (string | number)[]) => list.map(toAmount);
  const split = (by: typeof allocate, total: string | number, weights: (string | number)[], scale = 0) =>
    by(toAmount(total), amounts(weights), scale).map(toPlainString);

  test.each<[string | number, (string | number)[], number, string[]]>([
    [100, [1, 1, 1], 0, ["33", "33", "34"]],
    [200, [1, 1, 1], 0, ["67", "67", "66"]],
    [100, [1, 1, 1], 2, ["33.33", "33.33", "33.34"]],
    [10, [1], 0, ["10"]],
    [0, [1, 2], 0, ["0", "0"]],
    [5, [0, 1, 0], 0, ["0", "5", "0"]],
    [2, [1, 1, 1, 1], 0, ["1", "1", "0", "0"]],
    ["0.001", [1, 1], 3, ["0.001", "0"]],
    [1, [], 0, []],
    [7, [0, 0], 0, ["0", "7"]],
  ])("%d by %j at %d decimals into %j", (total, weights, scale, parts) => {
    expect(split(allocate, total, weights, scale)).toEqual(parts);
  });

  test.each<[number, number[], string[]]>([
    [100, [10_000, 10_000, 10_000], ["33", "33", "34"]],
    [49, Array<number>(101).fill(1), [...Array<string>(52).fill("0"), ...Array<string>(49).fill("1")]],
    [3, [1, 1, 1], ["1", "1", "1"]],
    [4, [9, 1, 1], ["3", "0", "1"]],
    [0, [0, 0], ["0", "0"]],
  ])("%d within the limits %j into %j: the excess of the last part goes to those before", (total, limits, parts) => {
    expect(split(allocateWithin, total, limits)).toEqual(parts);
  });
});
