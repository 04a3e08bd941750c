import type { ModelFallbackReason, ReasonClass } from "../../../schema/vocabulary.ts";
import { itemAt } from "../../kernel/required-values.ts";
import { countedShare, countResult, type ResultCounts } from "./counting-rates.ts";

/*
 * Whether a model still predicts what happens. The test bets against the model: each result multiplies a stake by how much likelier another
 * forecast made it than the model did. While the model's probabilities are right within the tolerance, the stake is not expected to grow, and
 * it exceeds 1/α with a probability of at most α, however often somebody looks (Ville's inequality). Sources: Grünwald, de Heide and Koolen,
 * "Safe testing", Journal of the Royal Statistical Society B 86 (2024): the best stake against a set of models is the ratio to the nearest of
 * them; Arnold, Henzi and Ziegel, "Sequentially valid tests for forecast calibration", Annals of Applied Statistics 17 (2023).
 */

/** The result of an attempt for which a model had stated its probability. */
export interface ForecastResult {
  at: Date;
  /** As the model stated it when it chose the time. */
  probability: number;
  approved: boolean;
  /** Class of the decline before the attempt; null if there was none. */
  reasonClass: ReasonClass | null;
  /** 1 for the first retry. */
  attempt: number;
}

/** The results of at most 30 days, and the stakes against the model. Numbers only: it is stored as JSON. */
export interface DriftWindow {
  /** Number of the ten days in which it began, since 1970. */
  period: number;
  attempts: number;
  approved: number;
  /** Sum of the stated probabilities. */
  predicted: number;
  /** Sum of the losses, in natural logarithms, of the model and of counting. */
  modelLoss: number;
  countingLoss: number;
  /** Logarithm of the stake of the recalibrated model, and of that of counting. */
  recalibratedStake: number;
  countingStake: number;
  /** By tenth of stated probability: attempts, and the sum of results less probabilities. */
  tenths: [attempts: number, residuals: number][];
}

/** What the test remembers of a model's results. */
export interface DriftState {
  counts: ResultCounts;
  windows: DriftWindow[];
}

/** By how much a model's probabilities may be wrong: it is not given up for less. */
export const DRIFT_TOLERANCE = 0.05;
const DAY_MS = 86_400_000;
/** A window begins every so many days and ends after three times as many: it is the last 30 days. */
const PERIOD_DAYS = 10;
const PERIODS_OF_WINDOW = 3;
/** The probability of a false alarm within a year. */
const FALSE_ALARMS_A_YEAR = 0.05;
const STAKES = 2;
/** The stake at which a model is given up: each window of a year has its part of the false alarms, for each of the two stakes. */
export const STAKE_LIMIT = (STAKES * 365.25) / PERIOD_DAYS / FALSE_ALARMS_A_YEAR;
const LOG_LIMIT = Math.log(STAKE_LIMIT);

const TENTHS = 10;
/** Attempts by which a tenth's error is drawn to the error of all, and that one to none. */
const SMOOTHING = 20;

export const newDriftState = (): DriftState => ({ counts: {}, windows: [] });

/**
 * Adds a result, in order of time.
 * @returns why the model is to be given up; null if it need not.
 */
export function addResult(state: DriftState, result: ForecastResult): ModelFallbackReason | null {
  const { probability, approved, reasonClass, attempt } = result;
  if (!(probability >= 0 && probability <= 1)) return null;
  const counted = countedShare(state.counts, reasonClass, attempt);
  openWindows(state, result.at);
  for (const window of state.windows) addToWindow(window, probability, counted, approved);
  countResult(state.counts, reasonClass, attempt, approved);
  if (state.windows.some(({ recalibratedStake }) => recalibratedStake >= LOG_LIMIT)) return "MISCALIBRATED";
  return state.windows.some(({ countingStake }) => countingStake >= LOG_LIMIT) ? "WORSE_THAN_COUNTING" : null;
}

/** Adds the result of an attempt whose time no model chose: only counting learns from it. */
export const addCountedResult = (
  { counts }: DriftState,
  { reasonClass, attempt, approved }: Omit<ForecastResult, "probability" | "at">,
): void => {
  countResult(counts, reasonClass, attempt, approved);
};

/** Forgets the stakes: the test begins anew with another model. */
export const restartTest = (state: DriftState): void => {
  state.windows = [];
};

/** Begins the window of the present ten days, and ends those that are older than 30 days. */
function openWindows(state: DriftState, at: Date): void {
  const period = Math.floor(at.getTime() / (PERIOD_DAYS * DAY_MS));
  const newest = Math.max(period, state.windows.at(-1)?.period ?? period);
  state.windows = state.windows.filter((window) => window.period > newest - PERIODS_OF_WINDOW);
  if (state.windows.at(-1)?.period !== newest) state.windows.push(newWindow(newest));
}

const newWindow = (period: number): DriftWindow => ({
  period,
  attempts: 0,
  approved: 0,
  predicted: 0,
  modelLoss: 0,
  countingLoss: 0,
  recalibratedStake: 0,
  countingStake: 0,
  tenths: Array.from({ length: TENTHS }, () => [0, 0]),
});

function addToWindow(window: DriftWindow, probability: number, counted: number, approved: boolean): void {
  const tenth = itemAt(window.tenths, tenthOf(probability));
  window.recalibratedStake += logStake(recalibrate(window, probability), probability, approved);
  window.countingStake += logStake(counted, probability, approved);
  window.modelLoss += lossOf(probability, approved);
  window.countingLoss += lossOf(counted, approved);
  window.attempts++;
  window.approved += approved ? 1 : 0;
  window.predicted += probability;
  tenth[0]++;
  tenth[1] += (approved ? 1 : 0) - probability;
}

const tenthOf = (probability: number): number => Math.min(TENTHS - 1, Math.floor(probability * TENTHS));

/** The model's probability, corrected by its errors in the window so far. */
function recalibrate({ attempts, approved, predicted, tenths }: DriftWindow, probability: number): number {
  const errorOfAll = (approved - predicted) / (attempts + SMOOTHING);
  const [ofTenth, residuals] = itemAt(tenths, tenthOf(probability));
  return probability + (residuals + SMOOTHING * errorOfAll) / (ofTenth + SMOOTHING);
}

/**
 * By what a result multiplies the stake, as a logarithm: how much likelier another forecast made it than the nearest probability within the
 * tolerance of the model's. Its expectation is at most 1 for every true probability within the tolerance.
 */
function logStake(forecast: number, probability: number, approved: boolean): number {
  const rival = withinBounds(forecast, SMALLEST_PROBABILITY, 1 - SMALLEST_PROBABILITY);
  const nearest = withinBounds(rival, probability - DRIFT_TOLERANCE, probability + DRIFT_TOLERANCE);
  return approved ? Math.log(rival / nearest) : Math.log((1 - rival) / (1 - nearest));
}

/** No forecast is more certain, so that no result makes a stake or a loss infinite. */
const SMALLEST_PROBABILITY = 0.005;

function lossOf(forecast: number, approved: boolean): number {
  const certain = withinBounds(forecast, SMALLEST_PROBABILITY, 1 - SMALLEST_PROBABILITY);
  return -Math.log(approved ? certain : 1 - certain);
}

const withinBounds = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));
