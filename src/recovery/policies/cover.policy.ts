import { defaultPolicy, policyOf, type Policy } from "../engine/policy.ts";
import { readPolicy, written, type Written } from "../engine/decision-record.ts";

/** A policy as a cover keeps it. */
interface Kept {
  policyVersion: string;
  policy: Written | null;
}

/** The policy that a cover began with. */
export const policyOfCover = ({ policy, policyVersion }: Kept): Policy =>
  policy ? readPolicy(policy) : policyOf(policyVersion);

/** A policy as a cover keeps it: those that come with the gateway are known by their version. */
export const keptPolicy = (policy: Policy): Written | null => (policy === defaultPolicy ? null : written(policy));
