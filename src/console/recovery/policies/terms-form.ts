import type {
  FinalAction,
  PaymentMethod,
  PolicyTermsFragment,
  ReasonClass,
  RecoveryTermsInput,
  RetryPlanInput,
  RetryPlanKind,
  RetryTimesFragment,
} from "../../generated/operations.ts";

/** A plan as it is typed in. */
export interface PlanForm {
  kind: RetryPlanKind;
  days: string;
  maxRetries: string;
  windowInDays: string;
}

/** An exception as it is typed in; empty texts are left out. */
export interface OverrideForm {
  reasonClass: ReasonClass | "";
  country: string;
  paymentMethod: PaymentMethod | "";
  plan: PlanForm | undefined;
  quietFrom: string;
  quietUntil: string;
}

/** The terms of a policy as they are typed in; empty texts are left out. */
export interface TermsForm {
  plan: PlanForm;
  quietFrom: string;
  quietUntil: string;
  overrides: readonly OverrideForm[];
  retryCost: string;
  finalAction: FinalAction | "";
  model: string;
  /** Whole percent. */
  explorationShare: string;
  explorationAmount: string;
}

export const DEFAULT_PLAN: PlanForm = { kind: "LADDER", days: "1, 3, 5, 10, 14", maxRetries: "8", windowInDays: "28" };
const DEFAULT_EXPLORATION = "10";

const toPlanForm = ({ kind, offsetsInDays, maxRetries, windowInDays }: RetryTimesFragment): PlanForm =>
  kind === "LADDER"
    ? { ...DEFAULT_PLAN, kind, days: offsetsInDays.join(", ") }
    : { ...DEFAULT_PLAN, kind, maxRetries: String(maxRetries), windowInDays: String(windowInDays) };

/** The form of terms that exist, to change them. */
export const toTermsForm = (terms: PolicyTermsFragment): TermsForm => ({
  plan: toPlanForm(terms.plan),
  quietFrom: terms.quietHours?.quietFrom ?? "",
  quietUntil: terms.quietHours?.quietUntil ?? "",
  overrides: terms.overrides.map(({ reasonClass, country, paymentMethod, plan, quietHours }) => ({
    reasonClass: reasonClass ?? "",
    country: country ?? "",
    paymentMethod: paymentMethod ?? "",
    plan: plan ? toPlanForm(plan) : undefined,
    quietFrom: quietHours?.quietFrom ?? "",
    quietUntil: quietHours?.quietUntil ?? "",
  })),
  retryCost: terms.retryCost ?? "",
  finalAction: terms.finalAction ?? "",
  model: terms.model,
  explorationShare: terms.exploration
    ? String(Math.round(terms.exploration.share * 10_000) / 100)
    : DEFAULT_EXPLORATION,
  explorationAmount: terms.exploration?.maxAmount ?? "",
});

const WHOLE_NUMBER = /^\d{1,3}$/;
const NUMBER = /^\d+(?:[.]\d+)?$/;

/** Whether a text is a count or a number of days. */
export const isWholeNumber = (text: string): boolean => WHOLE_NUMBER.test(text);

/** Whether a text is an amount, or empty. */
export const isAmount = (text: string): boolean => text.trim() === "" || NUMBER.test(text.trim());

/** The days of a list such as "1, 3, 5"; undefined if it is not one. */
export function readDays(text: string): number[] | undefined {
  const words = text.split(/[\s,]+/).filter(Boolean);
  return words.length > 0 && words.every(isWholeNumber) ? words.map(Number) : undefined;
}

function toPlanInput({ kind, days, maxRetries, windowInDays }: PlanForm): RetryPlanInput | undefined {
  if (kind === "LADDER") {
    const offsetsInDays = readDays(days);
    return offsetsInDays && { kind, offsetsInDays };
  }
  if (!isWholeNumber(maxRetries) || !isWholeNumber(windowInDays)) return undefined;
  return { kind, maxRetries: Number(maxRetries), windowInDays: Number(windowInDays) };
}

const filled = <Text extends string>(text: Text): Exclude<Text, ""> | undefined =>
  text.trim() === "" ? undefined : (text.trim() as Exclude<Text, "">);

export const hasSmartPlan = ({ plan, overrides }: TermsForm): boolean =>
  [plan, ...overrides.map((override) => override.plan)].some((one) => one?.kind === "SMART");

/** What the API is sent; undefined while a number cannot be read. The gateway checks everything else. */
export function toTermsInput(form: TermsForm): RecoveryTermsInput | undefined {
  const plan = toPlanInput(form.plan);
  const overrides = form.overrides.map(({ plan: ownPlan, ...override }) => ({
    reasonClass: filled(override.reasonClass),
    country: filled(override.country),
    paymentMethod: filled(override.paymentMethod),
    quietFrom: filled(override.quietFrom),
    quietUntil: filled(override.quietUntil),
    plan: ownPlan && toPlanInput(ownPlan),
    isReadable: !ownPlan || toPlanInput(ownPlan) !== undefined,
  }));
  const isSmart = hasSmartPlan(form);
  const amounts = [form.retryCost, ...(isSmart ? [form.explorationShare, form.explorationAmount] : [])];
  if (!plan || !amounts.every(isAmount) || !overrides.every(({ isReadable }) => isReadable)) return undefined;
  const share = filled(form.explorationShare);
  return {
    plan,
    quietFrom: filled(form.quietFrom),
    quietUntil: filled(form.quietUntil),
    overrides: overrides.map(({ isReadable: _, ...override }) => override),
    retryCost: filled(form.retryCost),
    finalAction: filled(form.finalAction),
    ...(isSmart && {
      model: filled(form.model),
      exploration: {
        share: share === undefined ? undefined : Number(share) / 100,
        maxAmount: filled(form.explorationAmount),
      },
    }),
  };
}
