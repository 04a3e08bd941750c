const MINUTE = 60_000;

/** The pauses between attempts. The last attempt is about a day after the first. */
const PAUSES_MS: readonly number[] = [1, 5, 15, 30, 60, 120, 240, 480, 480].map((minutes) => minutes * MINUTE);

/** A pause is longer by up to this part of it, so that the messages of an outage do not come back all at once. */
const JITTER = 0.1;

/** Attempts of one message, at most. */
export const MAX_ATTEMPTS = PAUSES_MS.length + 1;

/**
 * The time of the next attempt after a failed one; undefined if it was the last.
 * @param chance a random number from 0 to 1, for the jitter.
 */
export function nextAttemptAt(attempts: number, failedAt: Date, chance: number): Date | undefined {
  const pause = PAUSES_MS[attempts - 1];
  return pause === undefined ? undefined : new Date(failedAt.getTime() + Math.round(pause * (1 + JITTER * chance)));
}
