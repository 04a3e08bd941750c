import { inForm, isLong } from "../../support/test-form.ts";

/** How many times a fault is tried. */
export const roundCount = inForm;

/** Timeout for a test of some rounds: a hang must end, but a busy machine must not fail the test. */
export const timeLimitMs = (count: number): number => 120_000 + count * 20_000;

/**
 * How soon a gateway must be ready again: ten seconds where that is measured, otherwise long enough to detect a hang
 * only.
 */
export const MAX_RESTART_MS = isLong ? 10_000 : 60_000;

/** Prints the measured times in the long form: the numbers are for readers, not for assertions. */
export const logMeasurement = (sentence: string): void => {
  if (isLong || process.env["CITUS_URL"] !== undefined) process.stdout.write(`${sentence}\n`);
};
