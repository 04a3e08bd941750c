import { describe, expect, test } from "vitest";
import { decide, type RecoveryCase } from "../../src/recovery/engine/decide.ts";
import { classify } from "../../src/recovery/engine/decline.ts";
import { codeClasses } from "../../src/recovery/engine/decline-table.ts";
import { defaultPolicy } from "../../src/recovery/engine/policy.ts";
import { currentRulebook, legalFrom } from "../../src/recovery/engine/rulebook.ts";
import { nextDate, readReport } from "../../src/recovery/engine/scenario.ts";

const at = (text: string) => new Date(`${text}Z`);
const decline = (code: string | null, message: string | null = null, adviceCode: string | null = null) => ({
  code,
  message,
  adviceCode,
  network: null,
});
const first = at("2026-03-01T09:30:00");
const facts = (rest: Partial<RecoveryCase> = {}): RecoveryCase => ({
  windowStart: first,
  zoneId: "Asia/Seoul",
  attempts: [{ at: first, ...decline("51") }],
  promised: null,
  used: null,
  ...rest,
});
const decideAt = (now: Date, rest?: Partial<RecoveryCase>) =>
  decide(facts(rest), defaultPolicy, currentRulebook, null, now);

describe("a decline", () => {
  const rows = Object.entries(codeClasses).flatMap(([reason, codes]) => codes.map((code) => [code, reason] as const));

  test.each(rows)("with the code %s is %s", (code, reason) => {
    expect(classify(decline(code))).toBe(reason);
    expect(classify(decline(` ${code.toLowerCase()} `))).toBe(reason);
  });

  test.each([
    ["5", "GENERIC_REFUSAL"],
    ["999", "UNKNOWN"],
    [null, "UNKNOWN"],
  ])("with the code %s is %s", (code, reason) => {
    expect(classify(decline(code))).toBe(reason);
  });

  test.each([
    ["분실된 카드입니다", "NEVER"],
    ["도난 카드", "NEVER"],
    ["해지된 카드", "NEVER"],
    ["거래정지 카드", "NEVER"],
    ["This card was reported stolen.", "NEVER"],
    ["잔액부족", "INSUFFICIENT_FUNDS"],
    ["Insufficient funds", "INSUFFICIENT_FUNDS"],
    ["한도초과", "LIMIT_EXCEEDED"],
    ["Expired card", "FIX_DATA_FIRST"],
    ["이미 처리된 결제입니다", "ALREADY_PAID"],
    ["a wording that nobody has seen", "UNKNOWN"],
  ])("that says %s without a code is %s", (message, reason) => {
    expect(classify(decline(null, message))).toBe(reason);
  });

  test("follows the network's advice before its code", () => {
    expect(classify(decline("51", null, "03"))).toBe("NEVER");
    expect(classify(decline("51", null, "24"))).toBe("INSUFFICIENT_FUNDS");
  });
});

describe("the default ladder", () => {
  test("plans 1, 3, 5, 10 and 14 days after the first failure", () => {
    const { retryAt, alternatives, budget } = decideAt(first);
    expect([retryAt, ...alternatives]).toEqual(
      ["03-02", "03-04", "03-06", "03-11", "03-15"].map((day) => at(`2026-${day}T09:30:00`)),
    );
    expect(budget).toEqual({ used: 0, limit: 5, windowEnds: at("2026-03-15T09:30:00") });
  });

  test("keeps the local time of day when the clocks change", () => {
    const before = at("2026-03-07T15:00:00");
    const decision = decideAt(before, { windowStart: before, zoneId: "America/New_York", attempts: [] });
    expect(decision.retryAt).toEqual(at("2026-03-08T14:00:00"));
  });

  test("goes past the date that was just used, however early its report came", () => {
    expect(decideAt(at("2026-03-02T09:26:00"), { used: at("2026-03-02T09:30:00") }).retryAt).toEqual(
      at("2026-03-04T09:30:00"),
    );
  });

  test("counts no try for a date that passed, and ends after the last", () => {
    expect(decideAt(at("2026-03-05T00:00:00")).retryAt).toEqual(at("2026-03-06T09:30:00"));
    expect(decideAt(at("2026-03-15T09:30:00"))).toMatchObject({ retryAt: null, endReason: "NO_TRIES_LEFT" });
  });

  test.each([
    ["41", "MUST_NOT_RETRY"],
    ["54", "NEEDS_NEW_METHOD"],
    ["55", "NEEDS_CUSTOMER"],
    ["94", "ALREADY_PAID"],
  ])("ends at once on the code %s with %s", (code, endReason) => {
    const decision = decideAt(first, { attempts: [{ at: first, ...decline(code) }] });
    expect(decision).toMatchObject({ retryAt: null, endReason, alternatives: [] });
  });

  test("is moved by a floor of the network, and never loses the try to it", () => {
    const advised = { attempts: [{ at: first, ...decline("51", null, "30") }] };
    expect(decideAt(first, advised)).toMatchObject({
      retryAt: at("2026-03-11T09:30:00"),
      floorRow: "mastercard-advice-30",
      alternatives: [at("2026-03-15T09:30:00")],
    });
    const late = at("2026-03-14T00:00:00");
    const last = { attempts: [{ at: late, ...decline("51", null, "30") }] };
    expect(decideAt(late, last).retryAt).toEqual(at("2026-03-24T00:00:00"));
  });

  test("keeps a promised date after a try besides the schedule, unless a floor forbids it", () => {
    const promised = at("2026-03-02T09:30:00");
    const now = at("2026-03-01T12:00:00");
    const besides = (adviceCode: string | null) => ({
      promised,
      attempts: [{ at: now, ...decline("05", null, adviceCode) }],
    });
    expect(decideAt(now, besides(null)).retryAt).toEqual(promised);
    expect(decideAt(now, besides("26")).retryAt).toEqual(at("2026-03-03T12:00:00"));
  });
});

test("a floor holds for its network and where the network is not known", () => {
  const attempt = (network: "VISA" | "MASTERCARD" | null) => [{ at: first, adviceCode: "24", network }];
  const floor = at("2026-03-01T10:30:00");
  expect(legalFrom(attempt("MASTERCARD"), first, currentRulebook).at).toEqual(floor);
  expect(legalFrom(attempt(null), first, currentRulebook).at).toEqual(floor);
  expect(legalFrom(attempt("VISA"), first, currentRulebook)).toEqual({ at: first, row: null });
});

test.each([
  ["09:25:00", { code: "51", message: null }, "SCHEDULED"],
  ["09:24:59", { code: "51", message: "short" }, "REPEAT"],
  ["09:24:59", { code: "51", message: null }, "REPEAT"],
  ["09:24:59", { code: null, message: null }, "REPEAT"],
  ["09:24:59", { code: "05", message: null }, "UNSCHEDULED"],
  ["09:24:59", { code: "51", message: "other words" }, "UNSCHEDULED"],
])("a report at %s of %j is read as %s", (time, report, reading) => {
  const last = { code: "51", message: "short" };
  expect(readReport(at("2026-03-02T09:30:00"), last, report, at(`2026-03-02T${time}`))).toBe(reading);
});

test("the next date is the first planned one that is still to come", () => {
  const planned = [at("2026-03-02T00:00:00"), at("2026-03-04T00:00:00")];
  expect(nextDate(planned, at("2026-03-02T00:00:00"))).toEqual(planned[1]);
  expect(nextDate(planned, at("2026-03-05T00:00:00"))).toBeNull();
});
