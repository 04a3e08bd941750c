import type { Language } from "../../../schema/vocabulary.ts";
import { ZERO, type Amount } from "../../kernel/amounts.ts";
import { firstOf } from "../../kernel/required-values.ts";
import type { CaseAttempt, RecoveryCase } from "../engine/recovery-case.ts";
import { decideRetry } from "../engine/decide-retry.ts";
import { classifyDecline } from "../engine/decline.ts";
import { explainDecision } from "../engine/explain-decision.ts";
import type { Policy } from "../engine/policy.ts";
import { currentRulebook } from "../engine/rulebook.ts";
import type { SelectedModel } from "../models/model-selection.ts";

/** No policy has more tries. */
const MAX_TRIES = 100;

/** Simulates a case in which every attempt fails like the first, and yields each decision. */
export function previewRecovery(
  first: RecoveryCase,
  policy: Policy,
  { model, fallback }: SelectedModel,
  language: Language,
) {
  const retries = [];
  let facts = first;
  let decision = decideRetry(facts, policy, currentRulebook, model, facts.windowStart, fallback);
  while (decision.retryAt && retries.length < MAX_TRIES) {
    const { retryAt: at, probability, floorRow } = decision;
    retries.push({
      number: retries.length + 1,
      at,
      probability,
      ruleId: floorRow,
      explanation: explainDecision(decision, facts.zone, language),
    });
    const next: CaseAttempt = { ...firstOf(first.attempts), initiator: "MERCHANT", at };
    facts = { ...facts, attempts: [...facts.attempts, next], used: at };
    decision = decideRetry(facts, policy, currentRulebook, model, at, fallback);
  }
  const price: Amount = policy.tryPrice ?? ZERO;
  return {
    retries,
    reasonClass: classifyDecline(firstOf(first.attempts), first),
    endReason: decision.endReason ?? ("NO_TRIES_LEFT" as const),
    cost: price.times(retries.length),
  };
}
