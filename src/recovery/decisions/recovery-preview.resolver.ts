import { Arg, Ctx, Query, Resolver } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { idOf } from "../../graphql/record-ids.ts";
import { ZERO } from "../../kernel/amounts.ts";
import { missing } from "../../kernel/refusals.ts";
import { caseOf } from "../covers/cover.facts.ts";
import { understood } from "../policies/decline-mappings.ts";
import { defaultPolicy, type Policy } from "../engine/policy.ts";
import { attemptOf } from "../covers/failure-report.ts";
import { policyFrom } from "../policies/recovery-policy.rules.ts";
import { shownTerms } from "../policies/recovery-policy.presenter.ts";
import { policyOfRecord } from "../policies/recovery-policy.terms.ts";
import { PreviewRecoveryScheduleInput, SchedulePreview } from "./recovery-preview.type.ts";
import { previewOf } from "./recovery-preview.ts";

@Resolver()
export class RecoveryPreviewResolver {
  @Query(() => SchedulePreview, {
    description:
      "What would be done about a failed payment if every try failed alike, before there is a cover: the tries with their reasons, their price, and why they would end.",
  })
  async previewRecoverySchedule(
    @Arg("input", () => PreviewRecoveryScheduleInput, { description: "The failure, and by which policy." })
    input: PreviewRecoveryScheduleInput,
    @Ctx() context: GatewayContext,
  ) {
    const { vendor, clock, read } = context;
    const policy = await policyFor(input, context);
    const windowStart = input.failedAt ?? clock.now();
    const order = {
      amount: input.amount ?? ZERO,
      paymentGateway: input.paymentGateway ?? ("UNKNOWN" as const),
      paymentMethod: input.paymentMethod ?? null,
    };
    const payer = { country: input.country ?? null };
    const zoneId = input.timeZone ?? vendor.zoneId;
    const told = caseOf({ vendor, order, payer, windowStart, zoneId }, { attempts: [attemptOf(input, windowStart)] });
    const facts = await understood(read.recoveryPolicies, vendor.id, told);
    return { terms: shownTerms(policy), ...previewOf(facts, policy, input.language ?? "EN") };
  }
}

async function policyFor(
  { policyId, terms }: PreviewRecoveryScheduleInput,
  { read, vendor, loaders }: GatewayContext,
): Promise<Policy> {
  if (terms) return policyFrom(terms, "preview", "terms");
  if (policyId == null) {
    const record = await read.recoveryPolicies.inForce(vendor.id);
    return record ? policyOfRecord(record) : defaultPolicy;
  }
  const record = await loaders.find("recoveryPolicies", idOf("RecoveryPolicy", policyId, "policyId"));
  if (!record) throw missing("POLICY_NOT_FOUND", "There is no recovery policy with this id.");
  return policyOfRecord(record);
}
