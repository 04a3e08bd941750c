import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import { CoverSubscriptionStatus, RecurringInterval } from "../../../schema/vocabulary.ts";
import { connectionType, sortInputType, PeriodInput } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import { DateTimeScalar, PartnerIdScalar, PositiveIntScalar } from "../../graphql/scalars.ts";
import { Cover } from "../covers/cover.type.ts";

@ObjectType("CoverSubscription", {
  description: "A subscription that is charged outside of Recoup and registered by the merchant.",
  implements: Node,
  simpleResolvers: true,
})
export class CoverSubscription extends Node {
  @Field(() => String, { description: "The merchant's own unique id of the subscription." })
  partnerSubscriptionId!: string;

  @Field(() => RecurringInterval, { description: "Unit of the billing cycle." })
  recurringInterval!: RecurringInterval;

  @Field(() => Int, { description: "Number of units in a billing cycle." })
  recurringIntervalCount!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the start. Null if the merchant did not send it.",
  })
  start!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time at which the trial started. Null without a trial.",
  })
  trialStart!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time at which the trial ends. Null without a trial." })
  trialEnd!: Date | null;

  @Field(() => DateTimeScalar, { description: "Time at which the current period started." })
  currentPeriodStart!: Date;

  @Field(() => DateTimeScalar, { description: "Time at which the current period ends. Passing it changes no state." })
  currentPeriodEnd!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the cancellation. Null if it was not cancelled.",
  })
  canceledAt!: Date | null;

  @Field(() => Boolean, { description: "True if the merchant will cancel the subscription at the end of the period." })
  cancelAtPeriodEnd!: boolean;

  @Field(() => DateTimeScalar, { description: "Time of the registration." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the last change." })
  modifiedAt!: Date;
}

@InputType({ description: "A subscription to register, under the merchant's own id." })
export class RegisterCoverSubscriptionInput {
  @Field(() => ID, { description: "The registered customer." })
  customerId!: string;

  @Field(() => PartnerIdScalar, { description: "The merchant's own unique id of the subscription." })
  partnerSubscriptionId!: string;

  @Field(() => DateTimeScalar, { description: "Time at which the current period started." })
  currentPeriodStart!: Date;

  @Field(() => DateTimeScalar, {
    description: "Time at which the current period ends. It must not be before the start of the period.",
  })
  currentPeriodEnd!: Date;

  @Field(() => RecurringInterval, { description: "Unit of the billing cycle." })
  recurringInterval!: RecurringInterval;

  @Field(() => PositiveIntScalar, { description: "Number of units in a billing cycle." })
  recurringIntervalCount!: number;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time at which the trial started." })
  trialStart?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time at which the trial ends." })
  trialEnd?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time of the start." })
  start?: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "Time of the cancellation. It stops the covers of the subscription. Null does not undo a cancellation: activate the subscription instead.",
  })
  canceledAt?: Date | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "True if the merchant will cancel the subscription at the end of the period. Defaults to false.",
  })
  cancelAtPeriodEnd?: boolean | null;

  @Field(() => ID, { nullable: true, description: "The registered first order of the subscription." })
  initialOrderId?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Behaviour if the partner id exists: true updates the subscription with the sent fields, false refuses with DUPLICATE_PARTNER_ID. Defaults to false.",
  })
  replaceIfExists?: boolean | null;
}

@ObjectType({ description: "The subscription after its registration.", simpleResolvers: true })
export class RegisterCoverSubscriptionPayload {
  @Field(() => CoverSubscription, { description: "The subscription." })
  subscription!: CoverSubscription;
}

@InputType({ description: "A subscription that was cancelled." })
export class CancelCoverSubscriptionInput {
  @Field(() => ID, { description: "The registered subscription." })
  subscriptionId!: string;
}

@ObjectType({ description: "The subscription after its cancellation.", simpleResolvers: true })
export class CancelCoverSubscriptionPayload {
  @Field(() => CoverSubscription, { description: "The subscription." })
  subscription!: CoverSubscription;

  @Field(() => [Cover], {
    description: "Covers that the cancellation stopped. Empty if the subscription was cancelled before.",
  })
  stoppedCovers!: Cover[];

  @Field(() => String, { description: "Result of the operation, in one sentence." })
  message!: string;
}

@InputType({ description: "The cancelled subscription to activate." })
export class ActivateCoverSubscriptionInput {
  @Field(() => ID, { description: "The registered subscription." })
  subscriptionId!: string;
}

@ObjectType({ description: "The subscription after its activation.", simpleResolvers: true })
export class ActivateCoverSubscriptionPayload {
  @Field(() => CoverSubscription, { description: "The subscription. Covers that were stopped stay stopped." })
  subscription!: CoverSubscription;

  @Field(() => String, { description: "Result of the operation, in one sentence." })
  message!: string;
}

@InputType({ description: "Filter of registered subscriptions. All conditions must hold." })
export class CoverSubscriptionFilterInput {
  @Field(() => [CoverSubscriptionStatus], {
    nullable: true,
    description: "Returns only subscriptions in one of these states.",
  })
  statuses?: CoverSubscriptionStatus[] | null;

  @Field(() => ID, { nullable: true, description: "Returns only subscriptions of this registered customer." })
  customerId?: string | null;

  @Field(() => PeriodInput, {
    nullable: true,
    description: "Returns only records that were registered in this period.",
  })
  createdAt?: PeriodInput | null;
}

export const CoverSubscriptionSortInput = sortInputType("CoverSubscription", {
  CREATED_AT: "Time of the registration.",
});
export type CoverSubscriptionSortInput = InstanceType<typeof CoverSubscriptionSortInput>;

export const CoverSubscriptionConnection = connectionType(() => CoverSubscription, "CoverSubscription");
