const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After this time a delivery has failed, and an endpoint at which nothing succeeded is disabled. */
export const DELIVERY_WINDOW_MS = 72 * HOUR;

/** The pauses after the first, second … failed attempt; the last one repeats. */
const PAUSES_MS: readonly number[] = [
  ...[1, 5, 20, 60].map((seconds) => seconds * SECOND),
  ...[5, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 8, 12].map((hours) => hours * HOUR),
];

/** A pause is longer by up to this part of it, so that the deliveries of an outage do not come back all at once. */
const JITTER = 0.2;

/**
 * The time of the next attempt after a failed one; undefined if the delivery has failed for good. The last attempt is at
 * the end of the three days. @param chance a random number from 0 to 1, for the jitter.
 */
export function nextAttemptAt(
  { attempts, firstAttemptAt, failedAt }: { attempts: number; firstAttemptAt: Date; failedAt: Date },
  chance: number,
): Date | undefined {
  const end = firstAttemptAt.getTime() + DELIVERY_WINDOW_MS;
  if (failedAt.getTime() >= end) return undefined;
  const pause = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] ?? 0;
  return new Date(Math.min(failedAt.getTime() + Math.round(pause * (1 + JITTER * chance)), end));
}

/** Whether an endpoint has failed for so long that it is disabled. */
export const hasFailedTooLong = (failingSince: Date, now: Date): boolean =>
  now.getTime() - failingSince.getTime() >= DELIVERY_WINDOW_MS;
