import { Field, Float, ID, InputType, Int, ObjectType } from "type-graphql";
import {
  FinalAction,
  PaymentMethod,
  RetryPlanKind,
  PolicyOrigin,
  PolicyState,
  ReasonClass,
} from "../../../schema/vocabulary.ts";
import { connectionType } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import {
  CountryCodeScalar,
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LineScalar,
  PositiveIntScalar,
} from "../../graphql/scalars.ts";
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

@ObjectType("RecoveryPolicy", {
  description: "A recovery policy of the vendor. Its terms never change; propose a new policy instead.",
  implements: Node,
  simpleResolvers: true,
})
export class RecoveryPolicy extends Node {
  @Field(() => PolicyState, { description: "Current state of the record." })
  state!: PolicyState;

  @Field(() => RecoveryTerms, { description: "Terms of the policy." })
  terms!: RecoveryTerms;

  @Field(() => DateTimeScalar, { description: "Time at which the policy was proposed." })
  proposedAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the activation. Null if the policy was never active.",
  })
  activatedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the retirement. Null if the policy is not retired.",
  })
  retiredAt!: Date | null;
}

export const RecoveryPolicyConnection = connectionType(() => RecoveryPolicy, "RecoveryPolicy");

@ObjectType({ description: "The policy that applies to new covers.", simpleResolvers: true })
export class PolicyInForce {
  @Field(() => PolicyOrigin, { description: "Source of the policy." })
  origin!: PolicyOrigin;

  @Field(() => RecoveryTerms, { description: "Terms of the policy." })
  terms!: RecoveryTerms;
}

@InputType({
  description:
    "Schedule of the attempts: `offsetsInDays` for a LADDER, `maxRetries` and `windowInDays` for the other kinds.",
})
export class RetryPlanInput {
  @Field(() => RetryPlanKind, { description: "Kind of the plan." })
  kind!: RetryPlanKind;

  @Field(() => [PositiveIntScalar], {
    nullable: true,
    description:
      "Days after the first failure, in rising order: at most 60 days, each at most 90. Required for a LADDER, and refused for the other kinds.",
  })
  offsetsInDays?: number[] | null;

  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "Largest number of retries, 1 to 60. Required for EVEN and SMART, and refused for a LADDER.",
  })
  maxRetries?: number | null;

  @Field(() => PositiveIntScalar, {
    nullable: true,
    description:
      "Window of the attempts in days after the first failure, 1 to 90. Required for EVEN and SMART, and refused for a LADDER.",
  })
  windowInDays?: number | null;
}

@InputType()
export abstract class TermsInput {
  @Field(() => LineScalar, {
    nullable: true,
    description: 'Local time at which the payer\'s quiet hours begin, such as "22:00". Requires `quietUntil`.',
  })
  quietFrom?: string | null;

  @Field(() => LineScalar, {
    nullable: true,
    description:
      'Local time at which the payer\'s quiet hours end, such as "08:00". It is before the beginning if the hours pass midnight.',
  })
  quietUntil?: string | null;
}

@InputType({ description: "Different terms for some cases: at least one condition and at least one different term." })
export class PolicyOverrideInput extends TermsInput {
  @Field(() => CountryCodeScalar, {
    nullable: true,
    description: "Applies to payers in this country. Null for all countries.",
  })
  country?: string | null;

  @Field(() => PaymentMethod, {
    nullable: true,
    description: "Applies to orders with this payment method. Null for all methods.",
  })
  paymentMethod?: PaymentMethod | null;

  @Field(() => ReasonClass, {
    nullable: true,
    description: "Applies while the last decline has this meaning. Null for all meanings.",
  })
  reasonClass?: ReasonClass | null;

  @Field(() => RetryPlanInput, {
    nullable: true,
    description: "Schedule of the attempts. Defaults to the schedule of the policy.",
  })
  plan?: RetryPlanInput | null;
}

@InputType({
  description:
    "Exploration of attempts that SMART plans. It never leaves the rulebook, the quiet hours or the number of attempts, and other kinds of plans ignore it.",
})
export class ExplorationInput {
  @Field(() => Float, {
    nullable: true,
    description: "Share of covers that explore, 0 to 1. Defaults to 0.1; 0 turns exploration off.",
  })
  share?: number | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "Largest amount that explores, in the vendor's currency, at least 0. Orders of other currencies then do not explore. Defaults to no limit.",
  })
  maxAmount?: Amount | null;
}

@InputType({ description: "Terms of a new recovery policy." })
export class RecoveryTermsInput extends TermsInput {
  @Field(() => RetryPlanInput, { description: "Schedule of the attempts." })
  plan!: RetryPlanInput;

  @Field(() => [PolicyOverrideInput], {
    nullable: true,
    description: "Different terms for some cases. The first override whose conditions all hold applies. At most 50.",
  })
  overrides?: PolicyOverrideInput[] | null;

  @Field(() => ExplorationInput, {
    nullable: true,
    description: "Exploration of attempts that SMART plans. Defaults to a share of 0.1 without a limit.",
  })
  exploration?: ExplorationInput | null;
  @Field(() => LineScalar, {
    nullable: true,
    description:
      "Model by which SMART chooses times: AUTO, OFF, or the version of a model, which is used as long as the gateway can read it. AUTO follows the vendor's newest model and stops using it while it cannot be trusted; with OFF, SMART plans as EVEN. Refused with MODEL_NOT_FOUND if there is no such model. Defaults to AUTO.",
  })
  model?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "Cost of one attempt, in the vendor's currency. A preview returns the sum of its retries. `SMART` makes no attempt that would on average recover less, and ends with `NOT_WORTH_RETRYING` when none is left that does. Defaults to no cost.",
  })
  retryCost?: Amount | null;

  @Field(() => FinalAction, {
    nullable: true,
    description:
      "Action for the subscription after the last attempt, or after a decline that forbids another. If absent, a registered subscription keeps its state, and a subscription that the service charges expires.",
  })
  finalAction?: FinalAction | null;
}

@InputType({ description: "A policy to store. It is applied to covers only after its activation." })
export class ProposeRecoveryPolicyInput {
  @Field(() => RecoveryTermsInput, { description: "Terms of the policy." })
  terms!: RecoveryTermsInput;
}

@ObjectType({ description: "The stored policy.", simpleResolvers: true })
export class ProposeRecoveryPolicyPayload {
  @Field(() => RecoveryPolicy, { description: "The policy." })
  policy!: RecoveryPolicy;
}

@InputType({ description: "The policy to activate for new covers." })
export class ActivateRecoveryPolicyInput {
  @Field(() => ID, { description: "The policy." })
  policyId!: string;
}

@ObjectType({ description: "The policy after its activation.", simpleResolvers: true })
export class ActivateRecoveryPolicyPayload {
  @Field(() => RecoveryPolicy, { description: "The policy." })
  policy!: RecoveryPolicy;
}

@InputType({ description: "The policy to retire for new covers." })
export class RetireRecoveryPolicyInput {
  @Field(() => ID, { description: "The policy." })
  policyId!: string;
}

@ObjectType({ description: "The policy after its retirement.", simpleResolvers: true })
export class RetireRecoveryPolicyPayload {
  @Field(() => RecoveryPolicy, { description: "The policy." })
  policy!: RecoveryPolicy;
}
