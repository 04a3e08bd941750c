import { expect, test } from "vitest";
import { isCurrency, minorUnits } from "../../../src/kernel/currencies.ts";

test.each([
  ["KRW", 0],
  ["JPY", 0],
  ["CLP", 0],
  ["USD", 2],
  ["EUR", 2],
  ["KWD", 3],
  ["BHD", 3],
  // Countries whose coins are out of use: ISO 4217 still lists their decimals, and payment networks use them.
  ["HUF", 2],
  ["IDR", 2],
  ["PKR", 2],
  ["COP", 2],
  ["IQD", 3],
  // Newer than the library's list.
  ["XCG", 2],
])("%s has %d decimals", (currency, decimals) => {
  expect([isCurrency(currency), minorUnits(currency)]).toEqual([true, decimals]);
});

test.each(["", "krw", "KR", "KRWW", "AAA", "XXX", "XAU", "XTS", "constructor"])("%j is no currency", (code) => {
  expect(isCurrency(code)).toBe(false);
  expect(() => minorUnits(code)).toThrow(new RangeError(`${code} is not a currency.`));
});
