/** A fixed schedule: so many days after the first failure, at the failure's local time of day. */
export interface LadderPolicy {
  kind: "LADDER";
  version: string;
  offsetsInDays: readonly number[];
}

/** How the tries of a cover are spread. A running cover keeps the version it began with. */
export type Policy = LadderPolicy;

/** What existing integrations see: five tries over two weeks. */
export const defaultPolicy: Policy = {
  kind: "LADDER",
  version: "ladder-1-3-5-10-14",
  offsetsInDays: [1, 3, 5, 10, 14],
};

const policies = new Map([[defaultPolicy.version, defaultPolicy]]);

/** The policy of this version: a cover that began with it goes on with it. */
export function policyOf(version: string): Policy {
  const policy = policies.get(version);
  if (!policy) throw new Error(`No policy has the version ${version}.`);
  return policy;
}
