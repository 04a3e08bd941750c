import { Field, Float, ID, InputType, Int, ObjectType } from "type-graphql";
import { CoversInProgress, ExperimentResult, ExperimentState } from "../../../schema/vocabulary.ts";
import { connectionType } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import { DateTimeScalar, DecimalScalar, LineScalar } from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { RecoveryTally } from "../analytics/recovery-tally.type.ts";
import { RecoveryPolicy } from "../policies/recovery-policy.type.ts";
import { RecoveryTermsInput } from "../policies/recovery-terms-input.type.ts";

@ObjectType({
  description:
    "Results of the covers of one arm. A cover that its first decline ends is not counted, because no policy can change that.",
  simpleResolvers: true,
})
export class RecoveryExperimentTally extends RecoveryTally {
  @Field(() => Int, { description: "Number of payers with at least one of these covers." })
  payers!: number;

  @Field(() => Float, {
    nullable: true,
    description: "Mean number of attempts of the covers that ended. Null if none has ended.",
  })
  attemptsPerCase!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: "Mean number of whole days from the start to the payment. Null if nothing was recovered.",
  })
  daysToRecovery!: number | null;
}

@ObjectType({
  description:
    "Difference between two recovery rates with an interval that stays valid however often it is looked at: with a probability of 95%, none of the intervals of an experiment ever misses its true difference.",
  simpleResolvers: true,
})
export class RateDifference {
  @Field(() => Float, {
    description: "Rate of the arm minus the rate of the holdout: -1 to 1 with six decimals. 0.02 is two points more.",
  })
  value!: number;

  @Field(() => Float, { description: "Lower bound of the difference." })
  lower!: number;

  @Field(() => Float, { description: "Upper bound of the difference." })
  upper!: number;

  @Field(() => ExperimentResult, { description: "What the bounds say." })
  result!: ExperimentResult;
}

@ObjectType({
  description:
    "Arm of an experiment: the payers whose covers one policy runs. The arm with the number 0 is the holdout.",
  simpleResolvers: true,
})
export class RecoveryExperimentArm {
  @Field(() => Int, { description: "Number of the arm. 0 is the holdout; the others are in the order of the input." })
  number!: number;

  @Field(() => RecoveryPolicy, { nullable: true, description: "The policy. Null for the holdout." })
  policy!: RecoveryPolicy | null;

  @Field(() => DecimalScalar, { description: "Share of the payers: a fraction with at most 4 decimals." })
  share!: Amount;
}

@ObjectType({ description: "Whether the numbers of payers fit the shares of the arms.", simpleResolvers: true })
export class SampleRatio {
  @Field(() => Boolean, {
    description:
      "False if the numbers of payers do not fit the shares. Then the arms lost payers for another reason than chance, and their differences mean nothing.",
  })
  isPlausible!: boolean;

  @Field(() => Float, {
    description:
      "P-value, 0 to 1, that stays valid however often it is looked at. Below 0.01 the shares are not plausible.",
  })
  pValue!: number;
}

@ObjectType("RecoveryExperiment", {
  description:
    "Compares policies: a draw puts each payer into one arm, whose policy runs all covers of that payer while the experiment runs. A holdout goes on without the policies that are tried.",
  implements: Node,
  simpleResolvers: true,
})
export class RecoveryExperiment extends Node {
  @Field(() => String, { nullable: true, description: "Name of the experiment. Null if it was given none." })
  name!: string | null;

  @Field(() => ExperimentState, { description: "Current state of the record." })
  state!: ExperimentState;

  @Field(() => Boolean, {
    description:
      "Whether covers of children take part: of those with the vendor's currency that have neither an active policy nor an experiment of their own.",
  })
  includeChildren!: boolean;

  @Field(() => Int, {
    description:
      "Days after its start from which a cover is compared: the longest window of all arms and three days. Until then a faster policy would look like a better one.",
  })
  comparedAfterDays!: number;

  @Field(() => DateTimeScalar, { description: "Time of the start." })
  startedAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time of the end. Null while the experiment runs." })
  stoppedAt!: Date | null;

  @Field(() => CoversInProgress, {
    nullable: true,
    description: "Policy of the covers that were in progress at the end. Null while the experiment runs.",
  })
  coversInProgress!: CoversInProgress | null;

  @Field(() => Int, {
    nullable: true,
    description: "Number of the arm whose policy was activated at the end. Null if none was.",
  })
  promotedArm!: number | null;
}

export const RecoveryExperimentConnection = connectionType(() => RecoveryExperiment, "RecoveryExperiment");

@InputType({ description: "A policy to try, and its share of the payers." })
export class ExperimentArmInput {
  @Field(() => ID, { description: "An own policy of the vendor, in any state. POLICY_NOT_FOUND for any other." })
  policyId!: string;

  @Field(() => DecimalScalar, {
    description: "Share of the payers: a fraction from 0.0001 to 0.9999 with at most 4 decimals.",
  })
  share!: Amount;
}

@InputType({ description: "The payers with whom the arms are compared." })
export class ExperimentHoldoutInput {
  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Share of the payers: a fraction from 0.0001 to 0.9999 with at most 4 decimals. Defaults to 0.05.",
  })
  share?: Amount | null;

  @Field(() => RecoveryTermsInput, {
    nullable: true,
    description:
      "Terms of the holdout's covers, without a SMART plan. Defaults to the built-in policy: attempts after 1, 3, 5, 10 and 14 days.",
  })
  terms?: RecoveryTermsInput | null;
}

@InputType({ description: "An experiment to start." })
export class StartRecoveryExperimentInput {
  @Field(() => LineScalar, { nullable: true, description: "Name of the experiment, for people. Defaults to none." })
  name?: string | null;

  @Field(() => [ExperimentArmInput], {
    description:
      "Policies to try, 1 to 8, none of them twice. Their shares and that of the holdout add up to 1; otherwise INVALID_ARGUMENT.",
  })
  arms!: ExperimentArmInput[];

  @Field(() => ExperimentHoldoutInput, {
    nullable: true,
    description: "The holdout. Defaults to 5% of the payers with the built-in policy.",
  })
  holdout?: ExperimentHoldoutInput | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Whether covers of children take part that have the vendor's currency and neither an active policy nor an experiment of their own. Defaults to true.",
  })
  includeChildren?: boolean | null;
}

@InputType({ description: "The experiment to stop." })
export class StopRecoveryExperimentInput {
  @Field(() => ID, { description: "The experiment." })
  experimentId!: string;

  @Field(() => CoversInProgress, {
    nullable: true,
    description: "Policy of covers in progress. Defaults to KEEP_POLICY; a later call can still say USE_ACTIVE_POLICY.",
  })
  coversInProgress?: CoversInProgress | null;
}

@InputType({ description: "The arm to promote." })
export class PromoteRecoveryExperimentArmInput {
  @Field(() => ID, { description: "The experiment." })
  experimentId!: string;

  @Field(() => Int, { description: "Number of the arm: 1 for the first. The holdout has no policy to promote." })
  arm!: number;

  @Field(() => CoversInProgress, {
    nullable: true,
    description: "Policy of covers in progress. Defaults to KEEP_POLICY.",
  })
  coversInProgress?: CoversInProgress | null;
}

@ObjectType({ description: "The experiment that was started.", simpleResolvers: true })
export class StartRecoveryExperimentPayload {
  @Field(() => RecoveryExperiment, { description: "The experiment." })
  experiment!: RecoveryExperiment;
}

@ObjectType({ description: "The experiment after its end.", simpleResolvers: true })
export class StopRecoveryExperimentPayload {
  @Field(() => RecoveryExperiment, { description: "The experiment." })
  experiment!: RecoveryExperiment;
}

@ObjectType({ description: "The experiment after its end.", simpleResolvers: true })
export class PromoteRecoveryExperimentArmPayload {
  @Field(() => RecoveryExperiment, { description: "The experiment." })
  experiment!: RecoveryExperiment;
}
