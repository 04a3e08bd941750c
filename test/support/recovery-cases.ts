import { toAmount } from "../../src/kernel/amounts.ts";
import { zoneRulesAround } from "../../src/kernel/zone-rules.ts";
import type { CaseAttempt, RecoveryCase } from "../../src/recovery/engine/recovery-case.ts";

/** The first failure of the cases here. */
const FIRST_FAILED_AT = "2026-03-01T09:30:00.000Z";

/** So many days and hours after the failure. */
export const daysAfterFailure = (days: number, hours = 0): Date =>
  new Date(Date.parse(FIRST_FAILED_AT) + (days * 24 + hours) * 3_600_000);

/** A failed attempt so many days after the failure, by default for insufficient funds. */
export const failedAttempt = (days: number, overrides: Partial<CaseAttempt> = {}): CaseAttempt => ({
  at: daysAfterFailure(days),
  code: "51",
  message: null,
  adviceCode: null,
  network: null,
  initiator: "MERCHANT",
  ...overrides,
});

/** A case of one failure, by default in UTC. */
export const recoveryCaseWith = (facts: Partial<RecoveryCase> = {}, zoneId = "UTC"): RecoveryCase => ({
  amount: toAmount(18_900),
  currency: "KRW",
  country: "KR",
  gateway: null,
  paymentMethod: null,
  zone: zoneRulesAround(zoneId, facts.windowStart ?? daysAfterFailure(0)),
  windowStart: daysAfterFailure(0),
  attempts: [failedAttempt(0)],
  alongside: [],
  events: [],
  promised: null,
  due: null,
  used: null,
  ...facts,
});
