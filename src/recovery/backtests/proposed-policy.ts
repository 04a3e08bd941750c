import { decideRetry } from "../engine/decide-retry.ts";
import type { TimeDraw } from "../engine/decision.ts";
import { drawsUnder } from "../engine/exploration.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import type { Policy } from "../engine/policy.ts";
import type { RecoveryCase } from "../engine/recovery-case.ts";
import { currentRulebook } from "../engine/rulebook.ts";
import { withoutDraw } from "./path-chance.ts";
import type { LoggedCase, LoggedStep } from "./logged-case.ts";

/** What a policy does at a step. */
export interface PolicyChoice {
  /** The times that it chooses from, the best first; null where it ends recovery. */
  draw: TimeDraw | null;
  /** The times of the attempts that it plans after that one. */
  following: readonly Date[];
}

/** A policy whose value is estimated. */
export interface ProposedPolicy {
  choiceAt(step: LoggedStep, logged: LoggedCase): PolicyChoice;
}

/** Terms that run on all cases. */
export const proposedTerms = (policy: Policy, model: RetryModel | null): ProposedPolicy => ({
  choiceAt: (step) => choiceUnder(policy, model, step.facts, step.madeAt),
});

/**
 * The policy of each case with other meanings of declines. Where the meanings are the same, it chooses as it was recorded: a model
 * that was trained since then is not what is compared.
 */
export const proposedMeanings = (
  withMeanings: (facts: RecoveryCase) => RecoveryCase,
  model: RetryModel | null,
): ProposedPolicy => ({
  choiceAt: (step, { policy, steps }) => {
    const facts = withMeanings(step.facts);
    if (facts !== step.facts) return choiceUnder(policy, model, facts, step.madeAt);
    const draw = step.draw ?? (step.chosen && withoutDraw(step.chosen));
    const following = steps.flatMap(({ chosen }) => (chosen && step.chosen && chosen > step.chosen ? [chosen] : []));
    return { draw, following };
  },
});

/** No case has this key: what a policy draws is not asked, only what it may draw. */
const ANY_KEY = "backtest";

function choiceUnder(policy: Policy, model: RetryModel | null, recorded: RecoveryCase, now: Date): PolicyChoice {
  const facts = { ...recorded, draws: drawsUnder(policy, recorded, ANY_KEY) };
  const { retryAt, choice, alternatives } = decideRetry(facts, policy, currentRulebook, model, now);
  const draw = retryAt && (choice?.draw ?? withoutDraw(retryAt));
  return { draw, following: alternatives.map(({ at }) => at) };
}
