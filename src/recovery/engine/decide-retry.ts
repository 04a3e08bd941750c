import type { CoverEndReason, EffectKind } from "../../../schema/vocabulary.ts";
import { laterInstant } from "../../kernel/instants.ts";
import type { RecoveryCase } from "./recovery-case.ts";
import { classDelayEnd, isClassCapReached, type ClassifiedAttempt } from "./reason-class-rules.ts";
import type { Decision, Effect, ModelFallback } from "./decision.ts";
import { declinesVersion } from "./decline-table.ts";
import { classifyDecline, endReasonOf } from "./decline.ts";
import { estimateSuccess } from "./model/estimate-success.ts";
import { chooseTime } from "./model/choose-time.ts";
import type { RetryModel } from "./model/retry-model.ts";
import { toStatedProbability } from "./model/rounding.ts";
import { plannedTimes } from "./planned-times.ts";
import { afterQuietHours } from "./quiet-hours.ts";
import { NO_MODEL, termsFor, type Policy, type EffectiveTerms } from "./policy.ts";
import { appliesTo, earliestLegalTime, type LegalTime, type PastAttempt, type Rulebook } from "./rulebook.ts";

/**
 * Version of the steps in this folder, from facts to a decision. A test pins it to their results: another result from
 * the same facts requires another version, and decisions of older versions are not compared with it.
 */
export const engineVersion = "2026-11-23.5";

/**
 * Older versions that decide as this one does from all their facts, but under SMART: they had no other attempts on the same
 * card, no model, or another choice of times. Only retries of May 2025 differ, which Visa's former limit delayed beyond its
 * own end.
 */
export const equivalentEngineVersions: readonly string[] = [
  ...["2026-11-21", "2026-11-21.2", "2026-11-23", "2026-11-23.2", "2026-11-23.3", "2026-11-23.4"],
];

/**
 * Says when to try a failed payment next, or that trying is over. Pure: the same facts give the same decision.
 */
export function decideRetry(
  facts: RecoveryCase,
  policy: Policy,
  rulebook: Rulebook,
  model: RetryModel | null,
  now: Date,
  fallback: ModelFallback | null = null,
): Decision {
  const changedAt = methodChangeOf(facts);
  const declines = facts.attempts
    .filter(({ at }) => !changedAt || at >= changedAt)
    .map((attempt): ClassifiedAttempt => ({ attempt, reason: classifyDecline(attempt, facts) }));
  const reasonClass = declines.at(-1)?.reason ?? null;
  const terms = termsFor(policy, { ...facts, reasonClass });
  const { plan } = terms;
  const usedModel = plan.kind === "SMART" && policy.model !== NO_MODEL ? model : null;
  const times = plannedTimes(plan, facts);
  const attemptsUsed = facts.attempts.filter(({ at }) => at > facts.windowStart).length;
  const windowEnds = times.at(-1) ?? facts.windowStart;
  const effects: Effect[] = [];
  const base = {
    reasonClass,
    effects,
    budget: { used: attemptsUsed, limit: times.length, windowEnds },
    policyVersion: policy.version,
    rulebookVersion: rulebook.version,
    declinesVersion,
    modelVersion: usedModel?.version ?? null,
    propensity: 1,
  };
  const endWith = (endReason: CoverEndReason, kind: EffectKind, by: string | null = null): Decision => ({
    ...base,
    retryAt: null,
    endReason,
    floor: null,
    floorRow: kind === "RULEBOOK" ? by : null,
    probability: null,
    interval: null,
    alternatives: [],
    effects: [...effects, { kind, at: null, by }],
  });

  if (facts.events.some(({ kind }) => kind === "APPROVED_ELSEWHERE")) return endWith("ALREADY_PAID", "PAID_ELSEWHERE");
  const ending = reasonClass && endReasonOf(reasonClass);
  if (ending) return endWith(ending, "REASON", reasonClass);
  if (plan.kind !== "LADDER") {
    if (isClassCapReached(declines)) return endWith("NO_TRIES_LEFT", "CLASS_CAP", reasonClass);
    if (attemptsUsed >= plan.tries) return endWith("NO_TRIES_LEFT", "BUDGET");
  }

  const from = laterInstant(now, facts.promised ?? facts.used ?? now);
  const fixedDate = facts.promised ?? facts.due;
  const attempts = attemptsUnderMethod(facts);
  const modelled = usedModel?.forCase(facts) ?? null;
  const choice =
    modelled && !fixedDate
      ? chooseTime(modelled, {
          now: from,
          lastAttemptAt: declines.at(-1)?.attempt.at ?? null,
          windowStart: facts.windowStart,
          payingProbability: payingProbability(policy, facts),
          delayEnd: classDelay(declines, facts, rulebook),
          evenTimes: times,
          attemptsUsed,
          draws: facts.draws ?? null,
          legalFrom: (at) => legalAndOutsideQuietHours(attempts, at, terms, facts, rulebook),
        })
      : null;
  if (choice === "NOT_WORTH_RETRYING") return endWith("NOT_WORTH_RETRYING", "TRY_PRICE");
  const futureTimes = choice ? [choice.at, ...choice.following] : times.filter((time) => time > from);
  const candidate = fixedDate ?? futureTimes.shift();
  if (!candidate) return endWith(plan.kind === "LADDER" ? "NO_TRIES_LEFT" : "WINDOW_OVER", "BUDGET");

  effects.push({ kind: fixedDate ? "KEPT" : "SCHEDULE", at: candidate, by: plan.kind });
  if (plan.kind === "SMART") effects.push(...toFallbackEffects(policy, candidate, modelled !== null, fallback));
  const delayed = fixedDate ? candidate : applyClassDelay(candidate, terms, declines, facts, rulebook, effects);
  const legal = applyRulebookAndQuietHours(attempts, delayed, facts.promised ? null : terms, facts, rulebook, effects);
  if (!legal.at) {
    const isForbidden = legal.row?.limit.kind === "NEVER";
    return endWith(isForbidden ? "MUST_NOT_RETRY" : "NO_TRIES_LEFT", "RULEBOOK", legal.row?.id);
  }
  // A ladder's try is moved and never dropped; a window has an end, which only quiet hours pass.
  const allowed = laterInstant(delayed, legal.floor ?? delayed);
  const isDateKept = facts.promised !== null || (facts.due !== null && !legal.row);
  if (plan.kind !== "LADDER" && !isDateKept && allowed > windowEnds) return endWith("WINDOW_OVER", "WINDOW");

  const retryAt = legal.at;
  const estimate = modelled && estimateSuccess(modelled, retryAt);
  return {
    ...base,
    ...(choice && { choice: choice.record, propensity: choice.propensity }),
    retryAt,
    endReason: null,
    floor: legal.floor,
    floorRow: legal.row && legal.row.id,
    probability: estimate?.probability ?? null,
    interval: estimate?.interval ?? null,
    alternatives: futureTimes
      .map((time) => afterQuietHours(time, terms.quietHours, facts))
      .filter((time, index, all) => time > retryAt && time > (all[index - 1] ?? retryAt))
      .map((at) => ({ at, probability: modelled && toStatedProbability(modelled.probabilityAt(at)) })),
  };
}

/** The step that says that another model decides than should, or none. */
function toFallbackEffects(policy: Policy, at: Date, isModelled: boolean, fallback: ModelFallback | null): Effect[] {
  if (policy.model === NO_MODEL) return [{ kind: "FALLBACK", at, by: "EVEN", reason: "OFF" }];
  if (fallback) return [{ kind: "FALLBACK", at, by: fallback.to, reason: fallback.reason }];
  return isModelled ? [] : [{ kind: "FALLBACK", at, by: "EVEN" }];
}

/** The probability of success from which a retry pays its price; 0 where it has none, or none in the currency of the amount. */
function payingProbability({ tryPrice, tryPriceCurrency }: Policy, { amount, currency }: RecoveryCase): number {
  if (!tryPrice || tryPriceCurrency !== currency || !amount.gt(0)) return 0;
  return Number(tryPrice) / Number(amount);
}

/** The end of the delay that the class of the last decline imposes; null where it imposes none. */
function classDelay(declines: readonly ClassifiedAttempt[], { zone }: RecoveryCase, rulebook: Rulebook): Date | null {
  const last = declines.at(-1);
  const hasNetworkDelay =
    last !== undefined && rulebook.rows.some((row) => row.limit.kind === "FLOOR" && appliesTo(row, last.attempt));
  return classDelayEnd(declines, zone, hasNetworkDelay);
}

/** Under EVEN and SMART, not before the class of the decline allows it. */
function applyClassDelay(
  candidate: Date,
  { plan }: EffectiveTerms,
  declines: readonly ClassifiedAttempt[],
  facts: RecoveryCase,
  rulebook: Rulebook,
  effects: Effect[],
): Date {
  if (plan.kind === "LADDER") return candidate;
  const earliest = classDelay(declines, facts, rulebook);
  if (!earliest || earliest <= candidate) return candidate;
  effects.push({ kind: "CLASS_DELAY", at: earliest, by: declines.at(-1)?.reason ?? null });
  return earliest;
}

/** The earliest time at or after another that quiet hours and the rulebook allow; null where none is legal any more. */
const legalAndOutsideQuietHours = (
  attempts: readonly PastAttempt[],
  at: Date,
  terms: EffectiveTerms,
  facts: RecoveryCase,
  rulebook: Rulebook,
): Date | null => applyRulebookAndQuietHours(attempts, at, terms, facts, rulebook, []).at;

/** The earliest time that the rulebook allows and that is outside quiet hours. Both only move an attempt later. */
function applyRulebookAndQuietHours(
  attempts: readonly PastAttempt[],
  candidate: Date,
  terms: EffectiveTerms | null,
  facts: RecoveryCase,
  rulebook: Rulebook,
  effects: Effect[],
): LegalTime & { floor: Date | null } {
  let at = candidate;
  let row: LegalTime["row"] = null;
  let others = 0;
  for (;;) {
    // The attempt that is due was already announced, and only a rule defers it.
    const isDueNow = facts.due !== null && !row;
    const outsideQuietHours = isDueNow ? at : afterQuietHours(at, terms?.quietHours ?? null, facts);
    if (outsideQuietHours > at) effects.push({ kind: "QUIET_HOURS", at: outsideQuietHours, by: null });
    const legal = earliestLegalTime(attempts, outsideQuietHours, rulebook, facts);
    if (!legal.at) return { ...legal, floor: null };
    if (!legal.row) return { at: outsideQuietHours, row, others, floor: row && at };
    const countedAttempts = legal.others > 0 ? { others: legal.others } : {};
    effects.push({ kind: "RULEBOOK", at: legal.at, by: legal.row.id, ...countedAttempts });
    at = legal.at;
    row = legal.row;
    others = legal.others;
  }
}

const methodChangeOf = ({ events }: RecoveryCase): Date | undefined =>
  events.findLast(({ kind }) => kind === "METHOD_CHANGED")?.at;

/** The attempts as they bind the current payment method. */
export function attemptsUnderMethod(facts: RecoveryCase): readonly PastAttempt[] {
  const changedAt = methodChangeOf(facts);
  return changedAt ? facts.attempts.map((attempt) => withoutOldMethodCodes(attempt, changedAt)) : facts.attempts;
}

/** The codes of the replaced method no longer bind; the attempt itself still counts. */
const withoutOldMethodCodes = (attempt: PastAttempt, changedAt: Date): PastAttempt =>
  attempt.at >= changedAt ? attempt : { ...attempt, code: null, adviceCode: null };
