import { expect, test } from "vitest";
import { fromLocalTime, toLocalTime } from "../../src/console/invoices/local-time.ts";

test.each([
  ["2026-03-20T00:00:00.000Z", "Asia/Seoul", "2026-03-20T09:00"],
  ["2026-03-08T06:30:00.000Z", "America/New_York", "2026-03-08T01:30"],
  ["2026-03-08T07:30:00.000Z", "America/New_York", "2026-03-08T03:30"],
  ["2026-12-31T15:00:00.000Z", "Asia/Seoul", "2027-01-01T00:00"],
])("the local time of %s in %s is typed as %s, and read back as the same instant", (instant, zoneId, local) => {
  expect(toLocalTime(instant, zoneId)).toBe(local);
  expect(fromLocalTime(local, zoneId)).toBe(instant);
});

test.each(["", "2026-03-20", "2026-13-45T09:00"])("%j is no local time", (text) => {
  expect(fromLocalTime(text, "UTC")).toBeUndefined();
});
