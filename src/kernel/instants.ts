import { Temporal } from "temporal-polyfill";

/** Years that four digits can write; the year 0 is none in a database. */
const FIRST_WRITABLE_MS = Date.parse("0001-01-01T00:00:00Z");
const AFTER_LAST_WRITABLE_MS = Date.parse("+010000-01-01T00:00:00Z");

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)?$/i;

/** Whether an instant is within the years that a database and a four-digit date support. */
export const isWritableInstant = (instant: Date): boolean =>
  instant.getTime() >= FIRST_WRITABLE_MS && instant.getTime() < AFTER_LAST_WRITABLE_MS;

/**
 * Reads an ISO 8601 date and time with any offset, or none, which means UTC. Fractions beyond milliseconds are cut.
 * @throws {RangeError} with a sentence for the caller.
 */
export function parseIsoInstant(text: string): Date {
  const match = DATE_TIME.exec(text);
  const formatError = new RangeError("must be an ISO 8601 date and time such as 2026-03-01T09:30:00Z.");
  if (!match) throw formatError;
  try {
    const normal = text.toUpperCase().replace(",", ".");
    const instant = Temporal.Instant.from(match[3] ? normal : `${normal}Z`);
    if (instant.epochMilliseconds >= FIRST_WRITABLE_MS && instant.epochMilliseconds < AFTER_LAST_WRITABLE_MS)
      return new Date(instant.epochMilliseconds);
  } catch {
    // Told below, like an instant that no calendar of ours has.
  }
  throw formatError;
}

/**
 * The first and the last millisecond of a calendar day (`2026-03-01`) in a zone, or undefined for a text of another
 * form. Clamped to the years that can be written.
 * @throws {RangeError} for a day that does not exist.
 */
export function dayBoundsInZone(text: string, zoneId: string): { first: Date; last: Date } | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  try {
    const day = Temporal.PlainDate.from(text);
    const start = (of: Temporal.PlainDate) => of.toZonedDateTime(zoneId).epochMilliseconds;
    const [first, next] = [start(day), start(day.add({ days: 1 }))];
    return {
      first: new Date(Math.max(first, FIRST_WRITABLE_MS)),
      last: new Date(Math.max(Math.min(next, AFTER_LAST_WRITABLE_MS) - 1, FIRST_WRITABLE_MS)),
    };
  } catch {
    throw new RangeError("must be a day of the calendar such as 2026-03-01.");
  }
}

/**
 * An ISO 8601 duration after an instant; calendar units count in the zone.
 * @throws {RangeError} for a negative or absurd duration.
 */
export function addDurationInZone(from: Date, duration: string, zoneId: string): Date {
  const period = Temporal.Duration.from(duration);
  if (period.sign < 0) throw new RangeError("must not be negative: a clock only moves forward.");
  const local = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(zoneId);
  return new Date(local.add(period).epochMilliseconds);
}

/** Whether the IANA time zone database has this zone. */
export function isZone(zoneId: string): boolean {
  // Temporal also accepts offsets and whole date-times as zones; neither has daylight saving.
  if (!/^[A-Za-z][\w+/-]*$/.test(zoneId)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zoneId);
    return true;
  } catch {
    return false;
  }
}

/** The earlier or later of two instants, as chosen by name at the call. */
export const laterInstant = (a: Date, b: Date): Date => (a > b ? a : b);
