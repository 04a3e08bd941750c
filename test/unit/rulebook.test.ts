import { describe, expect, test } from "vitest";
import { currentRulebook, legalFrom, type PastAttempt } from "../../src/recovery/engine/rulebook.ts";

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
  const { at, row } = legalFrom(attempts, candidate, currentRulebook);
  return { at, row: row?.id ?? null };
};

/** The floors of the design, in hours. */
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

test("the rulebook has a row for each advice code that delays, and says where it comes from", () => {
  const rows = currentRulebook.rows.flatMap(({ adviceCode, limit }) =>
    limit.kind === "FLOOR" ? [[adviceCode, limit.hours] as const] : [],
  );
  expect(Object.fromEntries(rows)).toEqual(floors);
  for (const row of currentRulebook.rows)
    expect(row).toMatchObject({ source: expect.stringMatching(/\S/), checkedOn: "2026-11-21" });
});

describe.each(Object.entries(floors))("advice code %s", (adviceCode, hours) => {
  const row = `mastercard-advice-${adviceCode}`;

  test(`moves an earlier try to ${hours} hours after the decline`, () => {
    expect(legal([attempt(adviceCode)], hoursLater(hours - 0.001))).toEqual({ at: hoursLater(hours), row });
  });

  test("leaves a try at its floor or later where it is", () => {
    expect(legal([attempt(adviceCode)], hoursLater(hours))).toEqual({ at: hoursLater(hours), row: null });
    expect(legal([attempt(adviceCode)], hoursLater(hours + 1))).toEqual({ at: hoursLater(hours + 1), row: null });
  });

  test("holds where the network is not known, and not on another network", () => {
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
  test("the one whose floor lies last decides, whichever came last", () => {
    const early = attempt("30");
    const late = attempt("24", { at: hoursLater(24) });
    const expected = { at: hoursLater(240), row: "mastercard-advice-30" };
    expect(legal([early, late])).toEqual(expected);
    expect(legal([late, early])).toEqual(expected);
  });

  test("each floor counts from its own decline", () => {
    expect(legal([attempt("24"), attempt("24", { at: hoursLater(24) })]).at).toEqual(hoursLater(25));
  });

  test("none leave the candidate as it is", () => {
    expect(legal([], start)).toEqual({ at: start, row: null });
  });
});

test("whatever the history, no try is earlier than the candidate or any floor, and it is exactly the last of them", () => {
  let seed = 20_261_121;
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
  const known = [...Object.keys(floors), "01", "40", null];
  const networks = ["MASTERCARD", "VISA", null] as const;
  for (let round = 0; round < 5_000; round++) {
    const attempts = Array.from({ length: random(6) }, () =>
      attempt(known[random(known.length)]!, { at: hoursLater(random(400)), network: networks[random(3)]! }),
    );
    const candidate = hoursLater(random(600));
    const bounds = attempts
      .filter(({ adviceCode, network }) => network !== "VISA" && adviceCode !== null && adviceCode in floors)
      .map(({ at, adviceCode }) => at.getTime() + floors[adviceCode!]! * HOUR);
    expect(legal(attempts, candidate).at?.getTime()).toBe(Math.max(candidate.getTime(), ...bounds));
  }
});
