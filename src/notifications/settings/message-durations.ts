import { addDurationInZone } from "../../kernel/instants.ts";

const EPOCH = new Date(0);

/** The milliseconds of an ISO 8601 duration, whose days have 24 hours. @throws {RangeError} for a negative one. */
export const toDurationMs = (duration: string): number => addDurationInZone(EPOCH, duration, "UTC").getTime();

/** What is wrong with a duration that must lie within bounds; undefined if nothing is. */
export const durationError = (duration: string, { min, max }: { min: string; max: string }): string | undefined =>
  isWithin(duration, toDurationMs(min), toDurationMs(max))
    ? undefined
    : `must be an ISO 8601 duration from ${min} to ${max}.`;

function isWithin(duration: string, minMs: number, maxMs: number): boolean {
  try {
    const ms = toDurationMs(duration);
    return ms >= minMs && ms <= maxMs;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
