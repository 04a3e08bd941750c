import { toAmount, type Amount } from "../../kernel/amounts.ts";
import { invalidFields, type FieldError } from "../../kernel/refusals.ts";
import { isSmart, type Policy, type PolicyPlan } from "../engine/policy.ts";
import { toPolicy, type RequestedTerms } from "../policies/recovery-policy.rules.ts";
import { toStoredTerms } from "../policies/recovery-policy.terms.ts";

/** The arms of an experiment in a merchant's input. */
export interface RequestedArms {
  arms: readonly { policyId: number; share: Amount }[];
  holdout?: { share?: Amount | null; terms?: RequestedTerms | null } | null;
}

/** An arm to store; number 0 is the holdout. */
export interface NewArm {
  number: number;
  policyId: number | null;
  terms: Record<string, unknown> | null;
  shareParts: number;
}

/** The parts of the whole that shares are counted in. */
export const SHARE_PARTS = 10_000;

const MAX_ARMS = 8;
const DEFAULT_HOLDOUT_SHARE = toAmount("0.05");

/** Days beyond the window in which the last attempt is reported, and retries that a rule moved are made. */
const DAYS_TO_REPORT = 3;

/**
 * The arms from a merchant's input, the holdout first. `currency` is the vendor's.
 * @throws a Refusal that names every wrong value.
 */
export function readArms({ arms, holdout }: RequestedArms, currency: string): NewArm[] {
  const errors: FieldError[] = [];
  const addError = (path: string, message: string) => errors.push({ path, code: "INVALID_VALUE", message });
  const readShare = (path: string, share: Amount): number => {
    const parts = Number(share.times(SHARE_PARTS));
    if (!Number.isInteger(parts) || parts < 1 || parts >= SHARE_PARTS)
      addError(path, "must be a fraction from 0.0001 to 0.9999 with at most 4 decimals.");
    return parts;
  };
  if (arms.length === 0 || arms.length > MAX_ARMS) addError("arms", `must have 1 to ${MAX_ARMS} entries.`);
  if (arms.some(({ policyId }, index) => arms.findIndex((arm) => arm.policyId === policyId) < index))
    addError("arms", "must not have a policy twice.");
  const terms = holdout?.terms ? toPolicy(holdout.terms, "", "holdout.terms", currency) : null;
  if (terms && isSmart(terms)) addError("holdout.terms", "must not have a SMART plan: a holdout learns nothing.");
  const all = [
    {
      number: 0,
      policyId: null,
      terms: terms && toStoredTerms(withoutVersion(terms)),
      shareParts: readShare("holdout.share", holdout?.share ?? DEFAULT_HOLDOUT_SHARE),
    },
    ...arms.map(({ policyId, share }, index) => ({
      number: index + 1,
      policyId,
      terms: null,
      shareParts: readShare(`arms[${index}].share`, share),
    })),
  ];
  if (errors.length === 0 && all.reduce((sum, { shareParts }) => sum + shareParts, 0) !== SHARE_PARTS)
    addError("arms", "must have shares that add up to 1 with that of the holdout.");
  if (errors.length > 0) throw invalidFields(errors);
  return all;
}

/** After so many days a cover of any of these policies has had all its attempts. */
export const comparedAfterDays = (policies: readonly Pick<Policy, "plan" | "overrides">[]): number =>
  DAYS_TO_REPORT +
  Math.max(
    ...policies.flatMap(({ plan, overrides }) => [plan, ...overrides.map((one) => one.plan ?? plan)]).map(windowOf),
  );

const windowOf = (plan: PolicyPlan): number =>
  plan.kind === "LADDER" ? Math.max(...plan.offsetsInDays) : plan.windowInDays;

const withoutVersion = ({ version: _none, ...terms }: Policy) => terms;
