import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import { toConnection, SliceArgs } from "../../graphql/connection.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { databaseIdOf } from "../../graphql/record-ids.ts";
import { NodeResolver } from "../../graphql/node.ts";
import { defaultPolicy } from "../engine/policy.ts";
import { newestProposalFirst } from "../registry/default-sorting.ts";
import type { RecoveryPolicyRecord } from "./recovery-policy.repository.ts";
import { termsToGraph } from "./recovery-policy.presenter.ts";
import { policyOfRecord } from "./recovery-policy.terms.ts";
import {
  ActivateRecoveryPolicyInput,
  ActivateRecoveryPolicyPayload,
  PolicyInForce,
  ProposeRecoveryPolicyInput,
  ProposeRecoveryPolicyPayload,
  RecoveryPolicy,
  RecoveryPolicyConnection,
  RecoveryTerms,
  RetireRecoveryPolicyInput,
  RetireRecoveryPolicyPayload,
} from "./recovery-policy.type.ts";

@Resolver(() => RecoveryPolicy)
export class RecoveryPolicyResolver extends NodeResolver(() => RecoveryPolicy, "RecoveryPolicy") {
  @Query(() => PolicyInForce, {
    description: "The policy that new covers are run by: the vendor's own, else its parent's, else the default.",
  })
  async recoveryPolicy(@Ctx() { read, vendor }: GatewayContext) {
    const record = await read.recoveryPolicies.findActive(vendor.id);
    if (!record) return { origin: "DEFAULT", terms: termsToGraph(defaultPolicy) };
    return { origin: record.vendorId === vendor.id ? "OWN" : "PARENT", terms: termsToGraph(policyOfRecord(record)) };
  }

  @Query(() => RecoveryPolicyConnection, { description: "The vendor's own policies, the newest first." })
  recoveryPolicies(@Ctx() context: GatewayContext, @Args(() => SliceArgs) args: SliceArgs) {
    return toConnection(context, context.read.recoveryPolicies.list, args, {}, newestProposalFirst);
  }

  @Mutation(() => ProposeRecoveryPolicyPayload, {
    description: "Writes a policy down. No cover is run by it until it is activated.",
  })
  async proposeRecoveryPolicy(
    @Arg("input", () => ProposeRecoveryPolicyInput, { description: "The policy." }) input: ProposeRecoveryPolicyInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    return { policy: await write(({ recoveryPolicies }) => recoveryPolicies.propose(vendor.id, input.terms)) };
  }

  @Mutation(() => ActivateRecoveryPolicyPayload, {
    description:
      "From now on new covers of the vendor, and of those children that have no policy of their own, are run by this policy. Covers in progress keep theirs.",
  })
  async activateRecoveryPolicy(
    @Arg("input", () => ActivateRecoveryPolicyInput, { description: "The policy." }) input: ActivateRecoveryPolicyInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const id = databaseIdOf("RecoveryPolicy", input.policyId, "policyId");
    return { policy: await write(({ recoveryPolicies }) => recoveryPolicies.activate(vendor.id, id)) };
  }

  @Mutation(() => RetireRecoveryPolicyPayload, {
    description:
      "No new cover is run by this policy any more: the parent's holds, or the default. Covers in progress keep it.",
  })
  async retireRecoveryPolicy(
    @Arg("input", () => RetireRecoveryPolicyInput, { description: "The policy." }) input: RetireRecoveryPolicyInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const id = databaseIdOf("RecoveryPolicy", input.policyId, "policyId");
    return { policy: await write(({ recoveryPolicies }) => recoveryPolicies.retire(vendor.id, id)) };
  }

  @FieldResolver(() => RecoveryTerms)
  terms(@Root() record: RecoveryPolicyRecord) {
    return termsToGraph(policyOfRecord(record));
  }
}
