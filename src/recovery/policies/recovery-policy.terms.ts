import { readPolicy, toStoredJson, type StoredJson } from "../engine/decision-record.ts";
import type { Policy } from "../engine/policy.ts";

/** What a vendor's policy says; its version is made of its number. */
export type PolicyTerms = Omit<Policy, "version">;

/** The terms as they are stored. */
export const toStoredTerms = (terms: PolicyTerms): StoredJson => toStoredJson(terms);

/** A stored policy as the engine takes it. Its version tells it from every other of every vendor. */
export const policyOfRecord = ({ id, terms }: { id: number; terms: StoredJson }): Policy =>
  readPolicy({ ...terms, version: `policy-${id}` });
