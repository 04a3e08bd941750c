import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { noticeLead, noticeRules } from "../../../src/notifications/notices/notice.rules.ts";

test("a notice goes out within the limits of all rules for its kind", () => {
  expect([noticeLead("USAGE_CHARGE_COMING"), noticeLead("TRIAL_ENDING"), noticeLead("DORMANCY_COMING")]).toEqual([
    7, 7, 1,
  ]);
  for (const { kind, min, max } of noticeRules) {
    expect(noticeLead(kind)).toBeGreaterThanOrEqual(min);
    expect(noticeLead(kind)).toBeLessThanOrEqual(max ?? Infinity);
  }
});

test("docs/messages.md has each rule with its dates and its source", () => {
  const rows = readFileSync("docs/messages.md", "utf8")
    .split("\n")
    .map((line) => line.replace(/\s+/g, " "));
  for (const { id, kind, effectiveFrom, source, checkedOn } of noticeRules) {
    const row = rows.find((line) => line.startsWith(`| \`${id}\` |`)) ?? "";
    for (const part of [kind, effectiveFrom ?? "none", source, checkedOn]) expect(row, id).toContain(part);
  }
});
