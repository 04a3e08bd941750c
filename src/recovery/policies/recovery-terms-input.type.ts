import { Field, Float, InputType } from "type-graphql";
import { FinalAction, PaymentMethod, ReasonClass, RetryPlanKind } from "../../../schema/vocabulary.ts";
import { CountryCodeScalar, DecimalScalar, LineScalar, PositiveIntScalar } from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";

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
