import { ArgsType, Field, Float, InputType, Int, ObjectType } from "type-graphql";
import { PaymentGateway, ReasonClass } from "../../../schema/vocabulary.ts";
import { PeriodInput } from "../../graphql/connection.ts";
import { DateTimeScalar, DecimalScalar, LineScalar } from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { RecoveryTally } from "./recovery-tally.type.ts";

@ObjectType({ description: "Results of the covers that started on one day.", simpleResolvers: true })
export class RecoveryByDay extends RecoveryTally {
  @Field(() => String, { description: "Day in the vendor's time zone: YYYY-MM-DD." })
  day!: string;
}

@ObjectType({ description: "Results of the covers whose first decline has one meaning.", simpleResolvers: true })
export class RecoveryByReason extends RecoveryTally {
  @Field(() => ReasonClass, { description: "Meaning of the first decline." })
  reasonClass!: ReasonClass;
}

@ObjectType({ description: "Results of the covers of one gateway's orders.", simpleResolvers: true })
export class RecoveryByGateway extends RecoveryTally {
  @Field(() => PaymentGateway, { description: "The gateway of the order." })
  paymentGateway!: PaymentGateway;
}

@ObjectType({ description: "Results of the covers of payers in one country.", simpleResolvers: true })
export class RecoveryByCountry extends RecoveryTally {
  @Field(() => String, { description: "ISO 3166-1 code of the country. The states of a country are counted together." })
  country!: string;
}

@ObjectType({ description: "Results of one attempt number.", simpleResolvers: true })
export class RecoveryByAttempt {
  @Field(() => Int, { description: "Number of the attempt after the first failure: 1, 2, 3 and so on." })
  attempt!: number;

  @Field(() => Int, { description: "Number of covers that this attempt recovered." })
  recovered!: number;

  @Field(() => DecimalScalar, { description: "Amount that this attempt recovered, in the vendor's currency." })
  recoveredAmount!: Amount;
}

@ObjectType({ description: "Cumulative recovery results after a number of days.", simpleResolvers: true })
export class RecoveryCurvePoint {
  @Field(() => Int, { description: "Whole days since the start of the cover." })
  day!: number;

  @Field(() => Int, { description: "Number of covers that were recovered by then." })
  recovered!: number;

  @Field(() => DecimalScalar, { description: "Amount that was recovered by then, in the vendor's currency." })
  recoveredAmount!: Amount;

  @Field(() => Float, {
    nullable: true,
    description: "Recovered covers divided by all cases: 0 to 1. Null if there are no cases.",
  })
  recoveryRate!: number | null;
}

@ObjectType({
  description:
    "Recovery results of the covers that started in a period of the vendor's calendar. They are read from counts that are updated when covers start and end.",
  simpleResolvers: true,
})
export class RecoveryAnalytics {
  @Field(() => String, { description: "First day of the requested period in the vendor's time zone: YYYY-MM-DD." })
  from!: string;

  @Field(() => String, { description: "Last day of the requested period in the vendor's time zone: YYYY-MM-DD." })
  until!: string;

  @Field(() => RecoveryTally, { description: "Results of all covers of the period." })
  total!: RecoveryTally;

  @Field(() => [RecoveryByDay], {
    description:
      "Results by the day on which the covers started. One row for every day of the period in order, including days without a cover.",
  })
  byDay!: RecoveryByDay[];

  @Field(() => [RecoveryByReason], { description: "Results by the meaning of the first decline." })
  byReason!: RecoveryByReason[];

  @Field(() => [RecoveryByGateway], { description: "Results by the gateway of the order." })
  byGateway!: RecoveryByGateway[];

  @Field(() => [RecoveryByCountry], {
    description: "Results by the payer's country, or the vendor's if the payer's is unknown.",
  })
  byCountry!: RecoveryByCountry[];

  @Field(() => [RecoveryByAttempt], { description: "Results by the number of the attempt that recovered the payment." })
  byAttempt!: RecoveryByAttempt[];

  @Field(() => [RecoveryCurvePoint], { description: "The recovery curve, day by day until the last recovery." })
  curve!: RecoveryCurvePoint[];
}

@ArgsType()
export class RecoveryAnalyticsArgs {
  @Field(() => PeriodInput, {
    nullable: true,
    description:
      "Period in which the covers started: whole days in the vendor's time zone, at most 400. Defaults to the last 90 days.",
  })
  startedAt?: PeriodInput | null;
}

@ObjectType({
  description:
    "What a code without a known meaning behaves like, by the results of the retries after it. It is never applied by itself.",
  simpleResolvers: true,
})
export class CodeSuggestion {
  @Field(() => ReasonClass, {
    description:
      "Meaning that the code behaves like, of those that are tried again. A code that forbids retries cannot be recognized.",
  })
  reasonClass!: ReasonClass;

  @Field(() => Float, {
    description:
      "How likely this meaning is, compared with the others that are tried again, 0.8 to 0.99: not with all that a code could mean.",
  })
  probability!: number;

  @Field(() => Int, { description: "Number of retries that it follows from, at most 2,000." })
  tries!: number;
}

@ObjectType({
  description: "A decline without a known meaning. The engine treats it as a refusal without a reason.",
  simpleResolvers: true,
})
export class UnmappedDecline {
  @Field(() => PaymentGateway, { description: "Gateway that sent the decline." })
  paymentGateway!: PaymentGateway;

  @Field(() => String, {
    nullable: true,
    description: "Code of the decline. Null if the gateway sent none; such a decline cannot be mapped.",
  })
  errorCode!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Example of a message that came with the code. Null if none came.",
  })
  errorMessage!: string | null;

  @Field(() => Int, { description: "Number of times that the decline was reported." })
  declines!: number;

  @Field(() => Int, { description: "Number of covers that ended unpaid after this decline." })
  lost!: number;

  @Field(() => DecimalScalar, { description: "Amount of the covers that ended unpaid, in the vendor's currency." })
  lostAmount!: Amount;

  @Field(() => CodeSuggestion, {
    nullable: true,
    description:
      "Meaning that the code behaves like. Null with fewer than 30 retries after it or five approved ones, and where no meaning is likely enough. It is computed only if selected, for all rows together; refused with ESTIMATES_BUSY while others are computed.",
  })
  suggestion!: CodeSuggestion | null;

  @Field(() => DateTimeScalar, { description: "Time of the first report." })
  firstSeenAt!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the latest report." })
  lastSeenAt!: Date;
}

@InputType({ description: "A gateway's decline code and its meaning." })
export class MapDeclineCodeInput {
  @Field(() => PaymentGateway, {
    description: "Gateway that sends the code. The same code of another gateway is not affected.",
  })
  paymentGateway!: PaymentGateway;

  @Field(() => LineScalar, { description: "Decline code, in any case." })
  errorCode!: string;

  @Field(() => ReasonClass, { description: "Meaning of the code. UNKNOWN removes an earlier mapping." })
  reasonClass!: ReasonClass;
}

@ObjectType({ description: "Meaning of a code from now on, for the vendor and its children.", simpleResolvers: true })
export class MapDeclineCodePayload {
  @Field(() => PaymentGateway, { description: "The gateway." })
  paymentGateway!: PaymentGateway;

  @Field(() => String, {
    description: "The code in the form in which it is compared: upper case, without surrounding blanks.",
  })
  errorCode!: string;

  @Field(() => ReasonClass, { description: "Meaning of the code." })
  reasonClass!: ReasonClass;
}
