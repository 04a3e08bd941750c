import { inForm, isLong } from "../../support/form.ts";

/** How often a fault is tried. */
export const roundCount = inForm;

/** The time that a test of some rounds may take: a hang must end, and a busy machine is no fault. */
export const timeLimitMs = (count: number): number => 60_000 + count * 20_000;

/** How soon a gateway must be ready again: ten seconds where that is measured, and else before a hang. */
export const MAX_RESTART_MS = isLong ? 10_000 : 60_000;

/** Says what was measured, where the long form runs: the numbers are for people, not for assertions. */
export const logMeasurement = (sentence: string): void => {
  if (isLong) process.stdout.write(`${sentence}\n`);
};
