import { readPolicy } from "../engine/decision-record.ts";
import { defaultPolicy, type Policy } from "../engine/policy.ts";
import { policyOfRecord } from "../policies/recovery-policy.terms.ts";
import type { AssignableArm, ExperimentArmRecord, PolicyLevel } from "./recovery-experiment.repository.ts";

/** The version of the policy that an arm's covers start with. Every holdout has its own, or that of the built-in policy. */
export function versionOfArm(
  experimentId: number,
  { policyId, terms }: Pick<ExperimentArmRecord, "policyId" | "terms">,
): string {
  if (policyId !== null) return `policy-${policyId}`;
  return terms ? `experiment-${experimentId}-holdout` : defaultPolicy.version;
}

/** The policy that an arm's covers start with. */
export function policyOfArm(
  experimentId: number,
  { policyId, terms }: Pick<AssignableArm, "policyId" | "terms">,
): Policy {
  if (terms === null) return defaultPolicy;
  if (policyId !== null) return policyOfRecord({ id: policyId, terms });
  return readPolicy({ ...terms, version: versionOfArm(experimentId, { policyId, terms }) });
}

/** The policies that new covers are run by: those of a running experiment's arms, else the active one. */
export function policiesInForce(levels: readonly PolicyLevel[]): Policy[] {
  const level = levelInForce(levels);
  if (!level) return [defaultPolicy];
  const { experimentId, arms, policyId, policyTerms } = level;
  if (experimentId !== null && arms !== null) return arms.map((arm) => policyOfArm(experimentId, arm));
  return policyId !== null && policyTerms !== null
    ? [policyOfRecord({ id: policyId, terms: policyTerms })]
    : [defaultPolicy];
}

/** Whether new covers of registered orders only record what they would advise: the vendor's setting, else its parent's. */
export const isInShadowMode = (levels: readonly PolicyLevel[]): boolean =>
  levels.find(({ shadowMode }) => shadowMode !== null)?.shadowMode ?? false;

/** What decides about new covers: the first of the vendor and its parent that has an experiment or a policy. */
export const levelInForce = (levels: readonly PolicyLevel[]): PolicyLevel | undefined =>
  levels.find(({ experimentId, policyId }) => experimentId !== null || policyId !== null);
