import { Field, Float, ID, InputType, Int, ObjectType } from "type-graphql";
import { NoFigureReason, PaymentGateway, ReasonClass } from "../../../schema/vocabulary.ts";
import { DateTimeScalar, LineScalar } from "../../graphql/scalars.ts";
import { EstimatedAmount, EstimatedFigure } from "../estimates/estimated-figure.type.ts";
import { RecoveryTermsInput } from "../policies/recovery-terms-input.type.ts";

@ObjectType({
  description: "What a policy recovers of the cases of a backtest, or the difference of two policies.",
  simpleResolvers: true,
})
export class PolicyValue {
  @Field(() => EstimatedFigure, {
    description: "Share of the cases that are recovered, 0 to 1; a difference is -1 to 1.",
  })
  recoveredShare!: EstimatedFigure;

  @Field(() => EstimatedAmount, {
    description:
      "Amount that is recovered of all cases together. Cases in other currencies than the vendor's do not count.",
  })
  recoveredAmount!: EstimatedAmount;

  @Field(() => EstimatedFigure, { description: "Number of attempts of a case, without the first failure." })
  attemptsPerCase!: EstimatedFigure;

  @Field(() => Float, {
    description:
      "Number of cases without weights that would say as much. For the recorded policies, the number of cases.",
  })
  effectiveSampleSize!: number;
}

@ObjectType({
  description:
    "What a proposed policy would have recovered of recorded cases, estimated from the probabilities with which their attempts were chosen. The values are null if the recorded attempts say too little about it.",
  simpleResolvers: true,
})
export class RecoveryBacktest {
  @Field(() => DateTimeScalar, { description: "Start of the period, inclusive: cases that started in it count." })
  from!: Date;

  @Field(() => DateTimeScalar, { description: "End of the period, exclusive." })
  until!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the backtest." })
  madeAt!: Date;

  @Field(() => String, {
    nullable: true,
    description: "Version of the model that the proposed policy chose by. Null if it uses no model.",
  })
  modelVersion!: string | null;

  @Field(() => Int, { description: "Number of cases that count." })
  cases!: number;

  @Field(() => Int, { description: "Number of cases left out because their window is not over." })
  runningCases!: number;

  @Field(() => Int, { description: "Number of cases left out because results were not reported or cannot be read." })
  unusableCases!: number;

  @Field(() => NoFigureReason, {
    nullable: true,
    description: "Reason why there are no figures. Null if there are.",
  })
  noFigureReason!: NoFigureReason | null;

  @Field(() => Float, {
    description:
      "Number of cases without weights that would say as much about the proposed policy. Below 50 there are no figures.",
  })
  effectiveSampleSize!: number;

  @Field(() => Float, {
    description:
      "Share of the proposed choices that the recorded policies could not have made, 0 to 1. Above 0.05 there are no figures.",
  })
  unsupportedShare!: number;

  @Field(() => PolicyValue, {
    nullable: true,
    description: "What was recovered under the policies that the cases ran under. Null without figures.",
  })
  current!: PolicyValue | null;

  @Field(() => PolicyValue, {
    nullable: true,
    description: "What the proposed policy would have recovered, by the doubly robust estimate. Null without figures.",
  })
  proposed!: PolicyValue | null;

  @Field(() => PolicyValue, {
    nullable: true,
    description:
      "`proposed` less `current`, with the interval of the difference of the same cases. Null without figures.",
  })
  difference!: PolicyValue | null;

  @Field(() => PolicyValue, {
    nullable: true,
    description:
      "The same difference by inverse propensity alone, without an outcome model: a check. Null without figures.",
  })
  differenceByWeights!: PolicyValue | null;

  @Field(() => Boolean, { description: "True if the whole interval of `difference.recoveredShare` is below 0." })
  isWorse!: boolean;
}

@InputType({ description: "What to backtest: a stored policy or terms, on the cases that started in a period." })
export class BacktestRecoveryPolicyInput {
  @Field(() => ID, {
    nullable: true,
    description: "A policy of the vendor, which keeps the result. Exactly one of `policyId` and `terms` is required.",
  })
  policyId?: string | null;

  @Field(() => RecoveryTermsInput, { nullable: true, description: "Terms that are not stored." })
  terms?: RecoveryTermsInput | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Start of the period. Defaults to 90 days before `until`.",
  })
  from?: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "End of the period, at most 731 days after `from`. Defaults to now.",
  })
  until?: Date | null;
}

@InputType({ description: "A meaning that a decline code could get by `mapDeclineCode`." })
export class PreviewDeclineMappingInput {
  @Field(() => PaymentGateway, { description: "Gateway that sends the code." })
  paymentGateway!: PaymentGateway;

  @Field(() => LineScalar, { description: "Decline code, in any case." })
  errorCode!: string;

  @Field(() => ReasonClass, { description: "Meaning to try. UNKNOWN shows the cases without a mapping." })
  reasonClass!: ReasonClass;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Start of the period. Defaults to 90 days before `until`.",
  })
  from?: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "End of the period, at most 731 days after `from`. Defaults to now.",
  })
  until?: Date | null;
}
