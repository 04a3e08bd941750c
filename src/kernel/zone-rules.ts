import { Temporal } from "temporal-polyfill";

/** The instant from which an offset applies. */
export interface ZoneOffset {
  from: Date;
  /** The offset of local time from UTC, in milliseconds. */
  aheadMs: number;
}

/** A zone's offsets over some time: enough to compute local times, and to reproduce them elsewhere. */
export interface ZoneRules {
  zoneId: string;
  /** In order of time; the first also applies to all earlier instants. */
  offsets: readonly ZoneOffset[];
}

/** Longer than any plan with every delay that the networks require. */
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

const rulesByMonth = new Map<string, ZoneRules>();

/** The same from a cache, for computations over many payments: the rules around the first of a month serve the month. */
export function cachedZoneRules(zoneId: string, at: Date): ZoneRules {
  const month = at.toISOString().slice(0, 7);
  const key = `${zoneId} ${month}`;
  const known = rulesByMonth.get(key) ?? zoneRulesAround(zoneId, new Date(`${month}-01T00:00:00Z`));
  rulesByMonth.set(key, known);
  return known;
}
