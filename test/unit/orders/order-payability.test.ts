import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OrderItemStatus, OrderType, PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import { toAmount } from "../../../src/kernel/amounts.ts";
import {
  allowsMethod,
  amountDue,
  chargingAccount,
  closedState,
  isPayableLine,
  needsNoPayment,
  offeredMethods,
  passesNoGateway,
  unpayableReason,
  type GatewayAccountFacts,
  type MethodFacts,
} from "../../../src/orders/order.payability.ts";

/* Whether an order can be paid, how much of it is due, and by which methods. */

const NOW = new Date("2026-03-01T00:00:00Z");
const lines = (...statuses: (keyof typeof OrderItemStatus)[]) => statuses.map((status) => ({ status }));

const amounts = (amount: number, paidAmount = 0) => ({ amount: toAmount(amount), paidAmount: toAmount(paidAmount) });

describe("amountDue", () => {
  test.each([
    ["all of an unpaid order", 100, 0, null, "100"],
    ["the rest of a part payment", 100, 30, null, "70"],
    ["the part that its invoice wants at once", 100, 0, 30, "30"],
    ["what is left of that part", 100, 10, 30, "20"],
    ["the rest once that part is paid", 100, 30, 30, "70"],
    ["no more than the order", 20, 0, 30, "20"],
    ["nothing of a free order", 0, 0, null, "0"],
  ])("is %s", (_, amount, paidAmount, instantAmount, due) => {
    const atOnce = instantAmount === null ? null : toAmount(instantAmount);
    expect(amountDue(amounts(amount, paidAmount), atOnce).toFixed()).toBe(due);
  });
});

describe("unpayableReason", () => {
  const order = { ...amounts(100), paymentDate: null, purchaseDeadline: null, parentOrderId: null };
  const paid = { ...order, ...amounts(100, 100), paymentDate: NOW };

  test.each([
    ["null for an unpaid order", order, lines("CREATED"), null],
    ["null while a deposit is awaited", order, lines("DEPOSIT_WAITING"), null],
    ["null after a failed payment", order, lines("PAYMENT_FAILURE", "CANCELLED"), null],
    ["PAID for a paid order", paid, lines("PAID"), "PAID"],
    ["PAID for a paid order that was refunded", paid, lines("CANCELLATION_REFUNDED"), "PAID"],
    ["CLOSED for a cancelled order", order, lines("CANCELLED"), "CLOSED"],
    ["CLOSED for a free order that was cancelled", { ...order, ...amounts(0) }, lines("CANCELLED"), "CLOSED"],
    ["CLOSED for a cancelled part payment", { ...paid, ...amounts(100, 30) }, lines("CANCELLED"), "CLOSED"],
    [
      "PAID_THROUGH_PARENT for an order of a child vendor",
      { ...order, parentOrderId: 1 },
      lines("CREATED"),
      "PAID_THROUGH_PARENT",
    ],
    ["PAST_DEADLINE at the deadline", { ...order, purchaseDeadline: NOW }, lines("CREATED"), "PAST_DEADLINE"],
    ["null before the deadline", { ...order, purchaseDeadline: new Date(NOW.getTime() + 1) }, lines("CREATED"), null],
  ])("is %s", (_, facts, items, reason) => {
    expect(unpayableReason(facts, items, "CUSTOMER", NOW)).toBe(reason);
  });

  test("is null past the deadline when the merchant charges", () => {
    expect(unpayableReason({ ...order, purchaseDeadline: NOW }, lines("CREATED"), "MERCHANT", NOW)).toBeNull();
  });
});

test("closedState is null as long as a line can be paid", () => {
  const nothing = { paidAmount: toAmount(0), returnedAmount: toAmount(0) };
  const back = { paidAmount: toAmount(100), returnedAmount: toAmount(100) };
  expect(closedState(nothing, lines("CREATED", "CANCELLED"))).toBeNull();
  expect(closedState(nothing, lines("CANCELLED", "CANCELLED"))).toBe("CANCELLED");
  expect(closedState({ ...back, returnedAmount: toAmount(99) }, lines("PAID"))).toBe("PAID");
  expect(closedState(back, lines("CANCELLATION_REFUNDED", "CANCELLED"))).toBe("REFUNDED");
});

test("a line can be paid until it is paid or cancelled", () => {
  const payable = Object.keys(OrderItemStatus).filter((status) => isPayableLine({ status } as never));
  expect(payable).toEqual(["CREATED", "DEPOSIT_WAITING", "PAYMENT_FAILURE"]);
});

test("nothing is to be paid for a free order, unless its payment stores a method", () => {
  expect(needsNoPayment({ type: "ONE_TIME" }, toAmount(0))).toBe(true);
  expect(needsNoPayment({ type: "RECURRING_INITIAL" }, toAmount(0))).toBe(false);
  expect(needsNoPayment({ type: "ONE_TIME" }, toAmount(1))).toBe(false);
});

const account = (values: Partial<GatewayAccountFacts> = {}): GatewayAccountFacts => ({
  gateway: "HOUSE",
  enabled: true,
  methods: ["CARD", "CARD_BILL", "VBANK", "SIMPLE_PAY"],
  currencies: [],
  ...values,
});
const order = (values: Partial<MethodFacts> = {}): MethodFacts => ({
  type: "ONE_TIME",
  currency: "KRW",
  paymentGateway: null,
  allowedPaymentMethods: [],
  parentOrderId: null,
  ...values,
});

describe("offeredMethods", () => {
  test.each([
    ["everything that the accounts take, a card once", order(), [account()], ["CARD", "VBANK", "SIMPLE_PAY"]],
    [
      "only allowed methods, in their order",
      order({ allowedPaymentMethods: ["SIMPLE_PAY", "CARD", "CMS"] }),
      [account()],
      ["SIMPLE_PAY", "CARD"],
    ],
    [
      "a stored card where only that is allowed",
      order({ allowedPaymentMethods: ["CARD_BILL"] }),
      [account()],
      ["CARD_BILL"],
    ],
    ["the merchant's own account where it is allowed", order({ allowedPaymentMethods: ["BANK"] }), [], ["BANK"]],
    [
      "nothing that cannot be charged again, for a subscription",
      order({ type: "RECURRING_INITIAL" }),
      [account()],
      ["CARD", "SIMPLE_PAY"],
    ],
    ["nothing of another gateway", order({ paymentGateway: "TOSS" as never }), [account()], []],
    ["nothing of a disabled account", order(), [account({ enabled: false })], []],
    ["nothing in another currency", order(), [account({ currencies: ["USD"] })], []],
    [
      "nothing for an order of a child vendor",
      order({ parentOrderId: 1, allowedPaymentMethods: ["BANK"] }),
      [account()],
      [],
    ],
  ])("are %s", (_, facts, accounts, methods) => {
    expect(offeredMethods(facts, accounts)).toEqual(methods);
  });

  test("are methods that a claim takes", () => {
    const words = <T extends string>(record: Record<T, unknown>) => fc.constantFrom(...(Object.keys(record) as T[]));
    const methods = fc.uniqueArray(words(PaymentMethod), { maxLength: 5 });
    const currency = fc.constantFrom("KRW", "USD");
    const accounts = fc.array(
      fc.record({
        gateway: words(PaymentGateway),
        enabled: fc.boolean(),
        methods,
        currencies: fc.uniqueArray(currency),
      }),
      { maxLength: 3 },
    );
    const facts = fc.record({
      type: words(OrderType),
      currency,
      paymentGateway: fc.option(words(PaymentGateway)),
      allowedPaymentMethods: methods,
      parentOrderId: fc.constantFrom(null, null, 1),
    });
    fc.assert(
      fc.property(facts, accounts, (one, all) => {
        const { currency: code, paymentGateway: gateway } = one;
        for (const method of offeredMethods(one, all)) {
          expect(allowsMethod(one, method)).toBe(true);
          const isCharged = chargingAccount(all, { method, currency: code, gateway }) !== undefined;
          expect(isCharged || passesNoGateway(method)).toBe(true);
        }
      }),
      { seed: 13, numRuns: 500 },
    );
  });
});
