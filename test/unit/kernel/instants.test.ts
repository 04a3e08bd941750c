import { describe, expect, test } from "vitest";
import {
  addDurationInZone,
  dayBoundsInZone,
  isWritableInstant,
  isZone,
  laterInstant,
  parseIsoInstant,
} from "../../../src/kernel/instants.ts";

describe("an instant", () => {
  test.each([
    ["2026-03-01T09:30:00Z", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T09:30Z", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T09:30:00", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T09:30", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T09:30:00.1Z", "2026-03-01T09:30:00.100Z"],
    ["2026-03-01T09:30:00,123Z", "2026-03-01T09:30:00.123Z"],
    ["2026-03-01T09:30:00.123999999Z", "2026-03-01T09:30:00.123Z"],
    ["2026-03-01t09:30:00z", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T09:30:00+09:00", "2026-03-01T00:30:00.000Z"],
    ["2026-03-01T09:30:00+0900", "2026-03-01T00:30:00.000Z"],
    ["2026-03-01T09:30:00+09", "2026-03-01T00:30:00.000Z"],
    ["2026-03-01T09:30:00-03:30", "2026-03-01T13:00:00.000Z"],
    ["2026-03-01T00:00:00+14:00", "2026-02-28T10:00:00.000Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("%s is read as %s", (written, read) => {
    expect(parseIsoInstant(written).toISOString()).toBe(read);
  });

  test.each([
    "",
    "now",
    "2026-03-01",
    "2026-03-01 09:30:00Z",
    " 2026-03-01T09:30:00Z",
    "2026-03-01T09:30:00Z ",
    "2026-03-01T9:30:00Z",
    "2026-3-1T09:30:00Z",
    "20260301T093000Z",
    "2026-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-03-01T24:00:00Z",
    "2026-03-01T09:60:00Z",
    "2026-03-01T09:30:00.Z",
    "2026-03-01T09:30:00.1234567890Z",
    "2026-03-01T09:30:00+24:00",
    "2026-03-01T09:30:00[Asia/Seoul]",
    "2026-03-01T09:30:00Z[Asia/Seoul]",
    "0000-12-31T23:59:59Z",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "+010000-01-01T00:00:00Z",
    "-000001-01-01T00:00:00Z",
    "1772357400000",
  ])("%j is refused", (written) => {
    expect(() => parseIsoInstant(written)).toThrow(
      new RangeError("must be an ISO 8601 date and time such as 2026-03-01T09:30:00Z."),
    );
  });
});

describe("a duration later", () => {
  const from = new Date("2026-01-31T12:00:00.000Z");

  test.each([
    ["PT0S", "2026-01-31T12:00:00.000Z"],
    ["PT0.001S", "2026-01-31T12:00:00.001Z"],
    ["P1D", "2026-02-01T12:00:00.000Z"],
    ["P1W2D", "2026-02-09T12:00:00.000Z"],
    ["P1M", "2026-02-28T12:00:00.000Z"],
    ["P1Y", "2027-01-31T12:00:00.000Z"],
    ["PT36H", "2026-02-02T00:00:00.000Z"],
  ])("of %s gives %s", (duration, to) => {
    expect(addDurationInZone(from, duration, "UTC").toISOString()).toBe(to);
  });

  test("counts the hours that a day has in the zone", () => {
    expect(addDurationInZone(new Date("2026-03-28T12:00:00Z"), "P1D", "Europe/Berlin").toISOString()).toBe(
      "2026-03-29T11:00:00.000Z",
    );
    expect(addDurationInZone(new Date("2026-03-28T12:00:00Z"), "PT24H", "Europe/Berlin").toISOString()).toBe(
      "2026-03-29T12:00:00.000Z",
    );
  });

  test.each(["-P1D", "-PT0.001S"])("is refused for %s, which is negative", (duration) => {
    expect(() => addDurationInZone(from, duration, "UTC")).toThrow(
      new RangeError("must not be negative: a clock only moves forward."),
    );
  });

  test.each(["", "P", "1D", "soon", "P1000000Y", `P${"9".repeat(400)}D`, "P0.5Y"])("is refused for %j", (duration) => {
    expect(() => addDurationInZone(from, duration, "UTC")).toThrow(RangeError);
  });
});

test.each(["UTC", "Asia/Seoul", "America/New_York", "America/Argentina/Buenos_Aires", "Etc/GMT+9", "GMT", "EST5EDT"])(
  "%s is a zone",
  (zoneId) => {
    expect(isZone(zoneId)).toBe(true);
  },
);

test.each([
  "",
  " ",
  "Mars/Base",
  "+09:00",
  "-03",
  "09:00",
  "Z[UTC]",
  "2026-03-01T00:00[Asia/Seoul]",
  "Asia/Seoul ",
  "Asia Seoul",
  "../etc",
  "__proto__",
])("%j is no zone", (zoneId) => {
  expect(isZone(zoneId)).toBe(false);
});

test("the later of two instants is returned, in either order", () => {
  const [early, late] = [new Date(1), new Date(2)];
  expect([laterInstant(early, late), laterInstant(late, early), laterInstant(early, early)]).toEqual([
    late,
    late,
    early,
  ]);
});

describe("a day", () => {
  test("begins and ends in its zone", () => {
    expect(dayBoundsInZone("2026-03-01", "Asia/Seoul")).toEqual({
      first: new Date("2026-02-28T15:00:00.000Z"),
      last: new Date("2026-03-01T14:59:59.999Z"),
    });
  });

  test.each([
    ["spring", "2026-03-08", 23],
    ["autumn", "2026-11-01", 25],
  ])("has as many hours as the zone's clocks give it in %s", (_, day, hours) => {
    const { first, last } = dayBoundsInZone(day, "America/New_York")!;
    expect(last.getTime() + 1 - first.getTime()).toBe(hours * 3_600_000);
  });

  test.each(["0000-01-01", "0001-01-01", "9999-12-31"])("%s begins and ends in years that can be written", (text) => {
    for (const zone of ["Asia/Seoul", "America/New_York"]) {
      const { first, last } = dayBoundsInZone(text, zone)!;
      expect([isWritableInstant(first), isWritableInstant(last), first <= last]).toEqual([true, true, true]);
    }
  });

  test("is written in one form only", () => {
    for (const text of ["", "2026-3-1", "20260301", "2026-03", "2026-03-01T00:00", " 2026-03-01", "+002026-03-01"])
      expect(dayBoundsInZone(text, "UTC")).toBeUndefined();
  });

  test.each(["2026-02-29", "2026-13-01", "2026-00-10", "2026-04-31"])("%s is no day", (text) => {
    expect(() => dayBoundsInZone(text, "UTC")).toThrow(RangeError);
  });
});
