/** Six digits are the same on every machine; the last bits of an exponential are not. */
export const roundToSixDigits = (value: number): number => Math.round(value * 1e6) / 1e6;

const SMALLEST = 1e-6;

/** A probability as a decision states it: no model knows that an attempt must fail, or cannot. */
export const toStatedProbability = (probability: number): number =>
  Math.min(1 - SMALLEST, Math.max(SMALLEST, roundToSixDigits(probability)));

/** The probability of a draw as a decision states it: what was drawn was possible, and what is certain has 1. */
export const toStatedPropensity = (probability: number): number => Math.max(SMALLEST, roundToSixDigits(probability));

/** Odds as a decision states them: beyond a million to one they say nothing more. */
export const toStatedOdds = (odds: number): number =>
  Math.min(1 / SMALLEST, Math.max(SMALLEST, roundToSixDigits(odds)));
