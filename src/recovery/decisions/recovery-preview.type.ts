import { Field, Float, ID, InputType, Int, ObjectType } from "type-graphql";
import {
  CoverEndReason,
  Initiator,
  Language,
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
import { RecoveryTermsInput } from "../policies/recovery-terms-input.type.ts";
import { RecoveryTerms } from "../policies/recovery-terms.type.ts";

@InputType({ description: "A hypothetical failed payment, for which the recovery is simulated." })
export class PreviewRecoveryScheduleInput {
  @Field(() => ID, { nullable: true, description: "One of the vendor's policies. Defaults to the policy in force." })
  policyId?: string | null;

  @Field(() => RecoveryTermsInput, { nullable: true, description: "Terms to simulate, instead of a stored policy." })
  terms?: RecoveryTermsInput | null;

  @Field(() => LineScalar, { nullable: true, description: "Error code of every attempt." })
  errorCode?: string | null;

  @Field(() => TextScalar, { nullable: true, description: "Error message of every attempt." }) errorMessage?:
    string | null;

  @Field(() => LineScalar, { nullable: true, description: "Merchant advice code of every attempt." }) adviceCode?:
    string | null;

  @Field(() => Network, { nullable: true, description: "Card network of every attempt." })
  network?: Network | null;

  @Field(() => Initiator, { nullable: true, description: "Initiator of the first attempt. Defaults to MERCHANT." })
  initiator?: Initiator | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Amount to pay, in the vendor's currency. Defaults to 0.",
  })
  amount?: Amount | null;

  @Field(() => CountryCodeScalar, { nullable: true, description: "Country of the payer. Defaults to the vendor's." })
  country?: string | null;

  @Field(() => TimeZoneScalar, { nullable: true, description: "Time zone of the payer. Defaults to the vendor's." })
  timeZone?: string | null;

  @Field(() => PaymentGateway, { nullable: true, description: "Payment gateway. Defaults to UNKNOWN." })
  paymentGateway?: PaymentGateway | null;

  @Field(() => PaymentMethod, { nullable: true, description: "Payment method of the order." })
  paymentMethod?: PaymentMethod | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time of the failed payment. Defaults to now." })
  failedAt?: Date | null;

  @Field(() => Language, {
    nullable: true,
    description: "Language of the explanations. Defaults to ENGLISH.",
  })
  language?: Language | null;
}

@ObjectType({
  description: "A simulated retry. All attempts before it failed with the same error.",
  simpleResolvers: true,
})
export class PreviewedRetry {
  @Field(() => Int, { description: "Number of the attempt after the first failure, starting at 1." })
  number!: number;

  @Field(() => DateTimeScalar, { description: "Time of the attempt." })
  at!: Date;

  @Field(() => Float, { nullable: true, description: "Probability of success, 0 to 1. Null without a model." })
  probability!: number | null;

  @Field(() => String, {
    nullable: true,
    description: "Id of the rulebook's rule that moved the retry. Null if no rule did.",
  })
  ruleId!: string | null;

  @Field(() => String, { description: "Reason for the time of the attempt, in one sentence." })
  explanation!: string;
}

@ObjectType({
  description: "Simulated recovery of a payment of which every attempt fails with the same error.",
  simpleResolvers: true,
})
export class SchedulePreview {
  @Field(() => RecoveryTerms, { description: "Policy that was applied." })
  terms!: RecoveryTerms;

  @Field(() => ReasonClass, { description: "Meaning of the decline for the next attempt." })
  reasonClass!: ReasonClass;

  @Field(() => [PreviewedRetry], { description: "The retries, in order." })
  retries!: PreviewedRetry[];

  @Field(() => CoverEndReason, { description: "Reason why no attempt follows the last one." })
  endReason!: CoverEndReason;

  @Field(() => DecimalScalar, {
    description: "Total cost of the retries, in the vendor's currency. 0 if the terms have no `retryCost`.",
  })
  cost!: Amount;
}
