import { defaultPolicy, builtInPolicyOf, type Policy } from "../engine/policy.ts";
import { readPolicy, toStoredJson, type StoredJson } from "../engine/decision-record.ts";

/** A policy as a cover keeps it. */
interface StoredPolicy {
  policyVersion: string;
  policy: StoredJson | null;
}

/** The policy that a cover began with. */
export const readPolicyOfCover = ({ policy, policyVersion }: StoredPolicy): Policy =>
  policy ? readPolicy(policy) : builtInPolicyOf(policyVersion);

/** A policy as a cover keeps it: those that come with the gateway are known by their version. */
export const toStoredPolicy = (policy: Policy): StoredJson | null =>
  policy === defaultPolicy ? null : toStoredJson(policy);
