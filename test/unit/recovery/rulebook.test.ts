import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import * as declineTable from "../../../src/recovery/engine/decline-table.ts";
import { currentRulebook, earliestLegalTime, type PastAttempt } from "../../../src/recovery/engine/rulebook.ts";

const HOUR = 3_600_000;
const start = new Date("2026-03-01T09:30:00.000Z");
const hoursLater = (hours: number): Date => new Date(start.getTime() + hours * HOUR);
const attempt = (adviceCode: string | null, rest: Partial<PastAttempt> = {}): PastAttempt => ({
  at: start,
  network: "MASTERCARD",
  code: "51",
  adviceCode,
  initiator: "MERCHANT",
  ...rest,
});
const legal = (attempts: PastAttempt[], candidate: Date = start) => {
  const { at, row } = earliestLegalTime(attempts, candidate, currentRulebook);
  return { at, row: row?.id ?? null };
};

/** The minimum delays of the design, in hours. */
const floors: Record<string, number> = {
  "02": 72,
  "24": 1,
  "25": 24,
  "26": 48,
  "27": 96,
  "28": 144,
  "29": 192,
  "30": 240,
};

test("the rulebook has a rule with its source for each advice code that delays", () => {
  const rows = currentRulebook.rows.flatMap(({ adviceCode, limit }) =>
    limit.kind === "FLOOR" ? [[adviceCode, limit.hours] as const] : [],
  );
  expect(Object.fromEntries(rows)).toEqual(floors);
  for (const row of currentRulebook.rows)
    expect(row).toMatchObject({ source: expect.stringMatching(/\S/), checkedOn: "2026-11-21" });
});

describe.each(Object.entries(floors))("advice code %s", (adviceCode, hours) => {
  const row = `mastercard-advice-${adviceCode}`;

  test(`moves an earlier retry to ${hours} hours after the decline`, () => {
    expect(legal([attempt(adviceCode)], hoursLater(hours - 0.001))).toEqual({ at: hoursLater(hours), row });
  });

  test("does not move a retry at or after that time", () => {
    expect(legal([attempt(adviceCode)], hoursLater(hours))).toEqual({ at: hoursLater(hours), row: null });
    expect(legal([attempt(adviceCode)], hoursLater(hours + 1))).toEqual({ at: hoursLater(hours + 1), row: null });
  });

  test("applies when the network is unknown, and not on another network", () => {
    expect(legal([attempt(adviceCode, { network: null })]).row).toBe(row);
    for (const network of ["VISA", "AMEX", "OTHER"] as const)
      expect(legal([attempt(adviceCode, { network })])).toEqual({ at: start, row: null });
  });

  test("is read with blanks around it, and without a leading zero", () => {
    expect(legal([attempt(` ${adviceCode} `)]).row).toBe(row);
    expect(legal([attempt(adviceCode.replace(/^0/, ""))]).row).toBe(row);
  });
});

test.each([null, "", "01", "22", "31", "024"])("advice code %j delays nothing", (adviceCode) => {
  expect(legal([attempt(adviceCode)])).toEqual({ at: start, row: null });
});

describe("of several attempts", () => {
  test("the one with the latest minimum date decides, whichever came last", () => {
    const early = attempt("30");
    const late = attempt("24", { at: hoursLater(24) });
    const expected = { at: hoursLater(240), row: "mastercard-advice-30" };
    expect(legal([early, late])).toEqual(expected);
    expect(legal([late, early])).toEqual(expected);
  });

  test("each minimum delay counts from its own decline", () => {
    expect(legal([attempt("24"), attempt("24", { at: hoursLater(24) })]).at).toEqual(hoursLater(25));
  });

  test("none leave the candidate unchanged, however long ago", () => {
    for (const candidate of [start, new Date("1969-07-20T20:17:00Z")])
      expect(legal([], candidate)).toEqual({ at: candidate, row: null });
  });
});

describe("advice that forbids another attempt", () => {
  test.each(["03", "21"])("%s: no time is legal, on Mastercard or an unknown network", (adviceCode) => {
    for (const network of ["MASTERCARD", null] as const)
      expect(legal([attempt(adviceCode, { network })])).toEqual({ at: null, row: `mastercard-advice-${adviceCode}` });
    expect(legal([attempt(adviceCode, { network: "VISA" })])).toEqual({ at: start, row: null });
  });
});

describe("Visa's category 1", () => {
  test.each("04 07 12 14 15 41 43 46 57 R0 R1 R3".split(" "))("%s allows no reattempt", (code) => {
    for (const network of ["VISA", null] as const)
      expect(legal([attempt(null, { code, network })], hoursLater(9_000))).toEqual({
        at: null,
        row: "visa-category-1",
      });
    expect(legal([attempt(null, { code })]).row).toBeNull();
  });
});

/** So many attempts an hour apart, the last an hour before the candidate. */
const hourlyChoice = (count: number, rest: Partial<PastAttempt>, before: Date) =>
  Array.from({ length: count }, (_, index) =>
    attempt(null, { ...rest, at: new Date(before.getTime() - (count - index) * HOUR) }),
  );
const later = (at: Date, hours: number) => new Date(at.getTime() + hours * HOUR);

describe("Visa's categories 2 to 4", () => {
  test.each([
    ["2025-04-20T12:00:00Z", 15, "visa-15-in-30-days"],
    ["2025-05-25T00:00:00Z", 20, "visa-20-in-30-days"],
    ["2026-11-21T00:00:00Z", 20, "visa-20-in-30-days"],
  ])("on %s allow %d attempts in 30 days", (day, max, row) => {
    const now = new Date(day);
    expect(legal(hourlyChoice(max - 1, { network: "VISA" }, now), now)).toEqual({ at: now, row: null });
    const full = hourlyChoice(max, { network: "VISA" }, now);
    const limit = earliestLegalTime(full, now, {
      version: "one",
      rows: currentRulebook.rows.filter(({ id }) => id === row),
    });
    expect([limit.at, limit.row?.id]).toEqual([later(full[0]!.at, 720), row]);
  });

  test("a retry waits for the old limit at most until the new one is in force, and then for the new one", () => {
    const [now, newLimit] = [new Date("2025-05-20T00:00:00Z"), new Date("2025-05-25T00:00:00Z")];
    const [fifteen, twenty] = [15, 20].map((count) => hourlyChoice(count, { network: "VISA" }, now));
    expect(legal(fifteen!, now)).toEqual({ at: newLimit, row: "visa-15-in-30-days" });
    expect(legal(twenty!, now)).toEqual({ at: later(twenty![0]!.at, 720), row: "visa-20-in-30-days" });
  });

  test("count the payer's own attempts separately", () => {
    expect(legal(hourlyChoice(40, { network: "VISA", initiator: "CUSTOMER" }, start))).toEqual({
      at: start,
      row: null,
    });
  });
});

describe("Mastercard", () => {
  test("allows 10 declines in 24 hours", () => {
    expect(legal(hourlyChoice(9, {}, start))).toEqual({ at: start, row: null });
    expect(legal(hourlyChoice(10, {}, start))).toEqual({ at: hoursLater(14), row: "mastercard-10-in-24-hours" });
  });

  test("allows 35 in 30 days, for any initiator", () => {
    const spread = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        attempt(null, { at: hoursLater(-20 * (count - index)), initiator: index % 2 ? "CUSTOMER" : "MERCHANT" }),
      );
    expect(legal(spread(34))).toEqual({ at: start, row: null });
    expect(legal(spread(35))).toEqual({ at: hoursLater(20), row: "mastercard-35-in-30-days" });
  });
});

describe("a bank debit", () => {
  test.each([
    ["SEPA", "sepa-2-tries"],
    ["ACH", "ach-2-representments"],
  ] as const)("by %s is presented again twice", (network, row) => {
    const presented = (count: number) => hourlyChoice(count, { network, code: "AM04" }, start);
    expect(legal(presented(2), start)).toEqual({ at: start, row: null });
    expect(legal(presented(3), start)).toEqual({ at: null, row });
  });
});

test("an unknown network gets the strictest of the card rules, and none of the bank's", () => {
  expect(legal(hourlyChoice(10, { network: null }, start))).toEqual({
    at: hoursLater(14),
    row: "mastercard-10-in-24-hours",
  });
  const daily = Array.from({ length: 20 }, (_, index) =>
    attempt(null, { at: hoursLater(index * 24 - 480), network: null }),
  );
  expect(legal(daily)).toEqual({ at: hoursLater(240), row: "visa-20-in-30-days" });
  for (const network of ["AMEX", "OTHER"] as const)
    expect(legal(hourlyChoice(40, { network }, start))).toEqual({ at: start, row: null });
});

test("each rule has a test above, a source, and valid dates", () => {
  expect(currentRulebook.rows.map(({ id }) => id)).toEqual([
    "visa-category-1",
    "visa-15-in-30-days",
    "visa-20-in-30-days",
    "mastercard-10-in-24-hours",
    "mastercard-35-in-30-days",
    ...["03", "21", "02", "24", "25", "26", "27", "28", "29", "30"].map((code) => `mastercard-advice-${code}`),
    "sepa-2-tries",
    "ach-2-representments",
  ]);
  for (const { effectiveFrom, effectiveTo } of currentRulebook.rows)
    for (const date of [effectiveFrom, effectiveTo]) if (date) expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test("the versions stand for the content: a change of a table needs a new one", () => {
  const digest = (content: unknown) =>
    createHash("sha256")
      .update(JSON.stringify(content, (_, value) => (value instanceof RegExp ? value.source : value)))
      .digest("hex")
      .slice(0, 12);
  expect({ [currentRulebook.version]: digest(currentRulebook.rows) }).toMatchInlineSnapshot(`
    {
      "2026-11-21.2": "a937d24404d2",
    }
  `);
  expect({ [declineTable.declinesVersion]: digest(declineTable) }).toMatchInlineSnapshot(`
    {
      "2026-11-23.2": "ce0278117c0b",
    }
  `);
});
