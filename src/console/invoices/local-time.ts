const MILLISECONDS_PER_MINUTE = 60_000;

/** An instant as the local time of a zone, YYYY-MM-DDThh:mm, as a field for date and time has it. */
export function toLocalTime(instant: string, zoneId: string): string {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zoneId,
    hourCycle: "h23",
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" },
  }).formatToParts(new Date(instant));
  const valueOf = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return `${valueOf("year")}-${valueOf("month")}-${valueOf("day")}T${valueOf("hour")}:${valueOf("minute")}`;
}

/** The instant of a local time; undefined if it is no time. A time that the clocks skip becomes the one after it. */
export function fromLocalTime(local: string, zoneId: string): string | undefined {
  const asUtc = Date.parse(`${local}Z`);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local) || Number.isNaN(asUtc)) return undefined;
  const offsetAt = (time: number) => Date.parse(`${toLocalTime(new Date(time).toISOString(), zoneId)}Z`) - time;
  // The offset at the found time counts, which can differ from the one at the guess around a change of the clocks.
  const guess = asUtc - offsetAt(asUtc - (asUtc % MILLISECONDS_PER_MINUTE));
  return new Date(asUtc - offsetAt(guess)).toISOString();
}
