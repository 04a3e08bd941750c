import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import { SliceArgs, toConnection } from "../../graphql/connection.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { NodeResolver } from "../../graphql/node.ts";
import { databaseIdOf } from "../../graphql/record-ids.ts";
import { toAmount } from "../../kernel/amounts.ts";
import { toVendorDay } from "../analytics/recovery-analytics.tally.ts";
import { policyOfRecord } from "../policies/recovery-policy.terms.ts";
import { termsToGraph } from "../policies/recovery-policy.presenter.ts";
import { RecoveryTerms } from "../policies/recovery-terms.type.ts";
import { latestStartFirst } from "../registry/default-sorting.ts";
import { policyOfArm } from "./experiment-arm.policy.ts";
import { compareArm, countsOfArm, toExperimentTally, toRateDifference } from "./experiment-results.ts";
import type { ExperimentArmRecord, RecoveryExperimentRecord } from "./recovery-experiment.repository.ts";
import { SHARE_PARTS } from "./recovery-experiment.rules.ts";
import {
  PromoteRecoveryExperimentArmInput,
  PromoteRecoveryExperimentArmPayload,
  RateDifference,
  RecoveryExperiment,
  RecoveryExperimentArm,
  RecoveryExperimentConnection,
  RecoveryExperimentTally,
  SampleRatio,
  StartRecoveryExperimentInput,
  StartRecoveryExperimentPayload,
  StopRecoveryExperimentInput,
  StopRecoveryExperimentPayload,
} from "./recovery-experiment.type.ts";
import { isSampleRatioMismatch, sampleRatioPValue } from "./sample-ratio.ts";

@Resolver(() => RecoveryExperiment)
export class RecoveryExperimentResolver extends NodeResolver(() => RecoveryExperiment, "RecoveryExperiment") {
  @Query(() => RecoveryExperiment, {
    nullable: true,
    description: "Returns one experiment. Null if the vendor has no experiment with this id.",
  })
  recoveryExperiment(
    @Arg("id", () => ID, { description: "Global id or number of the experiment." }) id: string,
    @Ctx() { loaders }: GatewayContext,
  ) {
    return loaders.findById("recoveryExperiments", databaseIdOf("RecoveryExperiment", id, "id"));
  }

  @Query(() => RecoveryExperimentConnection, { description: "Returns the vendor's experiments, the newest first." })
  recoveryExperiments(@Ctx() context: GatewayContext, @Args(() => SliceArgs) args: SliceArgs) {
    return toConnection(context, context.read.recoveryExperiments.list, args, {}, latestStartFirst);
  }

  @Mutation(() => StartRecoveryExperimentPayload, {
    description:
      "Starts an experiment: its arms choose the policy of new covers, instead of the active policy. Covers in progress keep their policy. EXPERIMENT_RUNNING if another one is running.",
  })
  async startRecoveryExperiment(
    @Arg("input", () => StartRecoveryExperimentInput, { description: "The experiment." })
    input: StartRecoveryExperimentInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const arms = input.arms.map(({ policyId, share }, index) => ({
      policyId: databaseIdOf("RecoveryPolicy", policyId, `arms[${index}].policyId`),
      share,
    }));
    return {
      experiment: await write(({ recoveryExperiments }) => recoveryExperiments.start(vendor, { ...input, arms })),
    };
  }

  @Mutation(() => StopRecoveryExperimentPayload, {
    description:
      "Stops an experiment: the active policy applies to new covers at once. A stopped experiment is returned as it is.",
  })
  async stopRecoveryExperiment(
    @Arg("input", () => StopRecoveryExperimentInput, { description: "The experiment." })
    { experimentId, coversInProgress }: StopRecoveryExperimentInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const id = databaseIdOf("RecoveryExperiment", experimentId, "experimentId");
    return {
      experiment: await write(({ recoveryExperiments }) =>
        recoveryExperiments.stop(vendor.id, id, coversInProgress ?? "KEEP_POLICY"),
      ),
    };
  }

  @Mutation(() => PromoteRecoveryExperimentArmPayload, {
    description:
      "Activates the policy of an arm and ends the experiment. A repeat changes nothing; EXPERIMENT_STOPPED if the experiment ended otherwise.",
  })
  async promoteRecoveryExperimentArm(
    @Arg("input", () => PromoteRecoveryExperimentArmInput, { description: "The arm." })
    { experimentId, arm, coversInProgress }: PromoteRecoveryExperimentArmInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const id = databaseIdOf("RecoveryExperiment", experimentId, "experimentId");
    return {
      experiment: await write(({ recoveryExperiments }) =>
        recoveryExperiments.promoteArm(vendor.id, id, arm, coversInProgress ?? "KEEP_POLICY"),
      ),
    };
  }

  @FieldResolver(() => [RecoveryExperimentArm], { description: "Arms of the experiment, the holdout first." })
  arms(@Root() { id }: RecoveryExperimentRecord, @Ctx() { loaders }: GatewayContext) {
    return loaders.experimentArmsOf(id);
  }

  @FieldResolver(() => SampleRatio, { description: "Whether the numbers of payers fit the shares of the arms." })
  async sampleRatio(@Root() { id }: RecoveryExperimentRecord, @Ctx() { loaders }: GatewayContext) {
    const [arms, counts] = await Promise.all([loaders.experimentArmsOf(id), loaders.experimentCountsOf(id)]);
    const pValue = sampleRatioPValue(
      arms.map(({ number, shareParts }) => ({
        payers: countsOfArm(counts, number).payers,
        share: shareParts / SHARE_PARTS,
      })),
    );
    return { pValue, isPlausible: !isSampleRatioMismatch(pValue) };
  }
}

@Resolver(() => RecoveryExperimentArm)
export class RecoveryExperimentArmResolver {
  @FieldResolver()
  share(@Root() { shareParts }: ExperimentArmRecord) {
    return toAmount(shareParts).div(SHARE_PARTS);
  }

  @FieldResolver()
  policy(@Root() { policyId }: ExperimentArmRecord, @Ctx() { loaders }: GatewayContext) {
    return policyId === null ? null : loaders.requireById("recoveryPolicies", policyId);
  }

  @FieldResolver(() => RecoveryTerms, { description: "Terms of the arm's covers." })
  async terms(@Root() arm: ExperimentArmRecord, @Ctx() { loaders }: GatewayContext) {
    if (arm.policyId === null) return termsToGraph(policyOfArm(arm.experimentId, arm));
    return termsToGraph(policyOfRecord(await loaders.requireById("recoveryPolicies", arm.policyId)));
  }

  @FieldResolver(() => RecoveryExperimentTally, { description: "Results of all covers of the arm so far." })
  async results(@Root() { experimentId, number }: ExperimentArmRecord, @Ctx() { loaders }: GatewayContext) {
    return toExperimentTally(countsOfArm(await loaders.experimentCountsOf(experimentId), number));
  }

  @FieldResolver(() => RecoveryExperimentTally, {
    description: "Results of the covers that are old enough to be compared. See `comparedAfterDays` of the experiment.",
  })
  async comparedResults(@Root() { experimentId, number }: ExperimentArmRecord, @Ctx() context: GatewayContext) {
    return toExperimentTally(countsOfArm(await maturedCountsOf(context, experimentId), number));
  }

  @FieldResolver(() => RateDifference, {
    nullable: true,
    description:
      "Recovery rate of the compared covers minus that of the holdout. Null for the holdout, and while either has fewer than 50 payers.",
  })
  async recoveryRateDifference(@Root() arm: ExperimentArmRecord, @Ctx() context: GatewayContext) {
    return toRateDifference((await differencesOf(context, arm))?.byCount);
  }

  @FieldResolver(() => RateDifference, {
    nullable: true,
    description:
      "Recovery rate by amount of the compared covers minus that of the holdout. Null for the holdout, and while either has fewer than 50 payers.",
  })
  async recoveryRateByAmountDifference(@Root() arm: ExperimentArmRecord, @Ctx() context: GatewayContext) {
    return toRateDifference((await differencesOf(context, arm))?.byAmount);
  }
}

/** The counts of the covers that are old enough today. */
const maturedCountsOf = ({ loaders, vendor, clock }: GatewayContext, experimentId: number) =>
  loaders.experimentCountsOf(experimentId, toVendorDay(clock.now(), vendor.zoneId));

async function differencesOf(context: GatewayContext, { experimentId, number }: ExperimentArmRecord) {
  if (number === 0) return undefined;
  const [arms, counts] = await Promise.all([
    context.loaders.experimentArmsOf(experimentId),
    maturedCountsOf(context, experimentId),
  ]);
  return compareArm(counts, number, arms.length - 1);
}
