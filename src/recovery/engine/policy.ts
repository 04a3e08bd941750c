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

/** The cases of SMART that draw their times from several good ones, so that the model learns about other hours too. */
export interface ExplorationTerms {
  /** The share of covers that explore, 0 to 1. */
  share: number;
  /** Larger amounts never explore; null for no limit. */
  maxAmount: Amount | null;
  /** ISO 4217 code of `maxAmount`. An amount of another currency cannot be compared, and does not explore. */
  currency: string | null;
}

/** The terms that a cover runs under. */
export interface EffectiveTerms {
  plan: PolicyPlan;
  quietHours: QuietHoursWindow | null;
}

/** The model that a policy names, if it names no version: the one that may decide at the time, or none. */
export const AUTOMATIC_MODEL = "AUTO";
export const NO_MODEL = "OFF";

/** Terms for some cases: the first override whose conditions are all true replaces the terms that it lists. */
export interface TermsOverride extends Partial<EffectiveTerms> {
  country?: string | null;
  paymentMethod?: PaymentMethod | null;
  reasonClass?: ReasonClass | null;
}

/** The distribution of a cover's attempts. A running cover stays with the version that it started with. */
export interface Policy extends EffectiveTerms {
  version: string;
  overrides: readonly TermsOverride[];
  /** Absent or null where no case explores: policies of older versions decide as they did. */
  exploration?: ExplorationTerms | null;
  /** The model by which SMART chooses times: AUTO, OFF, or the version of one. */
  model: string;
  /** The merchant's cost of one attempt, in the vendor's currency. */
  tryPrice: Amount | null;
  /**
   * ISO 4217 code of `tryPrice`: SMART makes no retry of an amount in this currency that does not pay its price. Absent in policies of
   * older versions, whose price limits nothing.
   */
  tryPriceCurrency?: string | null;
  /**
   * The action on the subscription when recovery ends without payment; null is the default of the side that charges it.
   */
  finalAction: FinalAction | null;
}

/** A policy of a plan alone. */
export const createPolicy = (version: string, plan: PolicyPlan, rest: Partial<Policy> = {}): Policy => ({
  version,
  plan,
  quietHours: null,
  overrides: [],
  model: AUTOMATIC_MODEL,
  tryPrice: null,
  finalAction: null,
  ...rest,
});

/** The default for existing integrations: five attempts over two weeks. */
export const defaultPolicy: Policy = createPolicy("ladder-1-3-5-10-14", {
  kind: "LADDER",
  offsetsInDays: [1, 3, 5, 10, 14],
});

/** Whether a policy may choose times by a model: its plan, or that of an override. */
export const isSmart = ({ plan, overrides }: Policy): boolean =>
  [plan, ...overrides.map((override) => override.plan)].some((one) => one?.kind === "SMART");

/** The version of the model that a policy stays with; null where it names none. */
export const pinnedModelOf = ({ model }: Pick<Policy, "model">): string | null =>
  model === AUTOMATIC_MODEL || model === NO_MODEL ? null : model;

const DAY_MS = 86_400_000;
/** Quiet hours and the networks' delays may move the last attempt past the window. */
const GRACE_MS = 3 * DAY_MS;

/** How long a cover may run under a policy, in milliseconds: its longest window, with three days of grace. */
export function longestDurationMs({ plan, overrides }: Policy): number {
  const days = [plan, ...overrides.flatMap((one) => one.plan ?? [])].map((one) =>
    one.kind === "LADDER" ? (one.offsetsInDays.at(-1) ?? 0) : one.windowInDays,
  );
  return Math.max(...days) * DAY_MS + GRACE_MS;
}

const builtInPolicies = new Map([[defaultPolicy.version, defaultPolicy]]);

/** The built-in policy of a version: a cover stays with the version that it started with. */
export function builtInPolicyOf(version: string): Policy {
  const policy = builtInPolicies.get(version);
  if (!policy) throw new Error(`No policy has the version ${version}.`);
  return policy;
}

/** The conditions by which overrides match a case. */
export interface CaseConditions {
  country: string | null;
  paymentMethod: PaymentMethod | null;
  reasonClass: ReasonClass | null;
}

/** The terms in force for a case. */
export function termsFor({ plan, quietHours, overrides }: Policy, conditions: CaseConditions): EffectiveTerms {
  const override = overrides.find(
    ({ country, paymentMethod, reasonClass }) =>
      (country == null || country === conditions.country) &&
      (paymentMethod == null || paymentMethod === conditions.paymentMethod) &&
      (reasonClass == null || reasonClass === conditions.reasonClass),
  );
  return { plan: override?.plan ?? plan, quietHours: override?.quietHours ?? quietHours };
}
