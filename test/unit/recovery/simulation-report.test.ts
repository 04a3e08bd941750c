import { describe, expect, test } from "vitest";
import { createCalendarCounter, countByCalendar } from "../../../src/recovery/simulation/calendar-counter.ts";
import { renderChart } from "../../../src/recovery/simulation/chart-svg.ts";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";
import { engineStrategyOf, expandPolicyName } from "../../../src/recovery/simulation/engine-strategies.ts";
import { computeWorldMetrics } from "../../../src/recovery/simulation/world-metrics.ts";
import type { WorldCases, PolicyOutcome } from "../../../src/recovery/simulation/policy-outcome.ts";
import { toInitialHistory } from "../../../src/recovery/simulation/simulation-run.ts";
import { toJsonReport } from "../../../src/recovery/simulation/json-report.ts";
import { toTextReport } from "../../../src/recovery/simulation/text-report.ts";
import { baselineNames, simulateWorld } from "../../../src/recovery/simulation/simulate-world.ts";
import { daysAfterFailedPayments, simulatedPayment, worldWith } from "../../support/fixtures/simulation-fixtures.ts";

/** Five cases: one is hard, one has as much value as the others together. */
const cases: WorldCases = {
  world: 'Cards & <tags> "here"',
  fingerprint: 1,
  hard: Uint8Array.from([0, 0, 0, 1, 0]),
  amounts: Float64Array.from([30, 10, 10, 99, 10]),
  currencies: ["USD", "USD", "USD", "USD", "USD"],
  failedAfterDays: Float64Array.from([0, 10, 30, 40, 50]),
};

const outcome = (name: string, baseline: boolean, days: number[], tries: number[]): PolicyOutcome => ({
  ...{ name, label: `Label of ${name}`, baseline, firstBreach: null, model: null },
  days: Float64Array.from(days),
  tries: Uint16Array.from(tries),
  breaches: new Uint16Array(days.length),
  predictions: { probability: new Float64Array(), approved: new Uint8Array(), index: new Uint32Array() },
});

const ladder = outcome("ladder-1-3-5-10-14", true, [NaN, 3, NaN, NaN, NaN], [5, 2, 5, 0, 5]);
const smart = outcome("SMART-4", false, [12, 3, NaN, 9, NaN], [4, 2, 4, 1, 4]);
const seen = computeWorldMetrics(cases, [ladder, smart]);

describe("figures", () => {
  test("count open cases in the denominator and hard declines in none", () => {
    const [, of] = seen.policies;
    expect(seen).toMatchObject({ name: cases.world, cases: 5, hard: 1 });
    expect(of!.recoveredByCount.value).toBe(2 / 4);
    expect(of!.recoveredByValue.value).toBeCloseTo(40 / 60, 10);
    expect(of!.triesPerCase.value).toBe(14 / 4);
    expect(of!.daysMedian!.value).toBe(3);
    expect(of!.daysP90!.value).toBe(12);
    expect(of!.within10Days.value).toBe(1 / 4);
    expect(of!.hardRecovered.value).toBe(1);
    expect(of!.tries).toBe(15);
  });

  test("compare policies on the same payments, in points", () => {
    const [difference, ...more] = seen.differences;
    expect(more).toEqual([]);
    expect(difference).toMatchObject({ of: "SMART-4", minus: ladder.name, points: { value: 25 } });
    expect(difference!.triesRatio).toBeCloseTo(14 / 17, 10);
  });

  test("weigh amounts within their currency", () => {
    const mixed = {
      ...cases,
      amounts: Float64Array.from([30_000, 10, 10_000, 99, 10]),
      currencies: ["KRW", "USD", "KRW", "USD", "USD"],
    };
    // 30,000 of 40,000 won and 10 of 20 dollars, each currency weighing its two cases.
    expect(computeWorldMetrics(mixed, [smart]).policies[0]!.recoveredByValue.value).toBeCloseTo(
      (2 * 0.75 + 2 * 0.5) / 4,
      10,
    );
  });
});

describe("what a learned policy knew", () => {
  const predictions = {
    probability: Float64Array.from([0.5, 0.5, 0.5, 0.5]),
    approved: Uint8Array.from([1, 1, 1, 1]),
    index: Uint32Array.from([0, 1, 2, 3]),
  };
  const [one, other] = [
    { ...smart, model: "of the first", predictions },
    { ...outcome("SMART-4", false, [NaN, 3, NaN, NaN, NaN], [4, 2, 4, 0, 4]), model: "of the second" },
  ];
  const learned = computeWorldMetrics(cases, [ladder, one], { otherHistories: [other], tryPrice: 1 });

  test("has the figures of each history, and its model", () => {
    expect(learned.policies[0]!.histories).toEqual([]);
    expect(learned.policies[1]!.histories).toMatchObject([
      { model: "of the first", recoveredByCount: { value: 0.5 }, triesPerCase: { value: 3.5 } },
      { model: "of the second", recoveredByCount: { value: 0.25 }, calibrationError: null },
    ]);
    expect(learned.policies[1]!.histories[0]!.calibrationError!.value).toBe(0.5);
    expect(toJsonReport([learned]).worlds[0]!.policies[1]!.histories).toEqual([
      { model: "of the first", recoveredByCount: 0.5, triesPerCase: 3.5, calibrationError: 0.5 },
      { model: "of the second", recoveredByCount: 0.25, triesPerCase: 3.5, calibrationError: null },
    ]);
    const text = toTextReport([learned]).join("\n");
    expect(text).toMatch(/SMART-4, history 1, model of the first +50\.0 .*calibration error 0\.500/);
    expect(text).toMatch(/failed in the first 30 days 100\.0 .*, later 0\.0/);
    expect(text).toMatch(/SMART-4, history 2, model of the second +25\.0/);
  });

  test("is worth what its tries leave of the recovered value", () => {
    // Of 60 dollars 40 were recovered by 14 tries of a dollar each, and 10 by 17.
    expect(learned.policies.map(({ netValue }) => netValue!.value)).toEqual([
      expect.closeTo((10 - 17) / 60, 10),
      expect.closeTo((40 - 14) / 60, 10),
    ]);
    expect(toTextReport([learned])[1]).toMatch(/net value %$/);
    expect(toTextReport([seen])[1]).not.toContain("net value");
  });
});

test("the JSON has exactly the agreed fields", () => {
  const { worlds } = JSON.parse(JSON.stringify(toJsonReport([seen])));
  expect(Object.keys(worlds[0])).toEqual(["name", "cases", "policies", "differences"]);
  expect(worlds[0].policies[1]).toEqual({
    name: "SMART-4",
    recoveredByCount: 0.5,
    recoveredByValue: 0.666667,
    triesPerCase: 3.5,
    daysMedian: 3,
    daysP90: 12,
    within10Days: 0.25,
    breaches: 0,
    calibrationError: null,
    interval: [0.150039, 0.849961],
    netValue: null,
    recoveredFirst30Days: 1,
    recoveredLater: 0,
    histories: [],
  });
  expect(worlds[0].differences).toEqual([
    {
      of: "SMART-4",
      minus: "ladder-1-3-5-10-14",
      points: 25,
      interval: [-23.9991, 73.9991].map((bound) => expect.closeTo(bound, 3)),
      triesRatio: 0.823529,
    },
  ]);
});

test("the text names hard declines, the best schedule and every breach", () => {
  const broken = { ...ladder, breaches: Uint16Array.from([1, 0, 0, 0, 0]), firstBreach: "payment 0: Visa" };
  const text = toTextReport([computeWorldMetrics(cases, [broken, smart])]).join("\n");
  expect(text).toContain("5 failed payments, 1 of them hard declines");
  expect(text).toMatch(/SMART-4 +50\.0 \[15\.0 85\.0\] +66\.7/);
  expect(text).toMatch(/SMART-4 minus ladder-1-3-5-10-14 \(best ladder\) +25\.0 .* 0\.82 times its tries/);
  expect(text).toContain("32 tries in all, 1 breaches.");
  expect(text).toContain("The first breach of ladder-1-3-5-10-14: payment 0: Visa");
});

test("the chart is one image with a text alternative", () => {
  const chart = renderChart([seen, seen, seen]);
  expect(chart).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*role="img"/);
  expect(chart).toContain("<title>Of 100 failed payments, how many are paid in the end</title>");
  expect(chart).toContain("Cards &#38; &#60;tags&#62; &#34;here&#34;");
  expect(chart).not.toMatch(/NaN|undefined|<tags>/);
  expect(chart.match(/Label of SMART-4<\/text>/g)).toHaveLength(3);
  expect(chart).toContain(">50.0</tspan>");
});

describe("policies by name", () => {
  test.each([
    ["ladder", ["LADDER"]],
    ["SMART", ["SMART-4", "SMART-8"]],
    ["even-6/21", ["EVEN-6/21"]],
    ["LADDER-1-3-7", ["LADDER-1-3-7"]],
    ["LADDER-3-1", undefined],
    ["EVEN-0", undefined],
    ["EVEN-4/90", undefined],
    ["best", undefined],
  ])("%s", (word, names) => {
    expect(expandPolicyName(word)).toEqual(names);
  });

  test("retry at their own times", () => {
    const days = (name: string, now: number) =>
      engineStrategyOf(name)!.next(toInitialHistory(simulatedPayment(0, 0), 0), daysAfterFailedPayments(now))?.at;
    expect(days("LADDER-2-9", 0)).toEqual(daysAfterFailedPayments(2));
    expect(days("LADDER-2-9", 5)).toEqual(daysAfterFailedPayments(9));
    expect(days("EVEN-4/20", 0)).toEqual(daysAfterFailedPayments(5));
  });
});

test("every report has the baselines", () => {
  expect(baselineNames).toEqual([
    "ladder-3-5-5",
    "ladder-3-5-7",
    "ladder-8-8-8",
    "ladder-2-5-7-7",
    "ladder-1-3-5-10-14",
    "even-4",
    "even-8",
    "daily",
    "calendar-counter",
    "clairvoyant",
  ]);
});

test.each([
  ["ladder-3-5-5", [3, 8, 13]],
  ["ladder-3-5-7", [3, 8, 15]],
  ["ladder-8-8-8", [8, 16, 24]],
  ["ladder-2-5-7-7", [2, 7, 14, 21]],
  ["ladder-1-3-5-10-14", [1, 3, 5, 10, 14]],
  ["even-4", [7, 14, 21, 28]],
  ["even-8", [3.5, 7, 10.5, 14, 17.5, 21, 24.5, 28]],
])("%s retries on days %j", (name, days) => {
  const one = simulatedPayment(60, 61);
  simulateWorld(
    worldWith(() => one),
    name,
    { cases: 1, seed: 1, history: 0 },
  );
  expect(one.asked).toEqual(days.map(daysAfterFailedPayments));
});

describe("the calendar counter", () => {
  /** Charges succeed on Wednesdays from 02:00 to 03:00 UTC, whatever the code, and for one code on Fridays. */
  const works = (code: string) => (at: Date) => at.getUTCDay() === (code === "51" ? 3 : 5) && at.getUTCHours() === 2;
  const paid = (code: string, index: number) => {
    const failedAt = daysAfterFailedPayments(index / 50);
    return simulatedPayment(0, 0, {
      failedAt,
      code,
      attempt: (at) => (works(code)(at) ? { approved: true } : { approved: false, code }),
    });
  };
  const history = Array.from({ length: 4_000 }, (_, index) => paid(index % 2 ? "51" : "05", index));
  const counter = createCalendarCounter(countByCalendar({ payments: history, chance: new RandomSource(1) }, [1]));
  const next = (code: string) =>
    counter.next(toInitialHistory(simulatedPayment(0, 0, { code }), 0), daysAfterFailedPayments(0))!;

  test("learns each code's own times, in UTC", () => {
    expect(works("51")(next("51").at)).toBe(true);
    expect(works("05")(next("05").at)).toBe(true);
    expect(next("51").at < daysAfterFailedPayments(8)).toBe(true);
    // One hour of a week is one of 168: a retry at random succeeds less than once in a hundred.
    expect(next("51").probability).toBeGreaterThan(0.02);
  });

  test("uses all codes together for an unseen one, and spends a retry a week", () => {
    expect([3, 5]).toContain(next("61").at.getUTCDay());
    const story = toInitialHistory(simulatedPayment(0, 0), 0);
    const times: Date[] = [];
    for (
      let wanted = counter.next(story, daysAfterFailedPayments(0));
      wanted;
      wanted = counter.next(story, wanted.at)
    ) {
      times.push(wanted.at);
      story.used = wanted.at;
      story.declines.push({ at: wanted.at, code: "51" });
    }
    expect(times).toHaveLength(4);
    expect(
      times.map((at) => Math.floor((at.getTime() - daysAfterFailedPayments(0).getTime()) / (7 * 86_400_000))),
    ).toEqual([0, 1, 2, 3]);
  });

  test("ends when a decline requires it, like every policy", () => {
    expect(
      counter.next(toInitialHistory(simulatedPayment(0, 0, { code: "41" }), 0), daysAfterFailedPayments(0)),
    ).toBeNull();
  });

  test("learns from other worlds when they are given", () => {
    const world = (day: number) =>
      worldWith(() =>
        simulatedPayment(0, 0, {
          attempt: (at) => (at.getUTCDay() === day ? { approved: true } : { approved: false, code: "51" }),
        }),
      );
    const rate = (training: number[]) => {
      const { outcome } = simulateWorld(
        world(2),
        "calendar-counter",
        { cases: 300, seed: 2, history: 0 },
        { worlds: training.map(world), prior: null, priorWorlds: [] },
      );
      return outcome.tries[0];
    };
    expect(rate([])).toBe(1);
    expect(rate([5])).toBe(4);
  });
});
