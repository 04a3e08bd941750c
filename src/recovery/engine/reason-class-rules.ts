import type { ReasonClass } from "../../../schema/vocabulary.ts";
import type { ZoneRules } from "../../kernel/zone-rules.ts";
import type { CaseAttempt } from "./recovery-case.ts";
import { normalizeCode } from "./decline.ts";
import { nextLocalMidnight } from "./local-time.ts";

/** The delay that a class of declines imposes. EVEN and SMART obey; a ladder does not. */
interface ClassRule {
  reason: ReasonClass;
  /** Only declines with one of these codes. */
  codes?: readonly string[];
  delay: { hours: number; doublingTo?: number } | "NEXT_LOCAL_DAY";
  /** At most so many tries after a decline of the class. */
  cap?: number;
}

/** The first matching rule applies. */
const classRules: readonly ClassRule[] = [
  { reason: "INSUFFICIENT_FUNDS", delay: { hours: 24 } },
  { reason: "LIMIT_EXCEEDED", delay: "NEXT_LOCAL_DAY" },
  { reason: "GENERIC_REFUSAL", delay: { hours: 24 } },
  { reason: "TECHNICAL", delay: { hours: 1, doublingTo: 6 } },
  { reason: "SUSPECTED_FRAUD", codes: ["83"], delay: { hours: 72 }, cap: 1 },
  { reason: "SUSPECTED_FRAUD", delay: { hours: 48 }, cap: 2 },
  { reason: "RESTRICTED", codes: ["36", "62", "78"], delay: { hours: 72 } },
  { reason: "RESTRICTED", delay: { hours: 7 * 24 }, cap: 1 },
  { reason: "UNKNOWN", delay: { hours: 24 } },
];

/** An attempt with what its decline means. */
export interface ClassifiedAttempt {
  attempt: CaseAttempt;
  reason: ReasonClass;
}

const HOUR_MS = 3_600_000;

/**
 * The earliest next attempt that the class of the last decline requires, or null. The network's own advice on how long
 * to wait for funds (`advised`) takes precedence.
 */
export function classDelayEnd(
  declines: readonly ClassifiedAttempt[],
  zone: ZoneRules,
  hasNetworkDelay: boolean,
): Date | null {
  const last = declines.at(-1);
  const rule = last && classRuleOf(last);
  if (!rule || (rule.reason === "INSUFFICIENT_FUNDS" && hasNetworkDelay)) return null;
  if (rule.delay === "NEXT_LOCAL_DAY") return nextLocalMidnight(last.attempt.at, zone);
  const { hours, doublingTo = hours } = rule.delay;
  const streak = declines.length - 1 - declines.findLastIndex(({ reason }) => reason !== rule.reason);
  return new Date(last.attempt.at.getTime() + Math.min(hours * 2 ** (streak - 1), doublingTo) * HOUR_MS);
}

/** Whether the attempts that the class of the last decline allows are used up. */
export function isClassCapReached(declines: readonly ClassifiedAttempt[]): boolean {
  const last = declines.at(-1);
  const cap = last && classRuleOf(last)?.cap;
  if (cap === undefined) return false;
  return declines.filter((one) => one.reason === last?.reason && classRuleOf(one)?.cap !== undefined).length > cap;
}

const classRuleOf = ({ attempt, reason }: ClassifiedAttempt): ClassRule | undefined =>
  classRules.find((rule) => rule.reason === reason && (rule.codes?.includes(normalizeCode(attempt.code)) ?? true));
