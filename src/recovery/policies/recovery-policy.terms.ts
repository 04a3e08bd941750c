import { readPolicy, written, type Written } from "../engine/decision-record.ts";
import type { Policy } from "../engine/policy.ts";

/** What a vendor's policy says; its version is made of its number. */
export type PolicyTerms = Omit<Policy, "version">;

/** The terms as they are stored. */
export const storedTerms = (terms: PolicyTerms): Written => written(terms);

/** A stored policy as the engine takes it. Its version tells it from every other of every vendor. */
export const policyOfRecord = ({ id, terms }: { id: number; terms: Written }): Policy =>
  readPolicy({ ...terms, version: `policy-${id}` });
