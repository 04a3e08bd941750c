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

export type Plan = LadderPlan | WindowPlan;

/** Minutes of the payer's local day between which no try is made; `from` after `until` passes midnight. */
export interface QuietHours {
  from: number;
  until: number;
}

/** What a cover is run by. */
export interface Terms {
  plan: Plan;
  quietHours: QuietHours | null;
}

/** Terms for some cases: the first override whose conditions all hold replaces those that it names. */
export interface Override extends Partial<Terms> {
  country?: string | null;
  paymentMethod?: PaymentMethod | null;
  reasonClass?: ReasonClass | null;
}

/** How the tries of a cover are spread. A running cover keeps the version it began with. */
export interface Policy extends Terms {
  version: string;
  overrides: readonly Override[];
  /** What a try costs the merchant, in the vendor's currency. */
  tryPrice: Amount | null;
  /** What becomes of the subscription when trying is over without the money; null is what is usual for whoever charges it. */
  finalAction: FinalAction | null;
}

/** A policy of a plan alone. */
export const policyWith = (version: string, plan: Plan, rest: Partial<Policy> = {}): Policy => ({
  version,
  plan,
  quietHours: null,
  overrides: [],
  tryPrice: null,
  finalAction: null,
  ...rest,
});

/** What existing integrations see: five tries over two weeks. */
export const defaultPolicy: Policy = policyWith("ladder-1-3-5-10-14", {
  kind: "LADDER",
  offsetsInDays: [1, 3, 5, 10, 14],
});

const policies = new Map([[defaultPolicy.version, defaultPolicy]]);

/** The policy of this version: a cover that began with it goes on with it. */
export function policyOf(version: string): Policy {
  const policy = policies.get(version);
  if (!policy) throw new Error(`No policy has the version ${version}.`);
  return policy;
}

/** What a case is judged by. */
export interface Judged {
  country: string | null;
  paymentMethod: PaymentMethod | null;
  reasonClass: ReasonClass | null;
}

/** The terms that hold for a case. */
export function termsFor({ plan, quietHours, overrides }: Policy, judged: Judged): Terms {
  const override = overrides.find(
    ({ country, paymentMethod, reasonClass }) =>
      (country == null || country === judged.country) &&
      (paymentMethod == null || paymentMethod === judged.paymentMethod) &&
      (reasonClass == null || reasonClass === judged.reasonClass),
  );
  return { plan: override?.plan ?? plan, quietHours: override?.quietHours ?? quietHours };
}
