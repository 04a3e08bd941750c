/** Whether the long form runs (`npm run faults`); the short one belongs to every test run. */
const long = process.env["FAULTS"] === "long";

/** How often a fault is tried. */
export const rounds = (inShort: number, inLong: number): number => (long ? inLong : inShort);

/** The time that a test of some rounds may take: a hang must end, and a busy machine is no fault. */
export const limit = (count: number): number => 60_000 + count * 20_000;

/** How soon a gateway must be ready again: ten seconds where that is measured, and else before a hang. */
export const READY_AGAIN_MS = long ? 10_000 : 60_000;

/** Says what was measured, where the long form runs: the numbers are for people, not for assertions. */
export const seen = (sentence: string): void => {
  if (long) process.stdout.write(`${sentence}\n`);
};
