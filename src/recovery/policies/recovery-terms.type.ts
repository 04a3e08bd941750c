import { Field, Float, Int, ObjectType } from "type-graphql";
import { FinalAction, PaymentMethod, ReasonClass, RetryPlanKind } from "../../../schema/vocabulary.ts";
import { CurrencyScalar, DecimalScalar } from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";

@ObjectType({ description: "Schedule of the attempts.", simpleResolvers: true })
export class RetryPlan {
  @Field(() => RetryPlanKind, { description: "Kind of the plan." })
  kind!: RetryPlanKind;

  @Field(() => [Int], { description: "Days after the first failure, for a ladder. Empty for other kinds." })
  offsetsInDays!: number[];

  @Field(() => Int, { description: "Largest number of retries." })
  maxRetries!: number;

  @Field(() => Int, { description: "Window of the attempts, in days after the first failure." })
  windowInDays!: number;
}

@ObjectType({ description: "Hours of the payer's day in which no attempt is made.", simpleResolvers: true })
export class QuietHours {
  @Field(() => String, { description: 'Local time at which the quiet hours begin, such as "22:00".' })
  quietFrom!: string;

  @Field(() => String, {
    description:
      'Local time at which the quiet hours end, such as "08:00". It is before the beginning if the hours pass midnight.',
  })
  quietUntil!: string;
}

@ObjectType({
  description: "Different terms for some cases. The first override whose conditions all hold applies.",
  simpleResolvers: true,
})
export class PolicyOverride {
  @Field(() => String, { nullable: true, description: "Applies to payers in this country. Null for all countries." })
  country!: string | null;

  @Field(() => PaymentMethod, {
    nullable: true,
    description: "Applies to orders with this payment method. Null for all methods.",
  })
  paymentMethod!: PaymentMethod | null;

  @Field(() => ReasonClass, {
    nullable: true,
    description: "Applies while the last decline has this meaning. Null for all meanings.",
  })
  reasonClass!: ReasonClass | null;

  @Field(() => RetryPlan, {
    nullable: true,
    description: "Schedule of the attempts. Null for the schedule of the policy.",
  })
  plan!: RetryPlan | null;

  @Field(() => QuietHours, { nullable: true, description: "Quiet hours. Null for the quiet hours of the policy." })
  quietHours!: QuietHours | null;
}

@ObjectType({
  description:
    "Exploration of a SMART policy: a share of covers draws the times of its attempts from several good ones instead of the best, so that the model learns about other hours.",
  simpleResolvers: true,
})
export class Exploration {
  @Field(() => Float, { description: "Share of covers that explore, 0 to 1. A cover explores in all its attempts." })
  share!: number;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Largest amount that explores, in `currency`. Null if there is no limit.",
  })
  maxAmount!: Amount | null;

  @Field(() => CurrencyScalar, {
    nullable: true,
    description:
      "ISO 4217 code of `maxAmount`: the vendor's currency when the policy was proposed. Orders of other currencies do not explore under a limit. Null without a limit.",
  })
  currency!: string | null;
}

@ObjectType({ description: "Terms of a recovery policy.", simpleResolvers: true })
export class RecoveryTerms {
  @Field(() => String, { description: "Version of the terms. A cover keeps the version that it started with." })
  version!: string;

  @Field(() => RetryPlan, { description: "Schedule of the attempts." })
  plan!: RetryPlan;

  @Field(() => QuietHours, {
    nullable: true,
    description: "Hours in which no attempt is made. Null if there are none.",
  })
  quietHours!: QuietHours | null;

  @Field(() => [PolicyOverride], { description: "Different terms for some cases." })
  overrides!: PolicyOverride[];

  @Field(() => Exploration, {
    nullable: true,
    description: "Exploration of attempts that SMART plans. Null if no cover explores.",
  })
  exploration!: Exploration | null;
  @Field(() => String, {
    description:
      "Model by which SMART chooses times: AUTO for the one in force at the time, OFF for none, so that SMART plans as EVEN, or the version of a model.",
  })
  model!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "Cost of one attempt, in the vendor's currency. Under `SMART`, an order in that currency gets no attempt that would on average recover less. Null if none is set.",
  })
  retryCost!: Amount | null;

  @Field(() => FinalAction, {
    nullable: true,
    description:
      "Action for the subscription after the last attempt. Null if none was chosen: a registered subscription keeps its state, and a subscription that the service charges expires.",
  })
  finalAction!: FinalAction | null;
}
