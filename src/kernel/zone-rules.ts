import { Temporal } from "temporal-polyfill";

/** From when an offset holds. */
export interface ZoneOffset {
  from: Date;
  /** How far local time is ahead of UTC, in milliseconds. */
  aheadMs: number;
}

/** What a zone's clocks show for some time: enough to compute with, and to compute the same again elsewhere. */
export interface ZoneRules {
  zoneId: string;
  /** In order of time; the first holds for all that comes before it too. */
  offsets: readonly ZoneOffset[];
}

/** Longer than any plan with every delay that the networks ask for. */
const HORIZON_DAYS = 400;
const DAY_MS = 86_400_000;

/** The rules of an IANA zone around an instant, as this machine's zone database has them. */
export function zoneRulesAround(zoneId: string, around: Date): ZoneRules {
  const end = around.getTime() + HORIZON_DAYS * DAY_MS;
  const offsets: ZoneOffset[] = [];
  let next: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(
    around.getTime() - DAY_MS,
  ).toZonedDateTimeISO(zoneId);
  while (next && next.epochMilliseconds < end) {
    offsets.push({ from: new Date(next.epochMilliseconds), aheadMs: next.offsetNanoseconds / 1e6 });
    next = next.getTimeZoneTransition("next");
  }
  return { zoneId, offsets };
}
