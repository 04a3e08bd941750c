import { describe, expect, test } from "vitest";
import { CoverOrderStatus } from "../../../schema/vocabulary.ts";
import { toAmount } from "../../../src/kernel/amounts.ts";
import {
  isPaidStatus,
  orderStatusAfter,
  initialOrderStatus,
  type RegisteredPaymentFacts,
} from "../../../src/recovery/registry/cover-order.states.ts";

const statuses = Object.keys(CoverOrderStatus) as CoverOrderStatus[];
const date = new Date("2026-03-01T09:30:00Z");

/** `F` paymentFailed, `C` canceledAt, `P` paymentDate; `part` or `full` returned. */
const factsOf = (words: string): RegisteredPaymentFacts => ({
  paymentFailed: words.includes("F"),
  canceledAt: words.includes("C") ? date : null,
  paymentDate: words.includes("P") ? date : null,
  amount: toAmount(100),
  amountReturned: toAmount({ part: 40, full: 100 }[words.split(" ")[1] ?? ""] ?? 0),
});

/*
 * Rule 7, and the status after a replacement: for each combination of facts the status of a new order, of an open one
 * (CREATED or PAYMENT_FAILURE), of a cancelled one, of a refunded one, and of any other paid one. `=` is the status
 * before.
 */
const table = `
  -         CREATED          =                 CANCELED  PAID            =
  P         PAID             PAID              CANCELED  PAID            =
  C         CANCELED         CANCELED          CANCELED  CANCELED        CANCELED
  CP        CANCELED         CANCELED          CANCELED  CANCELED        CANCELED
  F         PAYMENT_FAILURE  PAYMENT_FAILURE   CANCELED  PAID            =
  FP        PAYMENT_FAILURE  PAYMENT_FAILURE   CANCELED  PAID            =
  FC        PAYMENT_FAILURE  PAYMENT_FAILURE   CANCELED  CANCELED        CANCELED
  FCP       PAYMENT_FAILURE  PAYMENT_FAILURE   CANCELED  CANCELED        CANCELED
  -·part    PARTIAL_REFUND   PARTIAL_REFUND    CANCELED  PARTIAL_REFUND  PARTIAL_REFUND
  P·part    PARTIAL_REFUND   PARTIAL_REFUND    CANCELED  PARTIAL_REFUND  PARTIAL_REFUND
  C·part    CANCELED         CANCELED          CANCELED  CANCELED        CANCELED
  CP·part   CANCELED         CANCELED          CANCELED  CANCELED        CANCELED
  F·part    PAYMENT_FAILURE  PAYMENT_FAILURE   CANCELED  PARTIAL_REFUND  PARTIAL_REFUND
  FP·part   PAYMENT_FAILURE  PAYMENT_FAILURE   CANCELED  PARTIAL_REFUND  PARTIAL_REFUND
  FC·part   PAYMENT_FAILURE  PAYMENT_FAILURE   CANCELED  CANCELED        CANCELED
  FCP·part  PAYMENT_FAILURE  PAYMENT_FAILURE   CANCELED  CANCELED        CANCELED
  -·full    FULL_REFUND      FULL_REFUND       CANCELED  FULL_REFUND     FULL_REFUND
  P·full    FULL_REFUND      FULL_REFUND       CANCELED  FULL_REFUND     FULL_REFUND
  C·full    CANCELED         CANCELED          CANCELED  CANCELED        CANCELED
  CP·full   CANCELED         CANCELED          CANCELED  CANCELED        CANCELED
  F·full    PAYMENT_FAILURE  PAYMENT_FAILURE   CANCELED  FULL_REFUND     FULL_REFUND
  FP·full   PAYMENT_FAILURE  PAYMENT_FAILURE   CANCELED  FULL_REFUND     FULL_REFUND
  FC·full   PAYMENT_FAILURE  PAYMENT_FAILURE   CANCELED  CANCELED        CANCELED
  FCP·full  PAYMENT_FAILURE  PAYMENT_FAILURE   CANCELED  CANCELED        CANCELED
`;
const rows = table
  .trim()
  .split("\n")
  .map((row) => row.trim().split(/\s+/))
  .map(([facts, ...results]) => [facts!.replace("·", " "), ...results] as [string, ...string[]]);

/** The column of the table for an order in this state. */
function columnOf(before: CoverOrderStatus): number {
  if (before === "CREATED" || before === "PAYMENT_FAILURE") return 2;
  if (before === "CANCELED") return 3;
  return before === "PARTIAL_REFUND" || before === "FULL_REFUND" ? 4 : 5;
}

test("the table has every combination", () => {
  expect(new Set(rows.map(([facts]) => facts)).size).toBe(24);
});

describe.each(rows)("with %s", (facts, fresh, ...after) => {
  test(`a new order is ${fresh}`, () => {
    expect(initialOrderStatus(factsOf(facts))).toBe(fresh);
  });

  test(`a replaced order is ${after.join(", ")}`, () => {
    const expected = statuses.map((before) => {
      const word = rows.find(([known]) => known === facts)![columnOf(before)]!;
      return [before, word === "=" ? before : word];
    });
    expect(statuses.map((before) => [before, orderStatusAfter(before, factsOf(facts))])).toEqual(expected);
  });
});

test("an order of zero is not refunded by returning zero", () => {
  const nothing = { ...factsOf("P"), amount: toAmount(0), amountReturned: toAmount(0) };
  expect([initialOrderStatus(nothing), orderStatusAfter("PREPARING", nothing)]).toEqual(["PAID", "PREPARING"]);
});

test("the smallest part distinguishes a partial refund from a full one", () => {
  const almost = { ...factsOf("P"), amountReturned: toAmount("99.999999") };
  expect([initialOrderStatus(almost), initialOrderStatus({ ...almost, amountReturned: toAmount("100.000") })]).toEqual([
    "PARTIAL_REFUND",
    "FULL_REFUND",
  ]);
});

test("an order is paid in every state but three", () => {
  expect(statuses.filter((status) => !isPaidStatus(status)).sort()).toEqual(["CANCELED", "CREATED", "PAYMENT_FAILURE"]);
});
