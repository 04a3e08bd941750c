import { ArgsType, Field, Float, Int, ObjectType } from "type-graphql";
import { NoFigureReason } from "../../../schema/vocabulary.ts";
import { DateTimeScalar, DecimalScalar } from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { EstimatedAmount, EstimatedFigure } from "../estimates/estimated-figure.type.ts";

@ObjectType({ description: "What the caller's own schedule recovered. It is counted.", simpleResolvers: true })
export class OwnScheduleResult {
  @Field(() => Float, { description: "Share of the cases that were recovered, 0 to 1." })
  recoveredShare!: number;

  @Field(() => Float, { description: "Number of attempts of a case, without the first failure." })
  attemptsPerCase!: number;
}

@ObjectType({
  description: "What the advised schedule would have recovered, or the difference to the caller's own schedule.",
  simpleResolvers: true,
})
export class AdvisedScheduleEstimate {
  @Field(() => EstimatedFigure, {
    description: "Share of the cases that are recovered, 0 to 1; a difference is -1 to 1.",
  })
  recoveredShare!: EstimatedFigure;

  @Field(() => Float, {
    description: "Number of attempts of a case, without the first failure. A difference is negative if they are fewer.",
  })
  attemptsPerCase!: number;
}

@ObjectType({ description: "Amounts of one currency in a shadow report.", simpleResolvers: true })
export class ShadowReportAmounts {
  @Field(() => String, { description: "ISO 4217 code of the currency. Amounts of different currencies are not added." })
  currency!: string;

  @Field(() => Int, { description: "Number of cases in this currency." })
  cases!: number;

  @Field(() => DecimalScalar, { description: "Amount of all these cases: what there was to recover." })
  failedAmount!: Amount;

  @Field(() => DecimalScalar, { description: "Amount that the caller's own schedule recovered. It is counted." })
  ownAmount!: Amount;

  @Field(() => EstimatedAmount, {
    nullable: true,
    description:
      "Amount that the advised schedule would have recovered. Null without figures, and with fewer than 100 cases in this currency.",
  })
  advisedAmount!: EstimatedAmount | null;

  @Field(() => EstimatedAmount, {
    nullable: true,
    description: "`advisedAmount` less `ownAmount`, with the interval of the difference. Null if `advisedAmount` is.",
  })
  difference!: EstimatedAmount | null;
}

@ObjectType({
  description:
    "What Recoup's advice in shadow mode would have been worth: the caller's own schedule compared with the advised one, for the same cases. The estimates are null if the cases say too little about the advised times.",
  simpleResolvers: true,
})
export class ShadowReport {
  @Field(() => DateTimeScalar, { description: "Start of the period, inclusive: covers that started in it count." })
  from!: Date;

  @Field(() => DateTimeScalar, { description: "End of the period, exclusive." })
  until!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the report." })
  madeAt!: Date;

  @Field(() => Int, { description: "Number of cases that count." })
  cases!: number;

  @Field(() => Int, {
    description:
      "Number of cases left out because they are too young: the advised window with three days of grace is not over, or the time after which 98 of 100 cases had no further report.",
  })
  runningCases!: number;

  @Field(() => Int, {
    description:
      "Number of cases left out because they began without a failure, were paid by the payer in person, or cannot be read.",
  })
  unusableCases!: number;

  @Field(() => NoFigureReason, {
    nullable: true,
    description: "Reason why there are no estimates. Null if there are.",
  })
  noFigureReason!: NoFigureReason | null;

  @Field(() => Int, {
    description:
      "Number of cases that would say as much about the advised times if they had been tried at them. 0 if there are too few cases to tell.",
  })
  effectiveSampleSize!: number;

  @Field(() => Float, {
    description:
      "Share of what the advised schedule would recover that comes from attempts of which the own schedule has some like them, 0 to 1: the number of the attempt, the days since the failure, the time of day. Below 0.9 there are no estimates.",
  })
  coveredShare!: number;

  @Field(() => OwnScheduleResult, {
    nullable: true,
    description: "What the caller's own schedule recovered. Null without cases.",
  })
  own!: OwnScheduleResult | null;

  @Field(() => AdvisedScheduleEstimate, {
    nullable: true,
    description: "What the policies that advised would have recovered of the same cases. Null without estimates.",
  })
  advised!: AdvisedScheduleEstimate | null;

  @Field(() => AdvisedScheduleEstimate, {
    nullable: true,
    description:
      "`advised` less `own`, with the interval of the difference of the same cases. If it contains 0, the cases do not tell which is better. Null without estimates.",
  })
  difference!: AdvisedScheduleEstimate | null;

  @Field(() => [ShadowReportAmounts], { description: "Amounts by currency, in the order of the codes." })
  amounts!: ShadowReportAmounts[];
}

@ArgsType()
export class ShadowReportArgs {
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
