import type { Plan, Policy, QuietHours } from "../engine/policy.ts";
import { clockTime } from "./recovery-policy.rules.ts";

const shownPlan = (plan: Plan) =>
  plan.kind === "LADDER"
    ? { ...plan, tries: plan.offsetsInDays.length, windowInDays: plan.offsetsInDays.at(-1) ?? 0 }
    : { ...plan, offsetsInDays: [] };

const shownQuiet = (quiet: QuietHours | null | undefined) =>
  quiet ? { quietFrom: clockTime(quiet.from), quietUntil: clockTime(quiet.until) } : null;

/** A policy as it is shown: every plan with its tries and its window, times of day as clocks show them. */
export const shownTerms = (policy: Policy) => ({
  ...policy,
  plan: shownPlan(policy.plan),
  quietHours: shownQuiet(policy.quietHours),
  overrides: policy.overrides.map((override) => ({
    ...override,
    plan: override.plan ? shownPlan(override.plan) : null,
    quietHours: shownQuiet(override.quietHours),
  })),
});
