import { Arg, Ctx, Query, Resolver } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { databaseIdOf } from "../../graphql/record-ids.ts";
import { ZERO } from "../../kernel/amounts.ts";
import { notFound } from "../../kernel/refusals.ts";
import { requireModelOf, selectModel } from "../models/model-selection.ts";
import { toRecoveryCase } from "../covers/cover.facts.ts";
import { withDeclineMappings } from "../policies/decline-mappings.ts";
import { defaultPolicy, type Policy } from "../engine/policy.ts";
import { toCaseAttempt } from "../covers/failure-report.ts";
import { toPolicy } from "../policies/recovery-policy.rules.ts";
import { termsToGraph } from "../policies/recovery-policy.presenter.ts";
import { policyOfRecord } from "../policies/recovery-policy.terms.ts";
import { PreviewRecoveryScheduleInput, SchedulePreview } from "./recovery-preview.type.ts";
import { previewRecovery } from "./recovery-preview.ts";

@Resolver()
export class RecoveryPreviewResolver {
  @Query(() => SchedulePreview, {
    description:
      "Simulates the recovery of a failed payment in which every attempt fails with the same error. Returns the attempts with their reasons and cost, and the reason for the end. No cover is started.",
  })
  async previewRecoverySchedule(
    @Arg("input", () => PreviewRecoveryScheduleInput, { description: "The failure, and the policy to apply." })
    input: PreviewRecoveryScheduleInput,
    @Ctx() context: GatewayContext,
  ) {
    const { vendor, clock, read } = context;
    const policy = await resolvePolicy(input, context);
    const windowStart = input.failedAt ?? clock.now();
    const order = {
      amount: input.amount ?? ZERO,
      paymentGateway: input.paymentGateway ?? ("UNKNOWN" as const),
      paymentMethod: input.paymentMethod ?? null,
    };
    const payer = { country: input.country ?? null };
    const zoneId = input.timeZone ?? vendor.zoneId;
    const reportedFacts = toRecoveryCase(
      { vendor, order, payer, windowStart, zoneId },
      { attempts: [toCaseAttempt(input, windowStart)] },
    );
    const facts = await withDeclineMappings(read.recoveryPolicies, vendor.id, reportedFacts);
    const { recoveryModels } = read;
    const model = await selectModel(recoveryModels, vendor.id, policy, () => recoveryModels.standing(vendor.id));
    return { terms: termsToGraph(policy), ...previewRecovery(facts, policy, model, input.language ?? "ENGLISH") };
  }
}

async function resolvePolicy(
  { policyId, terms }: PreviewRecoveryScheduleInput,
  { read, vendor, loaders }: GatewayContext,
): Promise<Policy> {
  if (terms) {
    const policy = toPolicy(terms, "preview", "terms", vendor.currency);
    await requireModelOf(read.recoveryModels, vendor.id, policy);
    return policy;
  }
  if (policyId == null) {
    const record = await read.recoveryPolicies.findActive(vendor.id);
    return record ? policyOfRecord(record) : defaultPolicy;
  }
  const record = await loaders.findById("recoveryPolicies", databaseIdOf("RecoveryPolicy", policyId, "policyId"));
  if (!record) throw notFound("POLICY_NOT_FOUND", "There is no recovery policy with this id.");
  return policyOfRecord(record);
}
