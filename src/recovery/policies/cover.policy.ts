import { defaultPolicy, builtInPolicyOf, type Policy } from "../engine/policy.ts";
import { readPolicy, toStoredJson, type StoredJson } from "../engine/decision-record.ts";

/** A policy as stored with a cover. */
export interface StoredPolicy {
  policyVersion: string;
  policy: StoredJson | null;
}

/** The policy that a cover began with. */
export const readPolicyOfCover = ({ policy, policyVersion }: StoredPolicy): Policy =>
  policy ? readPolicy(policy) : builtInPolicyOf(policyVersion);

/** A policy as stored with a cover: built-in policies are stored by version only. */
export const toStoredPolicy = (policy: Policy): StoredJson | null =>
  policy === defaultPolicy ? null : toStoredJson(policy);
