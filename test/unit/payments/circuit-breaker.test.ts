import { beforeEach, expect, test } from "vitest";
import { CircuitBreaker } from "../../../src/payments/gateways/circuit-breaker.ts";

const rules = { faultThreshold: 3, initialOpenMs: 10_000, maxOpenMs: 25_000 };

let now: number;
let breaker: CircuitBreaker;
beforeEach(() => {
  now = 1_000_000;
  breaker = new CircuitBreaker(rules, () => now);
});

const fail = (times: number): void => {
  for (let fault = 0; fault < times; fault++) breaker.recordFailure();
};

/** Waits for the end of the open phase. @returns whether the breaker let a trial through then, and not just before. */
const openPhaseEndsAfter = (milliseconds: number): boolean => {
  now += milliseconds - 1;
  const isOpen = !breaker.allowsCall();
  now += 1;
  return isOpen && breaker.allowsCall();
};

test("a breaker opens after so many consecutive faults, and no sooner", () => {
  fail(2);
  expect(breaker.allowsCall()).toBe(true);
  fail(1);
  expect(breaker.allowsCall()).toBe(false);
});

test("a success between faults starts their count again", () => {
  fail(2);
  breaker.recordSuccess();
  fail(2);
  expect(breaker.allowsCall()).toBe(true);
});

test("an open breaker lets one trial through at a time", () => {
  fail(3);
  expect(openPhaseEndsAfter(10_000)).toBe(true);
  expect([breaker.allowsCall(), breaker.allowsCall()]).toEqual([false, false]);
});

test("each failed trial doubles the open phase, up to its limit", () => {
  fail(3);
  for (const openMs of [10_000, 20_000, 25_000, 25_000]) {
    expect(openPhaseEndsAfter(openMs)).toBe(true);
    breaker.recordFailure();
  }
});

test("a failure of a call that began before the breaker opened does not lengthen the open phase", () => {
  fail(3);
  now += 5_000;
  fail(1);
  expect(openPhaseEndsAfter(10_000)).toBe(true);
});

test("a trial that succeeds closes the breaker, and the next open phase is short again", () => {
  fail(3);
  expect(openPhaseEndsAfter(10_000)).toBe(true);
  breaker.recordFailure();
  expect(openPhaseEndsAfter(20_000)).toBe(true);
  breaker.recordSuccess();
  expect([breaker.allowsCall(), breaker.allowsCall()]).toEqual([true, true]);
  fail(3);
  expect(openPhaseEndsAfter(10_000)).toBe(true);
});
