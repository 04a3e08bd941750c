import type { FinalAction, PaymentMethod, ReasonClass } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";

/** A fixed schedule: so many days after the first failure, at the failure's local time of day. */
export interface LadderPlan {
  kind: "LADDER";
  offsetsInDays: readonly number[];
}

/** So many tries, spread evenly over a window. SMART chooses their times by a model, and falls back to the even ones. */
export interface WindowPlan {
  kind: "EVEN" | "SMART";
  tries: number;
  windowInDays: number;
}

export type PolicyPlan = LadderPlan | WindowPlan;

/** Minutes of the payer's local day between which no try is made; `from` after `until` passes midnight. */
export interface QuietHoursWindow {
  from: number;
  until: number;
}

/** What a cover is run by. */
export interface EffectiveTerms {
  plan: PolicyPlan;
  quietHours: QuietHoursWindow | null;
}

/** Terms for some cases: the first override whose conditions all hold replaces those that it names. */
export interface TermsOverride extends Partial<EffectiveTerms> {
  country?: string | null;
  paymentMethod?: PaymentMethod | null;
  reasonClass?: ReasonClass | null;
}

/** How the tries of a cover are spread. A running cover keeps the version it began with. */
export interface Policy extends EffectiveTerms {
  version: string;
  overrides: readonly TermsOverride[];
  /** What a try costs the merchant, in the vendor's currency. */
  tryPrice: Amount | null;
  /** What becomes of the subscription when trying is over without the money; null is what is usual for whoever charges it. */
  finalAction: FinalAction | null;
}

/** A policy of a plan alone. */
export const createPolicy = (version: string, plan: PolicyPlan, rest: Partial<Policy> = {}): Policy => ({
  version,
  plan,
  quietHours: null,
  overrides: [],
  tryPrice: null,
  finalAction: null,
  ...rest,
});

/** What existing integrations see: five tries over two weeks. */
export const defaultPolicy: Policy = createPolicy("ladder-1-3-5-10-14", {
  kind: "LADDER",
  offsetsInDays: [1, 3, 5, 10, 14],
});

const builtInPolicies = new Map([[defaultPolicy.version, defaultPolicy]]);

/** The policy of this version: a cover that began with it goes on with it. */
export function builtInPolicyOf(version: string): Policy {
  const policy = builtInPolicies.get(version);
  if (!policy) throw new Error(`No policy has the version ${version}.`);
  return policy;
}

/** What a case is judged by. */
export interface CaseConditions {
  country: string | null;
  paymentMethod: PaymentMethod | null;
  reasonClass: ReasonClass | null;
}

/** The terms that hold for a case. */
export function termsFor({ plan, quietHours, overrides }: Policy, conditions: CaseConditions): EffectiveTerms {
  const override = overrides.find(
    ({ country, paymentMethod, reasonClass }) =>
      (country == null || country === conditions.country) &&
      (paymentMethod == null || paymentMethod === conditions.paymentMethod) &&
      (reasonClass == null || reasonClass === conditions.reasonClass),
  );
  return { plan: override?.plan ?? plan, quietHours: override?.quietHours ?? quietHours };
}
