import { itemAt } from "../../kernel/required-values.ts";
import { toAmount } from "../../kernel/amounts.ts";
import { decideRetry } from "../engine/decide-retry.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import { defaultPolicy, createPolicy, type Policy } from "../engine/policy.ts";
import { currentRulebook } from "../engine/rulebook.ts";
import type { RetryStrategy } from "./retry-strategy.ts";
import { toEngineCase } from "./engine-case.ts";

/** Creates a strategy that retries as the engine decides under a policy. Without a model, SMART uses the even schedule. */
const createEngineStrategy = (
  name: string,
  label: string,
  policy: Policy,
  model: RetryModel | null,
  exploration: number,
  tryPrice: number,
): RetryStrategy => ({
  name,
  label,
  baseline: false,
  ...(policy.plan.kind === "SMART" && model && { model: model.version }),
  next(history, now) {
    const draws = exploration > 0 ? { key: `${history.payerId} ${history.index}`, share: exploration } : null;
    const facts = { ...toEngineCase(history), draws };
    const priced =
      tryPrice > 0 ? { ...policy, tryPrice: toAmount(tryPrice), tryPriceCurrency: history.currency } : policy;
    const { retryAt, probability } = decideRetry(facts, priced, currentRulebook, model, now);
    return retryAt && { at: retryAt, probability };
  },
});

const WINDOW_IN_DAYS = 28;

/** The policies that are simulated by default. */
export const defaultPolicyNames: readonly string[] = ["LADDER", "EVEN-4", "EVEN-8", "SMART-4", "SMART-8"];

/** The valid policy names, for the error message after a mistyped one. */
export const policyNameHelp =
  "LADDER, LADDER-1-3-7 (days after the failure), EVEN-8 or SMART-8 (tries over 28 days), EVEN-6/21 (over 21 days); EVEN and SMART alone mean 4 and 8 tries";

/** Expands a word to full policy names, or returns undefined if it is none: `smart` means `SMART-4` and `SMART-8`. */
export function expandPolicyName(word: string): string[] | undefined {
  const name = word.toUpperCase();
  if (name === "EVEN" || name === "SMART") return [`${name}-4`, `${name}-8`];
  return parsePlan(name) && [name];
}

/**
 * Returns the strategy for a full policy name, or undefined if the name is invalid. `exploration` is the share of cases
 * that choose their times at random among several good ones, `tryPrice` the cost of a try in the
 * currency of each payment.
 */
export function engineStrategyOf(
  name: string,
  model: RetryModel | null = null,
  exploration = 0,
  tryPrice = 0,
): RetryStrategy | undefined {
  const plan = parsePlan(name);
  if (!plan) return undefined;
  const policy = name === "LADDER" ? defaultPolicy : createPolicy(`simulated-${name}`, plan);
  return createEngineStrategy(name, planLabel(plan), policy, model, exploration, tryPrice);
}

/** True if the policy chooses its times by a model. */
export const isLearnedPolicy = (name: string): boolean => parsePlan(name)?.kind === "SMART";

const MAX_TRIES = 100;
const MAX_DAYS = 60;

function parsePlan(name: string): Policy["plan"] | undefined {
  if (name === "LADDER") return defaultPolicy.plan;
  const ladder = /^LADDER((?:-\d{1,3})+)$/.exec(name);
  if (ladder) {
    const offsetsInDays = itemAt(ladder, 1).slice(1).split("-").map(Number);
    const isRising = offsetsInDays.every((days, index) => days > (offsetsInDays[index - 1] ?? 0));
    return isRising ? { kind: "LADDER", offsetsInDays } : undefined;
  }
  const spread = /^(EVEN|SMART)-(\d{1,3})(?:\/(\d{1,3}))?$/.exec(name);
  if (!spread) return undefined;
  const [tries, windowInDays] = [Number(spread[2]), Number(spread[3] ?? WINDOW_IN_DAYS)];
  if (tries < 1 || tries > MAX_TRIES || windowInDays < 1 || windowInDays > MAX_DAYS) return undefined;
  return { kind: spread[1] as "EVEN" | "SMART", tries, windowInDays };
}

function planLabel(plan: Policy["plan"]): string {
  if (plan.kind === "LADDER") return `Recoup ladder: days ${plan.offsetsInDays.join(", ")}`;
  const name = `Recoup ${plan.kind === "SMART" ? "smart" : "even"}: up to ${plan.tries} tries`;
  return plan.windowInDays === WINDOW_IN_DAYS ? name : `${name} in ${plan.windowInDays} days`;
}
