import type { PolicyPlan, Policy, QuietHoursWindow } from "../engine/policy.ts";
import { formatTimeOfDay } from "./recovery-policy.rules.ts";

const planToGraph = (plan: PolicyPlan) =>
  plan.kind === "LADDER"
    ? { ...plan, maxRetries: plan.offsetsInDays.length, windowInDays: plan.offsetsInDays.at(-1) ?? 0 }
    : { ...plan, maxRetries: plan.tries, offsetsInDays: [] };

const quietHoursToGraph = (quiet: QuietHoursWindow | null | undefined) =>
  quiet ? { quietFrom: formatTimeOfDay(quiet.from), quietUntil: formatTimeOfDay(quiet.until) } : null;

/** A policy as it is shown: every plan with its number of retries and its window, times of day as clocks show them. */
export const termsToGraph = (policy: Policy) => ({
  ...policy,
  exploration: policy.exploration ?? null,
  retryCost: policy.tryPrice,
  plan: planToGraph(policy.plan),
  quietHours: quietHoursToGraph(policy.quietHours),
  overrides: policy.overrides.map((override) => ({
    ...override,
    plan: override.plan ? planToGraph(override.plan) : null,
    quietHours: quietHoursToGraph(override.quietHours),
  })),
});
