import { readPolicy, toStoredJson, type StoredJson } from "../engine/decision-record.ts";
import type { Policy } from "../engine/policy.ts";

/** The terms of a vendor's policy; its version is derived from its number. */
export type PolicyTerms = Omit<Policy, "version">;

/** The terms as they are stored. */
export const toStoredTerms = (terms: PolicyTerms): StoredJson => toStoredJson(terms);

/** A stored policy as the engine takes it. Its version is unique across all vendors. */
export const policyOfRecord = ({ id, terms }: { id: number; terms: StoredJson }): Policy =>
  readPolicy({ ...terms, version: `policy-${id}` });
