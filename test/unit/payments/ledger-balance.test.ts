import { expect, test } from "vitest";
import { toAmount } from "../../../src/kernel/amounts.ts";
import { requireBalance, toChargeEntries } from "../../../src/payments/ledger/ledger.repository.ts";

const movement = {
  ...{ orderId: 7, paymentId: 1, amount: toAmount("0.1"), currency: "USD" },
  createdAt: new Date("2026-03-01T09:30:00.000Z"),
};
const [captured, sold] = toChargeEntries(movement);

test("both sides of movements are balanced", () => {
  expect(() => requireBalance([captured!, sold!, captured!, sold!])).not.toThrow();
});

test.each([
  ["one side only", [captured!]],
  ["another amount on one side", [captured!, { ...sold!, amount: toAmount("-0.10000001") }]],
  ["sides of two orders", [captured!, { ...sold!, orderId: 8 }]],
  ["sides in two currencies", [captured!, { ...sold!, currency: "KRW" }]],
])("%s is refused", (_what, entries) => {
  expect(() => requireBalance(entries)).toThrow(/do not sum to zero/);
});
