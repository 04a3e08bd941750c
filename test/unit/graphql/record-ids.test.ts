import { describe, expect, test } from "vitest";
import { toGlobalId, databaseIdOf, optionalDatabaseIdOf, parseGlobalId } from "../../../src/graphql/record-ids.ts";
import { Refusal } from "../../../src/kernel/refusals.ts";

const encoded = (text: string): string => Buffer.from(text).toString("base64url");
const MOST = Number.MAX_SAFE_INTEGER;

test.each([
  "Vendor",
  "CoverCustomer",
  "CoverProduct",
  "CoverPrice",
  "CoverOrder",
  "CoverSubscription",
  "Cover",
] as const)("a global id of a %s is decoded to its parts", (type) => {
  for (const id of [1, 42, MOST]) {
    expect(parseGlobalId(toGlobalId(type, id))).toEqual({ type, id });
    expect(toGlobalId(type, id)).toMatch(/^[\w-]+$/);
    expect(databaseIdOf(type, toGlobalId(type, id), "id")).toBe(id);
  }
});

test("global ids never change: clients store them", () => {
  expect(toGlobalId("CoverOrder", 7)).toBe("Q292ZXJPcmRlcjo3");
  expect(toGlobalId("Vendor", 1)).toBe("VmVuZG9yOjE");
});

test.each([
  "",
  "x",
  "7",
  encoded("CoverOrder"),
  encoded("CoverOrder:"),
  encoded(":7"),
  encoded("CoverOrder:0"),
  encoded("CoverOrder:07"),
  encoded("CoverOrder:-7"),
  encoded("CoverOrder:7.0"),
  encoded("CoverOrder:7:7"),
  encoded(`CoverOrder:${MOST + 1}`),
  encoded("CoverOrder: 7"),
])("%j is no global id", (text) => {
  expect(parseGlobalId(text)).toBeUndefined();
});

describe("an argument that takes an id", () => {
  test.each([
    ["1", 1],
    ["42", 42],
    [String(MOST), MOST],
    [toGlobalId("CoverOrder", 7), 7],
  ])("reads %s as %d", (text, id) => {
    expect(databaseIdOf("CoverOrder", text, "orderId")).toBe(id);
    expect(optionalDatabaseIdOf("CoverOrder", text, "orderId")).toBe(id);
  });

  test.each([
    "",
    "0",
    "-1",
    "01",
    "1.5",
    "1e3",
    " 1",
    "x",
    String(MOST + 1),
    "99999999999999999",
    toGlobalId("Cover", 7),
    toGlobalId("CoverCustomer", 7),
  ])("refuses %j, and names itself but not the value", (text) => {
    const refusal = new Refusal("invalid", "INVALID_ARGUMENT", "orderId must be an id of the type CoverOrder.", {
      fields: [{ path: "orderId", code: "INVALID_VALUE", message: "must be an id of the type CoverOrder." }],
    });
    expect(() => databaseIdOf("CoverOrder", text, "orderId")).toThrow(refusal);
    expect(() => optionalDatabaseIdOf("CoverOrder", text, "orderId")).toThrow(refusal);
  });

  test("may be absent if it is optional", () => {
    expect([optionalDatabaseIdOf("Cover", null, "id"), optionalDatabaseIdOf("Cover", undefined, "id")]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
