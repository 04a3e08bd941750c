import { ArgsType, Field, Float, InputType, Int, ObjectType } from "type-graphql";
import { PaymentGateway, ReasonClass } from "../../../schema/vocabulary.ts";
import { PeriodInput } from "../../graphql/connection.ts";
import { DateTimeScalar, DecimalScalar, LineScalar } from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";

@ObjectType({
  description:
    "What became of failed payments. A case is a cover. The recovery rate is what was recovered, divided by all that failed: open cases stay in the denominator.",
  simpleResolvers: true,
})
export class RecoveryTally {
  @Field(() => Int, { description: "Covers that started." })
  cases!: number;

  @Field(() => DecimalScalar, { description: "What they were to bring, in the vendor's currency." })
  amount!: Amount;

  @Field(() => Int, { description: "Those whose money came while they were in progress." })
  recovered!: number;

  @Field(() => DecimalScalar, { description: "What those brought." })
  recoveredAmount!: Amount;

  @Field(() => Int, { description: "Those that ended without the money." })
  lost!: number;

  @Field(() => DecimalScalar, { description: "What those did not bring." })
  lostAmount!: Amount;

  @Field(() => Int, { description: "Those that are still in progress." })
  open!: number;

  @Field(() => DecimalScalar, { description: "What those may still bring." })
  openAmount!: Amount;

  @Field(() => Float, {
    nullable: true,
    description: "`recovered` divided by `cases`, 0 to 1 with six digits; null where there is none.",
  })
  recoveryRate!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: "`recoveredAmount` divided by `amount`, 0 to 1 with six digits; null where there is none.",
  })
  recoveryRateByAmount!: number | null;
}

@ObjectType({ description: "Covers that started on one day.", simpleResolvers: true })
export class RecoveryByDay extends RecoveryTally {
  @Field(() => String, { description: "The day in the vendor's zone: YYYY-MM-DD." })
  day!: string;
}

@ObjectType({ description: "Covers whose first decline had one meaning.", simpleResolvers: true })
export class RecoveryByReason extends RecoveryTally {
  @Field(() => ReasonClass, { description: "Meaning of the first decline." })
  reasonClass!: ReasonClass;
}

@ObjectType({ description: "Covers of orders of one gateway.", simpleResolvers: true })
export class RecoveryByGateway extends RecoveryTally {
  @Field(() => PaymentGateway, { description: "The gateway of the order." })
  paymentGateway!: PaymentGateway;
}

@ObjectType({ description: "Covers of payers in one country.", simpleResolvers: true })
export class RecoveryByCountry extends RecoveryTally {
  @Field(() => String, { description: "ISO 3166-1 code of the country; its states are counted together." })
  country!: string;
}

@ObjectType({ description: "What one try in the row brought.", simpleResolvers: true })
export class RecoveryByAttempt {
  @Field(() => Int, { description: "1 for the first try after the failure, 2 for the second …" })
  attempt!: number;

  @Field(() => Int, { description: "Covers that this try recovered." })
  recovered!: number;

  @Field(() => DecimalScalar, { description: "What it brought." })
  recoveredAmount!: Amount;
}

@ObjectType({ description: "How much was recovered within so many days.", simpleResolvers: true })
export class RecoveryCurvePoint {
  @Field(() => Int, { description: "Whole days since the cover started." })
  day!: number;

  @Field(() => Int, { description: "Covers that were recovered by then." })
  recovered!: number;

  @Field(() => DecimalScalar, { description: "What they brought." })
  recoveredAmount!: Amount;

  @Field(() => Float, { nullable: true, description: "Divided by all cases, 0 to 1; null where there is none." })
  recoveryRate!: number | null;
}

@ObjectType({
  description:
    "What became of the covers that started on some days of the vendor's calendar. Read from counts that are kept as covers start and end.",
  simpleResolvers: true,
})
export class RecoveryAnalytics {
  @Field(() => String, { description: "First day of the requested period in the vendor's zone: YYYY-MM-DD." })
  from!: string;

  @Field(() => String, { description: "Last day of the requested period in the vendor's zone: YYYY-MM-DD." })
  until!: string;

  @Field(() => RecoveryTally, { description: "All of them together." })
  total!: RecoveryTally;

  @Field(() => [RecoveryByDay], {
    description: "By the day on which they started: every day of the period in order, also those without a cover.",
  })
  byDay!: RecoveryByDay[];

  @Field(() => [RecoveryByReason], { description: "By what the first decline meant." })
  byReason!: RecoveryByReason[];

  @Field(() => [RecoveryByGateway], { description: "By the gateway of the order." })
  byGateway!: RecoveryByGateway[];

  @Field(() => [RecoveryByCountry], {
    description: "By the country of the payer, or of the vendor where it is not known.",
  })
  byCountry!: RecoveryByCountry[];

  @Field(() => [RecoveryByAttempt], { description: "By the try that brought the money." })
  byAttempt!: RecoveryByAttempt[];

  @Field(() => [RecoveryCurvePoint], { description: "The recovery curve, day by day until the last recovery." })
  curve!: RecoveryCurvePoint[];
}

@ArgsType()
export class RecoveryAnalyticsArgs {
  @Field(() => PeriodInput, {
    nullable: true,
    description:
      "When the covers started: whole days of the vendor's zone, at most 400. The last 90 days unless told otherwise.",
  })
  startedAt?: PeriodInput | null;
}

@ObjectType({
  description: "A decline whose meaning nobody has told: it is tried like a refusal without a reason.",
  simpleResolvers: true,
})
export class UnmappedDecline {
  @Field(() => PaymentGateway, { description: "The gateway that sent it." })
  paymentGateway!: PaymentGateway;

  @Field(() => String, {
    nullable: true,
    description: "Its code; null where the gateway sent none, which cannot be mapped.",
  })
  errorCode!: string | null;

  @Field(() => String, { nullable: true, description: "A wording that came with it." })
  errorMessage!: string | null;

  @Field(() => Int, { description: "How often it was reported." })
  declines!: number;

  @Field(() => Int, { description: "Covers that ended without the money after it." })
  lost!: number;

  @Field(() => DecimalScalar, { description: "What those did not bring, in the vendor's currency." })
  lostAmount!: Amount;

  @Field(() => DateTimeScalar, { description: "When it was first reported." })
  firstSeen!: Date;

  @Field(() => DateTimeScalar, { description: "When it was last reported." })
  lastSeen!: Date;
}

@InputType({ description: "What a code of a gateway means." })
export class MapDeclineCodeInput {
  @Field(() => PaymentGateway, { description: "The gateway that sends it: codes of another one mean something else." })
  paymentGateway!: PaymentGateway;

  @Field(() => LineScalar, { description: "The code, in any case." })
  errorCode!: string;

  @Field(() => ReasonClass, { description: "What it means; UNKNOWN takes back what was said before." })
  reasonClass!: ReasonClass;
}

@ObjectType({ description: "What a code means from now on, to the vendor and its children.", simpleResolvers: true })
export class MapDeclineCodePayload {
  @Field(() => PaymentGateway, { description: "The gateway." })
  paymentGateway!: PaymentGateway;

  @Field(() => String, { description: "The code as it is compared: in capitals, without blanks around it." })
  errorCode!: string;

  @Field(() => ReasonClass, { description: "What it means." })
  reasonClass!: ReasonClass;
}
