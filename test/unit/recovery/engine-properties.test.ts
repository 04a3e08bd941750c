import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Network } from "../../../schema/vocabulary.ts";
import { toAmount } from "../../../src/kernel/amounts.ts";
import { addDurationInZone } from "../../../src/kernel/instants.ts";
import { zoneRulesAround } from "../../../src/kernel/zone-rules.ts";
import type { OtherAttempt, CaseAttempt, RecoveryCase } from "../../../src/recovery/engine/recovery-case.ts";
import { decideRetry } from "../../../src/recovery/engine/decide-retry.ts";
import type { Decision } from "../../../src/recovery/engine/decision.ts";
import { addLocalDays, minuteOfDay } from "../../../src/recovery/engine/local-time.ts";
import {
  defaultPolicy,
  createPolicy,
  type Policy,
  type QuietHoursWindow,
} from "../../../src/recovery/engine/policy.ts";
import { replayStoredDecision, toDecisionInputs, toStoredJson } from "../../../src/recovery/engine/decision-record.ts";
import { currentRulebook, earliestLegalTime } from "../../../src/recovery/engine/rulebook.ts";
import { brokenNetworkRules } from "../../support/network-rule-oracle.ts";
import { recoveryCaseWith } from "../../support/fixtures/recovery-cases.ts";
import { assertProperty, PROPERTY_SEED } from "../../support/property-tests.ts";

const HOUR = 3_600_000;
const zones = ["Asia/Seoul", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Africa/Casablanca", "UTC"];
const someZone = fc.constantFrom(...zones);
/** Two years, across the day on which a limit of Visa's changed. */
const someInstant = fc.integer({ min: Date.UTC(2025, 2, 1), max: Date.UTC(2027, 2, 1) }).map((ms) => new Date(ms));

type Said = Pick<CaseAttempt, "code" | "message" | "adviceCode" | "initiator">;

const someDecline: fc.Arbitrary<Said> = fc.record({
  code: fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom("51", "61", "65", "05", "91", "59", "83", "62", "52", "Q7", null) },
    { weight: 1, arbitrary: fc.constantFrom("54", "55", "41", "R1", "94") },
  ),
  message: fc.constant(null),
  adviceCode: fc.oneof(
    { weight: 40, arbitrary: fc.constant(null) },
    { weight: 6, arbitrary: fc.constantFrom("02", "24", "25", "26", "27", "28", "29", "30", "40") },
    { weight: 1, arbitrary: fc.constantFrom("01", "03", "21") },
  ),
  initiator: fc.constantFrom("MERCHANT", "CUSTOMER"),
});
/** A decline that ends nothing and asks for no delay of its own: only counts bind. */
const plainDecline: fc.Arbitrary<Said> = fc.record({
  code: fc.constantFrom("51", "05"),
  message: fc.constant(null),
  adviceCode: fc.constantFrom(null, "24"),
  initiator: fc.constant("MERCHANT"),
});
const someNetwork = fc.constantFrom("VISA", "MASTERCARD", "AMEX", "OTHER", "SEPA", "ACH", null);
const someQuiet = fc.option(
  fc.record({ from: fc.nat(1_439), until: fc.nat(1_439) }).filter(({ from, until }) => from !== until),
);
const daily = createPolicy("daily", { kind: "LADDER", offsetsInDays: Array.from({ length: 28 }, (_, day) => day + 1) });
const somePlan = fc.oneof(
  fc.record({
    kind: fc.constantFrom("EVEN" as const, "SMART" as const),
    tries: fc.integer({ min: 1, max: 60 }),
    windowInDays: fc.oneof(fc.constantFrom(1, 2), fc.integer({ min: 1, max: 90 })),
  }),
  fc
    .uniqueArray(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 60 })
    .map((days) => ({ kind: "LADDER" as const, offsetsInDays: days.sort((a, b) => a - b) })),
);
/** Any terms that a merchant may activate, with overrides that switch the plan from one decline to the next. */
const anyPolicy = fc
  .record({
    plan: somePlan,
    quietHours: someQuiet,
    overrides: fc.array(
      fc.record({
        country: fc.constantFrom("KR", "US", null),
        reasonClass: fc.constantFrom("INSUFFICIENT_FUNDS", "GENERIC_REFUSAL", "TECHNICAL", "UNKNOWN", null),
        plan: somePlan,
      }),
      { maxLength: 4 },
    ),
  })
  .map((terms): Policy => createPolicy("any", terms.plan, terms));
const somePolicy = fc
  .tuple(
    fc.constantFrom<Policy>(
      defaultPolicy,
      daily,
      createPolicy("even-8", { kind: "EVEN", tries: 8, windowInDays: 28 }),
      createPolicy("even-60", { kind: "EVEN", tries: 60, windowInDays: 30 }),
      createPolicy("smart-20", { kind: "SMART", tries: 20, windowInDays: 10 }),
    ),
    someQuiet,
  )
  .map(([policy, quietHours]): Policy => ({ ...policy, quietHours }));

/** A case and the result of each of its retries; `besides` are attempts that the merchant makes off the schedule. */
const someWalk = fc.record({
  zoneId: someZone,
  start: someInstant,
  network: someNetwork,
  country: fc.constantFrom("KR", "US", "DE", null),
  policy: somePolicy,
  besides: fc.oneof(
    fc.array(fc.tuple(fc.integer({ min: 0, max: 40 * 24 }), someDecline), { maxLength: 12 }),
    fc.array(fc.tuple(fc.integer({ min: 0, max: 24 }), plainDecline), { minLength: 8, maxLength: 14 }),
    fc.array(fc.tuple(fc.integer({ min: 0, max: 300 }), plainDecline), { minLength: 13, maxLength: 45 }),
  ),
  declines: fc.oneof(
    fc.array(someDecline, { minLength: 1, maxLength: 30 }),
    fc.array(plainDecline, { minLength: 20, maxLength: 40 }),
  ),
});
/** Unusual behaviour that is possible: other cards on other networks from attempt to attempt, under any policy. */
const nastyWalk = fc
  .tuple(someWalk, anyPolicy, fc.array(someNetwork, { minLength: 1, maxLength: 5 }))
  .map(([walk, policy, networks]): Walk => ({ ...walk, policy, networks }));
type Walk = typeof someWalk extends fc.Arbitrary<infer W> ? W & { networks?: (Network | null)[] } : never;

interface Step {
  facts: RecoveryCase;
  decision: Decision;
  now: Date;
}

/** Runs a case as a gateway does, and reports every decision to the callback. */
function live({ zoneId, start, network, networks = [network], country, policy, besides, declines }: Walk): Step[] {
  const steps: Step[] = [];
  let turn = 0;
  const attemptAt = (at: Date, decline: Said): CaseAttempt => ({
    ...decline,
    network: networks[turn++ % networks.length]!,
    at,
  });
  const said = [...declines];
  const off = besides.map(([hours, decline]) => attemptAt(new Date(start.getTime() + hours * HOUR), decline));
  off.sort((a, b) => a.at.getTime() - b.at.getTime());
  const attempts = [attemptAt(start, said.shift()!)];
  let facts = recoveryCaseWith({ windowStart: start, country, attempts: [...attempts] }, zoneId);
  let now = start;
  for (;;) {
    const decision = decideRetry(facts, policy, currentRulebook, null, now);
    steps.push({ facts, decision, now });
    const { retryAt } = decision;
    if (!retryAt) return steps;
    const early = off[0] && off[0].at < retryAt && off[0].at >= now ? off.shift()! : undefined;
    const next = early ?? (said.length > 0 ? attemptAt(retryAt, said.shift()!) : undefined);
    if (!next) return steps;
    attempts.push(next);
    now = next.at;
    facts = { ...facts, attempts: [...attempts], promised: early ? retryAt : null, used: early ? null : retryAt };
  }
}

describe(`for any history (seed ${PROPERTY_SEED})`, () => {
  test("no answer of any policy breaks a rule of the networks", () => {
    let answers = 0;
    const bound = new Set<string | null>();
    assertProperty(
      someWalk,
      (walk) => {
        for (const { facts, decision } of live(walk)) {
          if (!decision.retryAt) continue;
          answers++;
          bound.add(decision.floorRow);
          expect(brokenNetworkRules(facts.attempts, decision.retryAt)).toEqual([]);
        }
      },
      1_500,
    );
    expect([...bound]).toEqual(
      expect.arrayContaining([
        "visa-15-in-30-days",
        "visa-20-in-30-days",
        "mastercard-10-in-24-hours",
        "mastercard-35-in-30-days",
        "mastercard-advice-30",
      ]),
    );
    expect(answers).toBeGreaterThan(10_000);
  });

  test("nor does an answer of any valid merchant policy, on cards of several networks", () => {
    let answers = 0;
    assertProperty(
      nastyWalk,
      (walk) => {
        for (const { facts, decision } of live(walk)) {
          if (!decision.retryAt) continue;
          answers++;
          expect(brokenNetworkRules(facts.attempts, decision.retryAt)).toEqual([]);
        }
      },
      1_500,
    );
    expect(answers).toBeGreaterThan(10_000);
  });

  test("an answer is after now, later retries are after it, and quiet hours apply to all of them", () => {
    const isQuiet = (quiet: QuietHoursWindow, minute: number) =>
      quiet.from < quiet.until
        ? minute >= quiet.from && minute < quiet.until
        : minute >= quiet.from || minute < quiet.until;
    let outsideQuietHours = 0;
    assertProperty(fc.oneof(someWalk, nastyWalk), (walk: Walk) => {
      for (const { facts, decision, now } of live(walk)) {
        if (!decision.retryAt) expect([decision.alternatives, decision.endReason]).toEqual([[], expect.any(String)]);
        else expect(decision.retryAt > now).toBe(true);
        const times = [decision.retryAt ?? now, ...decision.alternatives.map(({ at }) => at)];
        for (const [index, time] of times.entries()) if (index > 0) expect(time > times[index - 1]!).toBe(true);
        const { quietHours } = walk.policy;
        const chosen = times.slice(decision.retryAt && !facts.promised ? 0 : 1);
        if (!quietHours) continue;
        for (const time of chosen) expect(isQuiet(quietHours, minuteOfDay(time, facts.zone))).toBe(false);
        outsideQuietHours += chosen.length;
      }
    });
    expect(outsideQuietHours).toBeGreaterThan(1_000);
  });

  test("the same facts give the same decision, and are not changed", () => {
    assertProperty(
      someWalk,
      (walk) => {
        for (const { facts, decision, now } of live(walk)) {
          const before = JSON.stringify(facts);
          expect(decideRetry(facts, walk.policy, currentRulebook, null, now)).toEqual(decision);
          expect(JSON.stringify(facts)).toBe(before);
        }
      },
      100,
    );
  });

  test("the first legal instant is legal, and none before it is, from hour to hour", () => {
    assertProperty(
      someWalk,
      (walk) => {
        const { facts } = live(walk).at(-1)!;
        const last = facts.attempts.at(-1)!.at;
        const candidate = new Date(last.getTime() + HOUR);
        const legal = earliestLegalTime(facts.attempts, candidate, currentRulebook);
        if (legal.at)
          expect(earliestLegalTime(facts.attempts, legal.at, currentRulebook)).toEqual({
            at: legal.at,
            row: null,
            others: 0,
          });
        const end = legal.at?.getTime() ?? candidate.getTime() + 90 * 24 * HOUR;
        for (let at = candidate.getTime(); at < end; at += 7 * HOUR)
          expect(brokenNetworkRules(facts.attempts, new Date(at)).length).toBeGreaterThan(0);
      },
      200,
    );
  });
});

/** Other attempts with the card, before the case and during it: of the same amount, of another, in another currency. */
const otherTries = (from: number, until: number, minLength: number) =>
  fc.array(
    fc.record({
      hours: fc.integer({ min: from, max: until }),
      network: fc.oneof({ weight: 4, arbitrary: fc.constantFrom("VISA" as const, "MASTERCARD" as const) }, someNetwork),
      initiator: fc.oneof({ weight: 4, arbitrary: fc.constant("MERCHANT" as const) }, fc.constant("CUSTOMER" as const)),
      price: fc.constantFrom("18900", "18900", "18900.00", "5000"),
      currency: fc.constantFrom("KRW", "KRW", "KRW", "USD"),
    }),
    { minLength, maxLength: 90 },
  );
const someAlongside = fc.oneof(otherTries(-45 * 24, 45 * 24, 0), otherTries(-30, 60, 20), otherTries(0, 60, 50));

/**
 * Runs a case whose card is charged for other orders too. Attempts made after a date was answered are only known when
 * the date has come: then the engine decides again, and its answer is the time of the retry, a later date, or the end.
 */
function liveTogether(walk: Walk, told: readonly OtherAttempt[]): (Step & { isMade: boolean })[] {
  const { zoneId, start, network, country, policy, declines } = walk;
  const known = (now: Date) => told.filter(({ at }) => at <= now);
  const said = declines.map((decline) => ({ ...decline, network }));
  const attempts = [{ ...said.shift()!, at: start }];
  const steps: (Step & { isMade: boolean })[] = [];
  const ask = (now: Date, rest: Partial<RecoveryCase>): Date | null => {
    const facts = recoveryCaseWith(
      { windowStart: start, country, attempts: [...attempts], alongside: known(now), ...rest },
      zoneId,
    );
    const decision = decideRetry(facts, policy, currentRulebook, null, now);
    steps.push({ facts, decision, now, isMade: decision.retryAt?.getTime() === now.getTime() });
    return decision.retryAt;
  };
  for (let retryAt = ask(start, {}); retryAt && steps.length < 300;) {
    const due = retryAt;
    const again = ask(due, { due });
    if (again?.getTime() !== due.getTime()) retryAt = again;
    else if (said.length === 0) break;
    else {
      attempts.push({ ...said.shift()!, at: due });
      retryAt = ask(due, { used: due });
    }
  }
  return steps;
}

const togetherWalk = fc
  .tuple(fc.oneof(someWalk, nastyWalk), someAlongside)
  .map(([walk, others]): { walk: Walk; told: OtherAttempt[] } => ({
    walk,
    told: others
      .map(({ hours, price, ...one }): OtherAttempt => ({
        ...one,
        at: new Date(walk.start.getTime() + hours * HOUR),
        amount: toAmount(price),
      }))
      .sort((a, b) => a.at.getTime() - b.at.getTime()),
  }));

describe(`for any other charges of a card (seed ${PROPERTY_SEED})`, () => {
  test("no retry breaks a rule, and no legal retry is delayed by other attempts", () => {
    const seen = { made: 0, moved: 0, ended: 0 };
    const bound = new Set<string | null>();
    assertProperty(
      togetherWalk,
      ({ walk, told }) => {
        for (const { facts, decision, now, isMade } of liveTogether(walk, told)) {
          const { retryAt } = decision;
          const alike = facts.alongside.filter(({ amount, currency }) => amount.eq(18_900) && currency === "KRW");
          const breaches = (at: Date) => brokenNetworkRules(facts.attempts, at, facts.alongside, alike);
          if (retryAt) expect(breaches(retryAt)).toEqual([]);
          if (facts.due && breaches(now).length === 0 && decision.endReason === null) expect(isMade).toBe(true);
          if (isMade) seen.made++;
          if (facts.due && !isMade) seen[retryAt ? "moved" : "ended"]++;
          const others = decision.effects.filter((effect) => effect.others);
          for (const { by, others: counted } of others) {
            bound.add(by);
            expect(counted).toBeLessThanOrEqual(facts.alongside.length);
          }
        }
      },
      1_000,
    );
    expect([...bound]).toEqual(
      expect.arrayContaining([
        "visa-15-in-30-days",
        "visa-20-in-30-days",
        "mastercard-10-in-24-hours",
        "mastercard-35-in-30-days",
      ]),
    );
    expect(seen.made).toBeGreaterThan(3_000);
    expect(Math.min(seen.moved, seen.ended)).toBeGreaterThan(100);
  });

  test("each decision follows from its stored facts", () => {
    assertProperty(
      togetherWalk,
      ({ walk, told }) => {
        for (const { facts, decision, now } of liveTogether(walk, told)) {
          const inputs = toStoredJson(toDecisionInputs(facts, walk.policy, now));
          expect(replayStoredDecision(inputs, null)).toEqual(decision);
        }
      },
      100,
    );
  });
});

/** The oracle for local days. */
const byCalendar = (from: Date, days: number, zoneId: string): Date => addDurationInZone(from, `P${days}D`, zoneId);

test(`local days are those of the calendar, in gaps and overlaps too (seed ${PROPERTY_SEED})`, () => {
  const cases = fc.record({ zoneId: someZone, at: someInstant, days: fc.integer({ min: 0, max: 300 }) });
  assertProperty(
    cases,
    ({ zoneId, at, days }) => {
      expect(addLocalDays(at, days, zoneRulesAround(zoneId, at))).toEqual(byCalendar(at, days, zoneId));
    },
    3_000,
  );
  const night = (hour: number, date: string, days: number) => {
    const at = new Date(Date.parse(date) + hour * HOUR);
    for (const zoneId of zones)
      expect(addLocalDays(at, days, zoneRulesAround(zoneId, at))).toEqual(byCalendar(at, days, zoneId));
  };
  for (const date of ["2026-03-07", "2026-03-28", "2026-10-24", "2026-10-31", "2026-02-14", "2026-03-21", "2026-04-04"])
    for (let hour = 0; hour < 24; hour += 0.25) for (const days of [1, 2, 8]) night(hour, date, days);
});
