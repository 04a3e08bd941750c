import { amountOf } from "../../src/kernel/amounts.ts";
import { zoneRules } from "../../src/kernel/zone-rules.ts";
import type { CaseAttempt, RecoveryCase } from "../../src/recovery/engine/recovery-case.ts";

/** The first failure of the cases that are told here. */
const FAILED = "2026-03-01T09:30:00.000Z";

/** So many days after the failure, and hours more. */
export const day = (days: number, hours = 0): Date => new Date(Date.parse(FAILED) + (days * 24 + hours) * 3_600_000);

/** A failed attempt so many days after the failure, for want of money unless told otherwise. */
export const attempt = (days: number, said: Partial<CaseAttempt> = {}): CaseAttempt => ({
  at: day(days),
  code: "51",
  message: null,
  adviceCode: null,
  network: null,
  initiator: "MERCHANT",
  ...said,
});

/** A case of one failure, in UTC unless told otherwise. */
export const caseWith = (facts: Partial<RecoveryCase> = {}, zoneId = "UTC"): RecoveryCase => ({
  amount: amountOf(18_900),
  currency: "KRW",
  country: "KR",
  gateway: null,
  paymentMethod: null,
  zone: zoneRules(zoneId, facts.windowStart ?? day(0)),
  windowStart: day(0),
  attempts: [attempt(0)],
  alongside: [],
  events: [],
  promised: null,
  due: null,
  used: null,
  ...facts,
});
