import { ZERO, type Amount } from "../../kernel/amounts.ts";
import type { CaseAttempt, RecoveryCase } from "../engine/recovery-case.ts";
import { decide } from "../engine/decide-retry.ts";
import { classify } from "../engine/decline.ts";
import { explain, type Language } from "../engine/explain-decision.ts";
import type { Policy } from "../engine/policy.ts";
import { currentRulebook } from "../engine/rulebook.ts";

/** No policy has more tries. */
const MOST_TRIES = 100;

/** Lives through a case in which every try fails like the first, and tells each decision on the way. */
export function previewOf(first: RecoveryCase, policy: Policy, language: Language) {
  const tries = [];
  let facts = first;
  let decision = decide(facts, policy, currentRulebook, null, facts.windowStart);
  while (decision.retryAt && tries.length < MOST_TRIES) {
    const { retryAt: at, probability, floorRow } = decision;
    tries.push({
      number: tries.length + 1,
      at,
      probability,
      floorRow,
      explanation: explain(decision, facts.zone, language),
    });
    const next: CaseAttempt = { ...first.attempts[0]!, initiator: "MERCHANT", at };
    facts = { ...facts, attempts: [...facts.attempts, next], used: at };
    decision = decide(facts, policy, currentRulebook, null, at);
  }
  const price: Amount = policy.tryPrice ?? ZERO;
  return {
    tries,
    reasonClass: classify(first.attempts[0]!, first),
    endReason: decision.endReason ?? ("NO_TRIES_LEFT" as const),
    cost: price.times(tries.length),
  };
}
