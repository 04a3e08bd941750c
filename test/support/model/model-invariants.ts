import { expect } from "vitest";
import type { SeenOrder, SeenSubscription } from "./observed-state.ts";
import type { ToldSubscription } from "./model-subscription.ts";

/** From which state to which a subscription may go, as the contract says; null is before it began. */
const lawful: Readonly<Record<string, readonly string[]>> = {
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

/** Whatever happens, money is told alike by the order, by the ledger and by the gateway, and an order is charged once. */
function moneyAgrees({ paid, returned, left, ledger, approved, givenBack }: SeenOrder): void {
  const total = Object.values(ledger).reduce((one, other) => one + other, 0);
  expect(total, "the ledger of an order comes to nothing").toBe(0);
  expect(ledger["CLEARING"] ?? 0, "what the gateway holds").toBe(paid - returned);
  expect(left, "what is left").toBe(paid - returned);
  expect(returned, "what was given back").toBeLessThanOrEqual(paid);
  expect(approved.length, "charges of one order that succeeded").toBeLessThanOrEqual(1);
  expect([approved[0]?.amount ?? 0, givenBack], "the gateway's own books").toEqual([paid, returned]);
}

/** What a child has of an order costs as much there, and is paid and given back with it. */
function childFollows({ amount, paid, returned, child }: SeenOrder): void {
  if (child === null) return;
  const back = paid > 0 && returned === paid ? amount : 0;
  expect(child, "the child's order").toEqual({ amount, paid, returned: back });
}

/** States follow each other as they may, and money is asked for only in those in which it may be. */
function statesAreLawful({ status, moves, orders }: SeenSubscription): void {
  let before: string | null = null;
  for (const { from, to } of moves) {
    expect(from, "a move begins where the last one ended").toBe(before);
    expect(lawful[from ?? "none"], `a move from ${from ?? "none"}`).toContain(to);
    before = to;
  }
  expect(status).toBe(before);
  const renewals = orders.filter(({ type }) => type === "RECURRING");
  for (const [index, { to, at }] of moves.entries()) {
    const until = moves[index + 1]?.at ?? Infinity;
    const within = renewals.filter((order) => order.at > at && order.at < until);
    if (["UNPAID", "PAUSE", "CANCELED", "EXPIRED"].includes(to)) expect(within, `renewals while ${to}`).toEqual([]);
  }
}

/** What holds whatever was done, judged by the service's own words and the gateway's books alone. */
export function keepsTheLaws(seen: readonly SeenSubscription[]): void {
  for (const subscription of seen) {
    for (const order of subscription.orders) {
      moneyAgrees(order);
      childFollows(order);
    }
    statesAreLawful(subscription);
  }
}

/** The service is where the model is: each period has its one order, at its time, for its sum, tried so often. */
export function isAsTold(seen: SeenSubscription, told: ToldSubscription): void {
  const { status, nextPayment, endAt } = told;
  expect({ status: seen.status, nextPayment: dayOf(seen.nextPayment) }).toEqual({
    status,
    nextPayment: dayOf(nextPayment),
  });
  // Once it is over, it is told of as it was.
  if (!told.isOver) expect(dayOf(seen.endAt), "when it ends by itself").toBe(dayOf(endAt));
  if (told.isRunning && told.plan.isMetered)
    expect([seen.used ?? 0, seen.allowed], "units used and allowed").toEqual([told.used, told.units.allowed]);
  for (const { type, child } of seen.orders)
    expect(child !== null, "a child has a part in it").toBe(told.plan.isChilds && type !== "PAYMENT_METHOD");
  expect(seen.orders.map((order) => lineOf({ ...order, declined: order.declined.length }))).toEqual(
    told.orders.map(lineOf),
  );
}

interface Line {
  type: string;
  at: number;
  amount: number;
  paid: number;
  returned: number;
  declined: number;
}

const lineOf = ({ type, at, amount, paid, returned, declined }: Line): string =>
  `${dayOf(at)} ${type} ${amount}, paid ${paid}, returned ${returned}, declined ${declined}`;

const dayOf = (at: number | null): string => (at === null ? "never" : new Date(at).toISOString());
