import { Field, Float, ID, InputType, Int, ObjectType } from "type-graphql";
import {
  CoverEndReason,
  Initiator,
  Network,
  PaymentGateway,
  PaymentMethod,
  ReasonClass,
} from "../../../schema/vocabulary.ts";
import {
  CountryCodeScalar,
  DateTimeScalar,
  DecimalScalar,
  LineScalar,
  TextScalar,
  TimeZoneScalar,
} from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { RecoveryTerms, RecoveryTermsInput } from "../policies/recovery-policy.type.ts";
import { ExplanationLanguage } from "./retry-decision.type.ts";

@InputType({ description: "A failed payment as it might be, and what would be done about it." })
export class PreviewRecoveryScheduleInput {
  @Field(() => ID, { nullable: true, description: "One of the vendor's policies; the one in force unless told." })
  policyId?: string | null;

  @Field(() => RecoveryTermsInput, { nullable: true, description: "Terms to try out; instead of a policy." })
  terms?: RecoveryTermsInput | null;

  @Field(() => LineScalar, { nullable: true, description: "Error code of every try." })
  errorCode?: string | null;

  @Field(() => TextScalar, { nullable: true, description: "Error message of every try." })
  errorMessage?: string | null;

  @Field(() => LineScalar, { nullable: true, description: "Merchant advice code of every try." })
  adviceCode?: string | null;

  @Field(() => Network, { nullable: true, description: "The network of every try." })
  network?: Network | null;

  @Field(() => Initiator, { nullable: true, description: "Who set off the first attempt; MERCHANT unless told." })
  initiator?: Initiator | null;

  @Field(() => DecimalScalar, { nullable: true, description: "What is to be paid; nothing unless told." })
  amount?: Amount | null;

  @Field(() => CountryCodeScalar, { nullable: true, description: "The payer's country; the vendor's unless told." })
  country?: string | null;

  @Field(() => TimeZoneScalar, { nullable: true, description: "The payer's zone; the vendor's unless told." })
  timeZone?: string | null;

  @Field(() => PaymentGateway, { nullable: true, description: "The gateway; UNKNOWN unless told." })
  paymentGateway?: PaymentGateway | null;

  @Field(() => PaymentMethod, { nullable: true, description: "How it is paid." })
  paymentMethod?: PaymentMethod | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When the payment failed; now unless told." })
  failedAt?: Date | null;

  @Field(() => ExplanationLanguage, {
    nullable: true,
    description: "The language of the explanations; EN unless told.",
  })
  language?: ExplanationLanguage | null;
}

@ObjectType({ description: "A try as it would be made if all before it failed alike.", simpleResolvers: true })
export class PreviewedTry {
  @Field(() => Int, { description: "1, 2, 3 …" })
  number!: number;

  @Field(() => DateTimeScalar, { description: "When." })
  at!: Date;

  @Field(() => Float, { nullable: true, description: "How likely it is to work, 0 to 1; null without a model." })
  probability!: number | null;

  @Field(() => String, { nullable: true, description: "The row of the rulebook that moved it, if one did." })
  floorRow!: string | null;

  @Field(() => String, { description: "Why it lies there, in one sentence." })
  explanation!: string;
}

@ObjectType({
  description: "What would be done about a failed payment if every try failed alike.",
  simpleResolvers: true,
})
export class SchedulePreview {
  @Field(() => RecoveryTerms, { description: "The policy by which it would be done." })
  terms!: RecoveryTerms;

  @Field(() => ReasonClass, { description: "What the decline means." })
  reasonClass!: ReasonClass;

  @Field(() => [PreviewedTry], { description: "The tries, in order." })
  tries!: PreviewedTry[];

  @Field(() => CoverEndReason, { description: "Why trying would be over after the last." })
  endReason!: CoverEndReason;

  @Field(() => DecimalScalar, { description: "What the tries would cost together." })
  cost!: Amount;
}
