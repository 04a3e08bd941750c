import { inForm, isLong } from "../../support/form.ts";

/** How often a fault is tried. */
export const rounds = inForm;

/** The time that a test of some rounds may take: a hang must end, and a busy machine is no fault. */
export const limit = (count: number): number => 60_000 + count * 20_000;

/** How soon a gateway must be ready again: ten seconds where that is measured, and else before a hang. */
export const READY_AGAIN_MS = isLong ? 10_000 : 60_000;

/** Says what was measured, where the long form runs: the numbers are for people, not for assertions. */
export const seen = (sentence: string): void => {
  if (isLong) process.stdout.write(`${sentence}\n`);
};
