import type { CoverEndReason, EffectKind } from "../../../schema/vocabulary.ts";
import { later } from "../../kernel/instants.ts";
import type { RecoveryCase } from "./recovery-case.ts";
import { classDelay, isSpent, type Judgement } from "./reason-class-rules.ts";
import type { Decision, Effect } from "./decision.ts";
import { declinesVersion } from "./decline-table.ts";
import { classify, endingOf } from "./decline.ts";
import { chanceOf, type HazardModel } from "./hazard-model.ts";
import { afterQuietHours, plannedTimes } from "./planned-times.ts";
import { termsFor, type Policy, type Terms } from "./policy.ts";
import { isMeant, legalFrom, type LegalTime, type PastAttempt, type Rulebook } from "./rulebook.ts";

/**
 * Version of the steps of this folder, from facts to a decision. A test holds it to what comes of them: another answer to the same
 * facts is another version, and what an older one decided is not judged by it.
 */
export const engineVersion = "2026-11-21.2";

/** Older versions that answer as this one does whatever they were told: they knew of no tries alongside. */
export const sameAnswers: readonly string[] = ["2026-11-21"];

/**
 * Says when to try a failed payment next, or that trying is over. Pure: the same facts give the same decision.
 */
export function decide(
  facts: RecoveryCase,
  policy: Policy,
  rulebook: Rulebook,
  model: HazardModel | null,
  now: Date,
): Decision {
  const changedAt = facts.events.findLast(({ kind }) => kind === "METHOD_CHANGED")?.at;
  const declines = facts.attempts
    .filter(({ at }) => !changedAt || at >= changedAt)
    .map((attempt): Judgement => ({ attempt, reason: classify(attempt, facts) }));
  const reasonClass = declines.at(-1)?.reason ?? null;
  const terms = termsFor(policy, { ...facts, reasonClass });
  const { plan } = terms;
  const times = plannedTimes(plan, facts);
  const used = facts.attempts.filter(({ at }) => at > facts.windowStart).length;
  const windowEnds = times.at(-1) ?? facts.windowStart;
  const effects: Effect[] = [];
  const base = {
    reasonClass,
    effects,
    budget: { used, limit: times.length, windowEnds },
    policyVersion: policy.version,
    rulebookVersion: rulebook.version,
    declinesVersion,
    modelVersion: model?.version ?? null,
    propensity: 1,
  };
  const over = (endReason: CoverEndReason, kind: EffectKind, by: string | null = null): Decision => ({
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

  if (facts.events.some(({ kind }) => kind === "APPROVED_ELSEWHERE")) return over("ALREADY_PAID", "PAID_ELSEWHERE");
  const ending = reasonClass && endingOf(reasonClass);
  if (ending) return over(ending, "REASON", reasonClass);
  if (plan.kind !== "LADDER") {
    if (isSpent(declines, plan.kind)) return over("NO_TRIES_LEFT", "CLASS_CAP", reasonClass);
    if (used >= plan.tries) return over("NO_TRIES_LEFT", "BUDGET");
  }

  const from = later(now, facts.promised ?? facts.used ?? now);
  const coming = times.filter((time) => time > from);
  const given = facts.promised ?? facts.due;
  const candidate = given ?? coming.shift();
  if (!candidate) return over(plan.kind === "LADDER" ? "NO_TRIES_LEFT" : "WINDOW_OVER", "BUDGET");

  effects.push({ kind: given ? "KEPT" : "SCHEDULE", at: candidate, by: plan.kind });
  if (plan.kind === "SMART") effects.push({ kind: "FALLBACK", at: candidate, by: "EVEN" });
  const attempts = changedAt ? facts.attempts.map((attempt) => onOldMethod(attempt, changedAt)) : facts.attempts;
  const slowed = given ? candidate : slow(candidate, terms, declines, facts, rulebook, effects);
  const legal = legalAndLoud(attempts, slowed, facts.promised ? null : terms, facts, rulebook, effects);
  if (!legal.at) {
    const isForbidden = legal.row?.limit.kind === "NEVER";
    return over(isForbidden ? "MUST_NOT_RETRY" : "NO_TRIES_LEFT", "RULEBOOK", legal.row?.id);
  }
  // A ladder's try is moved and never dropped; a window has an end, which only quiet hours pass.
  const allowed = later(slowed, legal.floor ?? slowed);
  const isKept = facts.promised !== null || (facts.due !== null && !legal.row);
  if (plan.kind !== "LADDER" && !isKept && allowed > windowEnds) return over("WINDOW_OVER", "WINDOW");

  const retryAt = legal.at;
  const chance = chanceOf(model, facts, retryAt);
  return {
    ...base,
    retryAt,
    endReason: null,
    floor: legal.floor,
    floorRow: legal.row && legal.row.id,
    probability: chance?.probability ?? null,
    interval: chance?.interval ?? null,
    alternatives: coming
      .map((time) => afterQuietHours(time, terms.quietHours, facts))
      .filter((time, index, all) => time > retryAt && time > (all[index - 1] ?? retryAt))
      .map((at) => ({ at, probability: chanceOf(model, facts, at)?.probability ?? null })),
  };
}

/** Under EVEN and SMART, not before the class of the decline allows it. */
function slow(
  candidate: Date,
  { plan }: Terms,
  declines: readonly Judgement[],
  { zone }: RecoveryCase,
  rulebook: Rulebook,
  effects: Effect[],
): Date {
  if (plan.kind === "LADDER") return candidate;
  const last = declines.at(-1);
  const advised =
    last !== undefined && rulebook.rows.some((row) => row.limit.kind === "FLOOR" && isMeant(row, last.attempt));
  const floor = classDelay(declines, zone, advised);
  if (!floor || floor <= candidate) return candidate;
  effects.push({ kind: "CLASS_DELAY", at: floor, by: last?.reason ?? null });
  return floor;
}

/** The earliest time that the rulebook allows and that lies outside the quiet hours. Each moves a try later only. */
function legalAndLoud(
  attempts: readonly PastAttempt[],
  candidate: Date,
  terms: Terms | null,
  facts: RecoveryCase,
  rulebook: Rulebook,
  effects: Effect[],
): LegalTime & { floor: Date | null } {
  let at = candidate;
  let row: LegalTime["row"] = null;
  let others = 0;
  for (;;) {
    // What is about to be tried was given before, and is not put off but by a rule.
    const isGiven = facts.due !== null && !row;
    const loud = isGiven ? at : afterQuietHours(at, terms?.quietHours ?? null, facts);
    if (loud > at) effects.push({ kind: "QUIET_HOURS", at: loud, by: null });
    const legal = legalFrom(attempts, loud, rulebook, facts);
    if (!legal.at) return { ...legal, floor: null };
    if (!legal.row) return { at: loud, row, others, floor: row && at };
    const counted = legal.others > 0 ? { others: legal.others } : {};
    effects.push({ kind: "RULEBOOK", at: legal.at, by: legal.row.id, ...counted });
    at = legal.at;
    row = legal.row;
    others = legal.others;
  }
}

/** What a decline of the replaced method said binds no more; that there was a try still counts. */
const onOldMethod = (attempt: PastAttempt, changedAt: Date): PastAttempt =>
  attempt.at >= changedAt ? attempt : { ...attempt, code: null, adviceCode: null };
