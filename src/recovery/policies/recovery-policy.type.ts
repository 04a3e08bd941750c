import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import {
  FinalAction,
  PaymentMethod,
  PlanKind,
  PolicyOrigin,
  PolicyState,
  ReasonClass,
} from "../../../schema/vocabulary.ts";
import { connectionType } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import {
  CountryCodeScalar,
  DateTimeScalar,
  DecimalScalar,
  LineScalar,
  PositiveIntScalar,
} from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";

@ObjectType({ description: "How tries are spread.", simpleResolvers: true })
export class RetryPlan {
  @Field(() => PlanKind, { description: "The kind of plan." })
  kind!: PlanKind;

  @Field(() => [Int], { description: "For a ladder: how many days after the first failure. Else empty." })
  offsetsInDays!: number[];

  @Field(() => Int, { description: "How many tries at most." })
  tries!: number;

  @Field(() => Int, { description: "In how many days after the first failure they lie." })
  windowInDays!: number;
}

@ObjectType({ description: "Hours of the payer's day in which no try is made.", simpleResolvers: true })
export class QuietHours {
  @Field(() => String, { description: 'When they begin, such as "22:00".' })
  quietFrom!: string;

  @Field(() => String, { description: 'When they end, such as "08:00"; before their begin where they pass midnight.' })
  quietUntil!: string;
}

@ObjectType({
  description: "What holds instead for some cases: the first override whose conditions all hold.",
  simpleResolvers: true,
})
export class PolicyOverride {
  @Field(() => String, { nullable: true, description: "For payers of this country." })
  country!: string | null;

  @Field(() => PaymentMethod, { nullable: true, description: "For orders paid this way." })
  paymentMethod!: PaymentMethod | null;

  @Field(() => ReasonClass, { nullable: true, description: "While the last decline means this." })
  reasonClass!: ReasonClass | null;

  @Field(() => RetryPlan, { nullable: true, description: "The plan; null for that of the policy." })
  plan!: RetryPlan | null;

  @Field(() => QuietHours, { nullable: true, description: "The quiet hours; null for those of the policy." })
  quietHours!: QuietHours | null;
}

@ObjectType({ description: "What a recovery policy says.", simpleResolvers: true })
export class RecoveryTerms {
  @Field(() => String, { description: "Its version: a cover keeps the one that it began with." })
  version!: string;

  @Field(() => RetryPlan, { description: "How tries are spread." })
  plan!: RetryPlan;

  @Field(() => QuietHours, { nullable: true, description: "When no try is made; null for never." })
  quietHours!: QuietHours | null;

  @Field(() => [PolicyOverride], { description: "What holds instead for some cases." })
  overrides!: PolicyOverride[];

  @Field(() => DecimalScalar, { nullable: true, description: "What a try costs, in the vendor's currency." })
  tryPrice!: Amount | null;

  @Field(() => FinalAction, {
    nullable: true,
    description:
      "What becomes of the subscription when trying is over. Null where nothing was told: a registered subscription stays, one whose renewals the service charges expires.",
  })
  finalAction!: FinalAction | null;
}

@ObjectType("RecoveryPolicy", {
  description: "A recovery policy of the vendor's own. What it says never changes: another one is proposed instead.",
  implements: Node,
  simpleResolvers: true,
})
export class RecoveryPolicy extends Node {
  @Field(() => PolicyState, { description: "Its state." })
  state!: PolicyState;

  @Field(() => RecoveryTerms, { description: "What it says." })
  terms!: RecoveryTerms;

  @Field(() => DateTimeScalar, { description: "When it was proposed." })
  proposedAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "When new covers began to be run by it." })
  activatedAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When new covers ceased to be run by it." })
  retiredAt!: Date | null;
}

export const RecoveryPolicyConnection = connectionType(() => RecoveryPolicy, "RecoveryPolicy");

@ObjectType({ description: "The policy that new covers are run by.", simpleResolvers: true })
export class PolicyInForce {
  @Field(() => PolicyOrigin, { description: "Where it comes from." })
  origin!: PolicyOrigin;

  @Field(() => RecoveryTerms, { description: "What it says." })
  terms!: RecoveryTerms;
}

@InputType({ description: "How tries are spread: offsets for a ladder, else tries and a window." })
export class RetryPlanInput {
  @Field(() => PlanKind, { description: "The kind of plan." })
  kind!: PlanKind;

  @Field(() => [PositiveIntScalar], {
    nullable: true,
    description: "For a ladder: days after the first failure, in rising order, at most 60 of them and at most 90 days.",
  })
  offsetsInDays?: number[] | null;

  @Field(() => PositiveIntScalar, { nullable: true, description: "For the others: how many tries, at most 60." })
  tries?: number | null;

  @Field(() => PositiveIntScalar, { nullable: true, description: "For the others: in how many days, at most 90." })
  windowInDays?: number | null;
}

@InputType()
export abstract class TermsInput {
  @Field(() => LineScalar, {
    nullable: true,
    description: 'When the payer\'s quiet hours begin, such as "22:00"; goes with their end.',
  })
  quietFrom?: string | null;

  @Field(() => LineScalar, {
    nullable: true,
    description: 'When the payer\'s quiet hours end, such as "08:00"; before their begin where they pass midnight.',
  })
  quietUntil?: string | null;
}

@InputType({ description: "What holds instead for some cases: at least one condition, and at least one other term." })
export class PolicyOverrideInput extends TermsInput {
  @Field(() => CountryCodeScalar, { nullable: true, description: "For payers of this country." })
  country?: string | null;

  @Field(() => PaymentMethod, { nullable: true, description: "For orders paid this way." })
  paymentMethod?: PaymentMethod | null;

  @Field(() => ReasonClass, { nullable: true, description: "While the last decline means this." })
  reasonClass?: ReasonClass | null;

  @Field(() => RetryPlanInput, { nullable: true, description: "The plan." })
  plan?: RetryPlanInput | null;
}

@InputType({ description: "What a recovery policy is to say." })
export class RecoveryTermsInput extends TermsInput {
  @Field(() => RetryPlanInput, { description: "How tries are spread." })
  plan!: RetryPlanInput;

  @Field(() => [PolicyOverrideInput], {
    nullable: true,
    description: "What holds instead for some cases: the first whose conditions all hold. At most 50.",
  })
  overrides?: PolicyOverrideInput[] | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "What a try costs, in the vendor's currency: previews add it up, and a model weighs it.",
  })
  tryPrice?: Amount | null;

  @Field(() => FinalAction, {
    nullable: true,
    description:
      "What becomes of the subscription when the tries are spent or the decline forbids another. Unless told, a registered one stays, and one whose renewals the service charges expires.",
  })
  finalAction?: FinalAction | null;
}

@InputType({ description: "A policy to write down. No cover is run by it until it is activated." })
export class ProposeRecoveryPolicyInput {
  @Field(() => RecoveryTermsInput, { description: "What it says." })
  terms!: RecoveryTermsInput;
}

@ObjectType({ description: "The policy as it was written down.", simpleResolvers: true })
export class ProposeRecoveryPolicyPayload {
  @Field(() => RecoveryPolicy, { description: "The policy." })
  policy!: RecoveryPolicy;
}

@InputType({ description: "A policy that new covers are to be run by." })
export class ActivateRecoveryPolicyInput {
  @Field(() => ID, { description: "The policy." })
  policyId!: string;
}

@ObjectType({ description: "The policy after its activation.", simpleResolvers: true })
export class ActivateRecoveryPolicyPayload {
  @Field(() => RecoveryPolicy, { description: "The policy." })
  policy!: RecoveryPolicy;
}

@InputType({ description: "A policy that no new cover is to be run by any more." })
export class RetireRecoveryPolicyInput {
  @Field(() => ID, { description: "The policy." })
  policyId!: string;
}

@ObjectType({ description: "The policy after its end.", simpleResolvers: true })
export class RetireRecoveryPolicyPayload {
  @Field(() => RecoveryPolicy, { description: "The policy." })
  policy!: RecoveryPolicy;
}
