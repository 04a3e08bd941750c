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
  RetireRecoveryPolicyInput,
  RetireRecoveryPolicyPayload,
} from "./recovery-policy.type.ts";
import { RecoveryTerms } from "./recovery-terms.type.ts";

@Resolver(() => RecoveryPolicy)
export class RecoveryPolicyResolver extends NodeResolver(() => RecoveryPolicy, "RecoveryPolicy") {
  @Query(() => PolicyInForce, {
    description: "Returns the policy for new covers: the vendor's own, else its parent's, else the default.",
  })
  async recoveryPolicy(@Ctx() { read, vendor }: GatewayContext) {
    const record = await read.recoveryPolicies.findActive(vendor.id);
    if (!record) return { origin: "DEFAULT", terms: termsToGraph(defaultPolicy) };
    return { origin: record.vendorId === vendor.id ? "OWN" : "PARENT", terms: termsToGraph(policyOfRecord(record)) };
  }

  @Query(() => RecoveryPolicyConnection, { description: "Returns the vendor's own policies, the newest first." })
  recoveryPolicies(@Ctx() context: GatewayContext, @Args(() => SliceArgs) args: SliceArgs) {
    return toConnection(context, context.read.recoveryPolicies.list, args, {}, newestProposalFirst);
  }

  @Mutation(() => ProposeRecoveryPolicyPayload, {
    description: "Stores a policy. It is applied to covers only after its activation.",
  })
  async proposeRecoveryPolicy(
    @Arg("input", () => ProposeRecoveryPolicyInput, { description: "The policy." }) input: ProposeRecoveryPolicyInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    return { policy: await write(({ recoveryPolicies }) => recoveryPolicies.propose(vendor, input.terms)) };
  }

  @Mutation(() => ActivateRecoveryPolicyPayload, {
    description:
      "Applies this policy to new covers of the vendor and of its children without an own policy. Covers in progress keep their policy.",
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
      "Stops applying this policy to new covers. The parent's policy or the default applies instead; covers in progress keep it.",
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
