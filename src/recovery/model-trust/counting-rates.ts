import type { ReasonClass } from "../../../schema/vocabulary.ts";

/** Results by class of the last decline and number of the attempt: [attempts, approved] of each. */
export type ResultCounts = Record<string, [attempts: number, approved: number]>;

/** Attempts from this number on are counted together. */
const LAST_ATTEMPT = 8;
/** Attempts by which a share is drawn to that of the wider group. */
const SMOOTHING = 10;
/** The share before any result, as of so many attempts. */
const FIRST_SHARE = 0.25;
/** Counts are halved at this number, so that old results fade. */
const FADES_AT = 1000;

/** The groups that an attempt counts in, from the widest. */
const groupsOf = (reasonClass: ReasonClass | null, attempt: number): string[] => {
  const ofClass = reasonClass ?? "NONE";
  return ["ALL", ofClass, `${ofClass} ${Math.min(attempt, LAST_ATTEMPT)}`];
};

/** The share of attempts that were approved, by class and number of the attempt: what a merchant could count. */
export function countedShare(counts: ResultCounts, reasonClass: ReasonClass | null, attempt: number): number {
  let share = FIRST_SHARE;
  for (const group of groupsOf(reasonClass, attempt)) {
    const [attempts, approved] = counts[group] ?? [0, 0];
    share = (approved + SMOOTHING * share) / (attempts + SMOOTHING);
  }
  return share;
}

/** Adds a result to the counts. */
export function countResult(
  counts: ResultCounts,
  reasonClass: ReasonClass | null,
  attempt: number,
  approved: boolean,
): void {
  for (const group of groupsOf(reasonClass, attempt)) {
    const [attempts, successes] = counts[group] ?? [0, 0];
    const fading = attempts >= FADES_AT ? 0.5 : 1;
    counts[group] = [attempts * fading + 1, successes * fading + (approved ? 1 : 0)];
  }
}
