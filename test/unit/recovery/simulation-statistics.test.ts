import { describe, expect, test } from "vitest";
import {
  estimateCalibrationError,
  estimateMean,
  estimatePairedDifference,
  estimateQuantile,
  estimateShare,
  estimateWeightedShare,
} from "../../../src/recovery/simulation/statistics.ts";

/** A figure and its bounds at so many decimals. */
const at = (decimals: number, { value, interval }: { value: number; interval: readonly [number, number] }) =>
  [value, ...interval].map((number) => Number(number.toFixed(decimals)));

describe("a share", () => {
  // Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I, method 3.
  test.each([
    [81, 263, [0.308, 0.2553, 0.3662]],
    [15, 148, [0.1014, 0.0624, 0.1605]],
    [0, 20, [0, 0, 0.1611]],
    [1, 29, [0.0345, 0.0061, 0.1718]],
  ])("%i of %i has Wilson's bounds", (count, of, expected) => {
    expect(at(4, estimateShare(count, of))).toEqual(expected);
  });

  test("of zero cases may be anything, and a share of all cases reaches up to 1", () => {
    expect(estimateShare(0, 0)).toEqual({ value: 0, interval: [0, 1] });
    expect(estimateShare(5, 5).interval[1]).toBe(1);
  });
});

test("a mean has the error of its values", () => {
  expect(at(4, estimateMean([1, 2, 3, 4, 5]))).toEqual([3, 1.6141, 4.3859]);
  expect(estimateMean([7])).toEqual({ value: 7, interval: [7, 7] });
  expect(estimateMean([])).toEqual({ value: 0, interval: [0, 0] });
});

describe("a paired difference", () => {
  test("counts cases with different results, and is more precise than two separate shares", () => {
    expect(at(4, estimatePairedDifference([1, 1, 1, 0], [0, 1, 0, 0]))).toEqual([0.5, -0.0658, 1.0658]);
    const other = Array.from({ length: 400 }, (_, index) => index % 2);
    const one = other.map((value, index) => (index < 8 ? 1 : value));
    // McNemar's table: 4 cases more, none less; by hand 0.01 ± 1.96 * sqrt((4 / 400 - 0.01²) / 399).
    expect(at(5, estimatePairedDifference(one, other))).toEqual([0.01, 0.00024, 0.01976]);
  });

  test("of a policy with itself is zero", () => {
    expect(estimatePairedDifference([1, 0, 1], [1, 0, 1])).toEqual({ value: 0, interval: [0, 0] });
  });
});

test("a share of value equals that of the count when all weigh the same, and is less precise when few weigh much", () => {
  const chosen = Array.from({ length: 100 }, (_, index) => (index < 40 ? 1 : 0));
  const even = estimateWeightedShare(chosen, new Array<number>(100).fill(3));
  expect(at(4, even)).toEqual([0.4, 0.304, 0.496]);
  const uneven = estimateWeightedShare(
    chosen,
    chosen.map((_, index) => (index % 20 === 0 ? 50 : 1)),
  );
  expect(uneven.interval[1] - uneven.interval[0]).toBeGreaterThan(2 * (even.interval[1] - even.interval[0]));
  expect(estimateWeightedShare([], [])).toEqual({ value: 0, interval: [0, 1] });
});

test("a quantile is between the ranks of its binomial bounds", () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  // The ranks 40 and 61 are those of the textbooks for the median of a hundred.
  expect(estimateQuantile(hundred, 0.5)).toEqual({ value: 50, interval: [40, 61] });
  expect(estimateQuantile(hundred, 0.9)).toEqual({ value: 90, interval: [84, 97] });
  expect(estimateQuantile([3], 0.9)).toEqual({ value: 3, interval: [3, 3] });
  expect(estimateQuantile([], 0.5)).toBeNull();
});

describe("the calibration error", () => {
  const told = (rows: [probability: number, approved: number][]) => ({
    probability: rows.map(([probability]) => probability),
    approved: rows.map(([, approved]) => approved),
    index: rows.map((_, index) => index),
  });
  const times = <T>(count: number, one: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => one(index));

  test("is zero when as many succeed as predicted", () => {
    const rows = times<[number, number]>(100, (index) => [0.25, index % 4 === 0 ? 1 : 0]);
    expect(estimateCalibrationError(told(rows))!.value).toBeCloseTo(0, 10);
  });

  test("weighs the gaps of the bins by their number of retries", () => {
    // 60 retries predicted at 0.75 of which half succeed, 40 at 0.15 of which 0.15 do: 0.6 * 0.25 + 0.4 * 0.
    const high = times<[number, number]>(60, (index) => [0.75, index % 2]);
    const low = times<[number, number]>(40, (index) => [0.15, index < 6 ? 1 : 0]);
    const { value, interval } = estimateCalibrationError(told([...high, ...low]))!;
    expect(value).toBeCloseTo(0.15, 10);
    expect(interval[0]).toBeLessThan(0.15);
    expect(interval[0]).toBeGreaterThan(0);
    expect(interval[1]).toBeGreaterThan(0.15);
    expect(interval[1]).toBeLessThan(0.3);
  });

  test("is unknown without predictions", () => {
    expect(estimateCalibrationError(told([]))).toBeNull();
  });
});
