import { describe, expect, test } from "vitest";
import { firstOf, itemAt, lastOf } from "../../../src/kernel/required-values.ts";
import { RandomSource } from "../../../src/recovery/simulation/random-source.ts";
import { driftFiguresOf, halfWidthOfMean } from "../../../src/recovery/model-trust/drift-figures.ts";
import {
  addResult,
  DRIFT_TOLERANCE,
  newDriftState,
  type DriftState,
  type ForecastResult,
} from "../../../src/recovery/model-trust/drift-test.ts";
import { countedShare, countResult, type ResultCounts } from "../../../src/recovery/model-trust/counting-rates.ts";
import { inForm, isLong } from "../../support/test-form.ts";

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const classes = ["INSUFFICIENT_FUNDS", "GENERIC_REFUSAL", "TECHNICAL"] as const;

/** A forecast with what counting says about it, before its result is known. */
interface Forecast extends Omit<ForecastResult, "approved"> {
  counted: number;
}

/**
 * Results of a year, until the test gives the model up. The model's probabilities differ by class, attempt and hour; `truth` is the
 * probability by which an attempt is approved.
 */
function liveThrough(
  seed: number,
  attemptsADay: number,
  days: number,
  truth: (forecast: Forecast, day: number) => number,
) {
  const random = new RandomSource(seed);
  const state = newDriftState();
  let attempts = 0;
  for (let day = 0; day < days; day++)
    for (let number = 0; number < attemptsADay; number++) {
      const [ofClass, attempt] = [Math.floor(random.next() * 3), 1 + Math.floor(random.next() * 6)];
      const hour = random.next();
      const forecast = {
        at: new Date(START + (day + (number + random.next()) / attemptsADay) * DAY),
        probability: Math.round(1e6 * (0.5 - 0.1 * ofClass) * (1 - attempt / 10) * (0.4 + 1.2 * hour)) / 1e6,
        reasonClass: classes[ofClass]!,
        attempt,
      };
      const counted = countedShare(state.counts, forecast.reasonClass, attempt);
      const approved = random.next() < truth({ ...forecast, counted }, day);
      attempts++;
      const reason = addResult(state, { ...forecast, approved });
      if (reason) return { reason, day, attempts, state };
    }
  return { reason: null, day: days, attempts, state };
}

const right = ({ probability }: Forecast) => probability;
/** The worst that the tolerance allows: each probability is wrong by it, on the side that counting believes in. */
const barelyRight = ({ probability, counted }: Forecast) =>
  Math.min(probability + DRIFT_TOLERANCE, Math.max(probability - DRIFT_TOLERANCE, counted));
const [YEARS, ATTEMPTS_A_DAY] = [inForm(20, 200), inForm(10, 30)];
const alarmsOf = (truth: (forecast: Forecast) => number, attemptsADay: number): number =>
  Array.from({ length: YEARS }, (_, seed) => liveThrough(seed, attemptsADay, 365, truth)).filter(({ reason }) => reason)
    .length;

describe("the drift test", () => {
  test.each([
    ["right", right, ATTEMPTS_A_DAY],
    ["wrong by the tolerance, where counting bets", barelyRight, ATTEMPTS_A_DAY],
    ["wrong by the tolerance everywhere", ({ probability }: Forecast) => probability + DRIFT_TOLERANCE, ATTEMPTS_A_DAY],
    ["right for a vendor of one attempt a day", right, 1],
  ])("gives up a model that is %s in at most 5 % of years", (name, truth, attemptsADay) => {
    const alarms = alarmsOf(truth, attemptsADay);
    if (isLong) process.stdout.write(`${name}: ${alarms} of ${YEARS} years\n`);
    expect(alarms / YEARS).toBeLessThanOrEqual(0.05);
  });

  test.each([
    ["every chance is halved", ({ probability }: Forecast) => probability / 2],
    ["good hours become bad", ({ probability }: Forecast) => Math.max(0.02, 0.45 - probability)],
    ["only class and attempt tell", ({ counted }: Forecast) => counted],
  ])("gives a model up within a month, after 100 good days, when %s", (name, turned) => {
    const lives = Array.from({ length: inForm(5, 100) }, (_, seed) =>
      liveThrough(1000 + seed, 30, 400, (forecast, day) => (day < 100 ? forecast.probability : turned(forecast))),
    );
    const days = lives.map(({ day }) => day - 100).sort((a, b) => a - b);
    if (isLong)
      process.stdout.write(
        `${name}: after ${itemAt(days, days.length >> 1)} days in the median, ${lastOf(days)} at most\n`,
      );
    expect(lives.filter(({ reason }) => reason === null)).toEqual([]);
    expect(firstOf(days)).toBeGreaterThanOrEqual(0);
    expect(itemAt(days, days.length >> 1)).toBeLessThanOrEqual(30);
  });

  test("keeps the results of 30 days at most, in numbers that JSON can hold", () => {
    const state = newDriftState();
    const random = new RandomSource(3);
    for (let number = 0; number < 4000; number++) {
      // Out of order by up to three days, with forecasts that are certain, and now and then none at all.
      const at = new Date(START + (number / 40 + 3 * random.next()) * DAY);
      const probability = [0, 1, 0.3, NaN, -1][number % 5]!;
      const approved = probability > random.next();
      addResult(state, { at, probability, approved, reasonClass: null, attempt: 1 + (number % 40) });
      expect(state.windows.length).toBeLessThanOrEqual(3);
    }
    const stored: DriftState = JSON.parse(JSON.stringify(state));
    expect(stored).toEqual(state);
    const figures = driftFiguresOf(stored)!;
    expect(Object.values(figures).flatMap((one) => (typeof one === "number" ? one : Object.values(one)))).toSatisfy(
      (all: number[]) => all.every(Number.isFinite),
    );
    expect(figures.attempts).toBeLessThanOrEqual(33 * 24);
    expect(driftFiguresOf(newDriftState())).toBeNull();
  });
});

test("the bounds of the mean error hold at all times of a month in 95 % of months", () => {
  const months = inForm(100, 1000);
  let missed = 0;
  for (let month = 0; month < months; month++) {
    const random = new RandomSource(7, month);
    let sum = 0;
    for (let count = 1; count <= 900; count++) {
      sum += (random.next() < 0.5 ? 1 : 0) - 0.5;
      if (Math.abs(sum / count) <= halfWidthOfMean(count)) continue;
      missed++;
      break;
    }
  }
  expect(missed / months).toBeLessThanOrEqual(0.05);
});

test("counting draws a rare attempt's share to that of its class, and forgets old results", () => {
  const counts: ResultCounts = {};
  for (let number = 0; number < 400; number++) countResult(counts, "TECHNICAL", 1, number % 4 !== 0);
  expect(countedShare(counts, "TECHNICAL", 1)).toBeCloseTo(0.75, 1);
  expect(countedShare(counts, "TECHNICAL", 9)).toBeCloseTo(0.75, 1);
  expect(countedShare({}, null, 1)).toBeCloseTo(0.25, 9);
  for (let number = 0; number < 3000; number++) countResult(counts, "TECHNICAL", 1, false);
  expect(countedShare(counts, "TECHNICAL", 1)).toBeLessThan(0.1);
});
