import { expect } from "vitest";
import type { ObservedOrder, ObservedSubscription } from "./observed-state.ts";
import type { ModelSubscription } from "./model-subscription.ts";

/** The transitions that the contract allows to a subscription; null is before its start. */
const allowedTransitions: Readonly<Record<string, readonly string[]>> = {
  none: ["ACTIVE"],
  ACTIVE: ["QUEUEING", "PENDING_PAUSE", "PAUSE", "PENDING_CANCEL", "CANCELED", "EXPIRED"],
  QUEUEING: ["ACTIVE", "UNPAID", "CANCELED", "EXPIRED"],
  UNPAID: ["ACTIVE", "PAUSE", "CANCELED", "EXPIRED"],
  PENDING_PAUSE: ["QUEUEING", "PAUSE", "ACTIVE", "CANCELED", "EXPIRED"],
  PAUSE: ["ACTIVE", "CANCELED", "EXPIRED"],
  PENDING_CANCEL: ["QUEUEING", "ACTIVE", "CANCELED", "EXPIRED"],
  CANCELED: [],
  EXPIRED: [],
};

/** The order, the ledger and the gateway always report the same amounts, and an order is charged once. */
function expectMoneyConsistent({
  paid,
  returned,
  remaining,
  ledger,
  approved,
  refundedByGateway,
}: ObservedOrder): void {
  const total = Object.values(ledger).reduce((one, other) => one + other, 0);
  expect(total, "the ledger of an order comes to nothing").toBe(0);
  expect(ledger["CLEARING"] ?? 0, "what the gateway holds").toBe(paid - returned);
  expect(remaining, "what is left").toBe(paid - returned);
  expect(returned, "what was given back").toBeLessThanOrEqual(paid);
  expect(approved.length, "charges of one order that succeeded").toBeLessThanOrEqual(1);
  expect([approved[0]?.amount ?? 0, refundedByGateway], "the gateway's own books").toEqual([paid, returned]);
}

/** The child's part of an order costs as much there, and is paid and refunded with it. */
function expectChildOrderConsistent({ amount, paid, returned, child }: ObservedOrder): void {
  if (child === null) return;
  const back = paid > 0 && returned === paid ? amount : 0;
  expect(child, "the child's order").toEqual({ amount, paid, returned: back });
}

/** States follow each other as the contract allows, and only some of them allow a charge. */
function expectAllowedTransitions({ status, transitions, orders }: ObservedSubscription): void {
  let before: string | null = null;
  for (const { from, to } of transitions) {
    expect(from, "a move begins where the last one ended").toBe(before);
    expect(allowedTransitions[from ?? "none"], `a move from ${from ?? "none"}`).toContain(to);
    before = to;
  }
  expect(status).toBe(before);
  const renewals = orders.filter(({ type }) => type === "RECURRING");
  for (const [index, { to, at }] of transitions.entries()) {
    const until = transitions[index + 1]?.at ?? Infinity;
    const renewalsInState = renewals.filter((order) => order.createdAt > at && order.createdAt < until);
    if (["UNPAID", "PAUSE", "CANCELED", "EXPIRED"].includes(to))
      expect(renewalsInState, `renewals while ${to}`).toEqual([]);
  }
}

/** Invariants after every action, checked by the service's own answers and the gateway's books only. */
export function expectInvariants(observed: readonly ObservedSubscription[]): void {
  for (const subscription of observed) {
    for (const order of subscription.orders) {
      expectMoneyConsistent(order);
      expectChildOrderConsistent(order);
    }
    expectAllowedTransitions(subscription);
  }
}

/**
 * The service is in the state of the model: each period has its one order, at its time, for its amount, with so many
 * attempts.
 */
export function expectMatchesModel(observed: ObservedSubscription, model: ModelSubscription): void {
  const { status, nextPayment, endAt } = model;
  expect({ status: observed.status, nextPayment: formatInstant(observed.nextPayment) }).toEqual({
    status,
    nextPayment: formatInstant(nextPayment),
  });
  // After its end a subscription still shows its former end date.
  if (!model.isOver) expect(formatInstant(observed.endAt), "when it ends by itself").toBe(formatInstant(endAt));
  if (model.isRunning && model.plan.isMetered)
    expect([observed.used ?? 0, observed.allowed], "units used and allowed").toEqual([model.used, model.units.allowed]);
  for (const { type, child } of observed.orders)
    expect(child !== null, "a child has a part in it").toBe(model.plan.isOfChild && type !== "PAYMENT_METHOD");
  expect(
    observed.orders.map((order) =>
      formatOrderSummary({ ...order, at: order.createdAt, declineCount: order.declined.length }),
    ),
  ).toEqual(model.orders.map(formatOrderSummary));
}

interface OrderSummary {
  type: string;
  at: number;
  amount: number;
  paid: number;
  returned: number;
  declineCount: number;
}

const formatOrderSummary = ({ type, at, amount, paid, returned, declineCount }: OrderSummary): string =>
  `${formatInstant(at)} ${type} ${amount}, paid ${paid}, returned ${returned}, declined ${declineCount}`;

const formatInstant = (at: number | null): string => (at === null ? "never" : new Date(at).toISOString());
