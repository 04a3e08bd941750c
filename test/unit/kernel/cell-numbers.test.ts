import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cellOfOrderCode,
  cellOfToken,
  cellOfVendor,
  cellOfVendorUuid,
  firstVendorIdOf,
  HOME_CELL,
  MAX_CELL,
  newTokenText,
  newVendorUuid,
} from "../../../src/kernel/cell-numbers.ts";
import { newOrderCode } from "../../../src/kernel/codes.ts";

const cell = fc.integer({ min: 1, max: MAX_CELL });
const vendor = fc.tuple(cell, fc.nat({ max: 999_999_999 })).map(([number, index]) => ({
  number,
  id: firstVendorIdOf(number) + index,
}));

describe("an identifier of a cell's vendor", () => {
  test("names the cell: the id, a token with or without its words, the uuid, and an order's code", () => {
    fc.assert(
      fc.property(vendor, ({ number, id }) => {
        const text = newTokenText(id);
        expect([
          cellOfVendor(id),
          cellOfToken(text),
          cellOfToken(`recoup_live_${text}`),
          cellOfToken(`recoup_test_${text}`),
          cellOfVendorUuid(newVendorUuid(number)),
          cellOfOrderCode(newOrderCode(id)),
        ]).toEqual(Array.from({ length: 6 }, () => number));
      }),
    );
  });

  test("looks like that of the home database: a uuid, and nine letters or digits", () => {
    expect(newVendorUuid(7)).toMatch(/^00000007-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(newOrderCode(firstVendorIdOf(7))).toMatch(/^order_AH[A-Za-z\d]{7}$/);
  });
});

describe("an identifier of the home database", () => {
  test("names no cell", () => {
    expect(newTokenText(1)).toMatch(/^[\w-]{43}$/);
    expect([cellOfVendor(1), cellOfVendor(999_999_999)]).toEqual([HOME_CELL, HOME_CELL]);
    expect(cellOfVendorUuid(newVendorUuid(HOME_CELL))).toBe(HOME_CELL);
    fc.assert(fc.property(fc.nat({ max: 999_999_998 }), (id) => cellOfToken(newTokenText(id + 1)) === HOME_CELL));
  });

  test("and any other text is for the home database", () => {
    const texts = [
      "",
      "c1_",
      "demo-secret-token",
      `c0_${"a".repeat(43)}`,
      `c9999_${"a".repeat(43)}`,
      "recoup_live_c1_short",
    ];
    for (const text of texts) expect(cellOfToken(text)).toBe(HOME_CELL);
    for (const text of ["", "x", "ffffffff-0000-8000-8000-000000000000"])
      expect(cellOfVendorUuid(text)).toBe(HOME_CELL);
    for (const text of ["", "order_", "order_ab", "customer_AAbbbbbbb"]) expect(cellOfOrderCode(text)).toBe(HOME_CELL);
  });
});
