import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import { CoverSubscriptionStatus, RecurringInterval } from "../../../schema/vocabulary.ts";
import { connectionType, sortInputType, PeriodInput } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import { DateTimeScalar, PartnerIdScalar, PositiveIntScalar } from "../../graphql/scalars.ts";
import { Cover } from "../covers/cover.type.ts";

@ObjectType("CoverSubscription", {
  description: "A subscription that is charged outside of Recoup.",
  implements: Node,
  simpleResolvers: true,
})
export class CoverSubscription extends Node {
  @Field(() => String, { description: "The merchant's own unique id of the subscription." })
  partnerSubscriptionId!: string;

  @Field(() => RecurringInterval, { description: "Unit of its billing cycle." })
  recurringInterval!: RecurringInterval;

  @Field(() => Int, { description: "How many units a cycle has." })
  recurringIntervalCount!: number;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it started, where the merchant told it." })
  start!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When its trial started." })
  trialStart!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When its trial ends." })
  trialEnd!: Date | null;

  @Field(() => DateTimeScalar, { description: "When the current period started." })
  currentPeriodStart!: Date;

  @Field(() => DateTimeScalar, { description: "When the current period ends. That it has passed changes no state." })
  currentPeriodEnd!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it was cancelled." })
  canceledAt!: Date | null;

  @Field(() => Boolean, { description: "Whether the merchant will cancel it at the end of the period." })
  cancelAtPeriodEnd!: boolean;

  @Field(() => DateTimeScalar, { description: "When it was registered." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "When it was last changed." })
  modifiedAt!: Date;
}

@InputType({ description: "A subscription to register, under the merchant's own id." })
export class RegisterCoverSubscriptionInput {
  @Field(() => ID, { description: "The registered customer." })
  customerId!: string;

  @Field(() => PartnerIdScalar, { description: "The merchant's own unique id of the subscription." })
  partnerSubscriptionId!: string;

  @Field(() => DateTimeScalar, { description: "When the current period started." })
  currentPeriodStart!: Date;

  @Field(() => DateTimeScalar, { description: "When the current period ends: not before it started." })
  currentPeriodEnd!: Date;

  @Field(() => RecurringInterval, { description: "Unit of its billing cycle." })
  recurringInterval!: RecurringInterval;

  @Field(() => PositiveIntScalar, { description: "How many units a cycle has." })
  recurringIntervalCount!: number;

  @Field(() => DateTimeScalar, { nullable: true, description: "When its trial started." })
  trialStart?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When its trial ends." })
  trialEnd?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it started." })
  start?: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it was cancelled; this stops its covers. Null undoes nothing: activate it instead.",
  })
  canceledAt?: Date | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether the merchant will cancel it at the end of the period; false unless told.",
  })
  cancelAtPeriodEnd?: boolean | null;

  @Field(() => ID, { nullable: true, description: "The registered order that it began with." })
  initialOrderId?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "When the partner id exists: true updates the subscription with the fields sent, false (the default) refuses with DUPLICATE_PARTNER_ID.",
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

  @Field(() => [Cover], { description: "The covers that this stopped; none when it was cancelled before." })
  stoppedCovers!: Cover[];

  @Field(() => String, { description: "What happened, in one sentence." })
  message!: string;
}

@InputType({ description: "A cancelled subscription that runs again." })
export class ActivateCoverSubscriptionInput {
  @Field(() => ID, { description: "The registered subscription." })
  subscriptionId!: string;
}

@ObjectType({ description: "The subscription after its activation.", simpleResolvers: true })
export class ActivateCoverSubscriptionPayload {
  @Field(() => CoverSubscription, { description: "The subscription. Covers that were stopped stay stopped." })
  subscription!: CoverSubscription;

  @Field(() => String, { description: "What happened, in one sentence." })
  message!: string;
}

@InputType({ description: "Which subscriptions are asked for; all conditions hold together." })
export class CoverSubscriptionFilterInput {
  @Field(() => [CoverSubscriptionStatus], { nullable: true, description: "Those in one of these states." })
  statuses?: CoverSubscriptionStatus[] | null;

  @Field(() => ID, { nullable: true, description: "Those of this customer." })
  customerId?: string | null;

  @Field(() => PeriodInput, { nullable: true, description: "Those registered in this period." })
  createdAt?: PeriodInput | null;
}

export const CoverSubscriptionSortInput = sortInputType("CoverSubscription", { CREATED_AT: "When it was registered." });
export type CoverSubscriptionSortInput = InstanceType<typeof CoverSubscriptionSortInput>;

export const CoverSubscriptionConnection = connectionType(() => CoverSubscription, "CoverSubscription");
