import { ArgsType, Field, ObjectType } from "type-graphql";
import { Actor, EventSubject, SortDirection } from "../../schema/vocabulary.ts";
import { connectionType, SliceArgs } from "../graphql/connection.ts";
import { DateTimeScalar, DecimalScalar, GraphQLBigInt, GraphQLJSONObject } from "../graphql/scalars.ts";

@ObjectType("TimelineEvent", {
  description: "Something that happened on the billing side: what, who did it, and why.",
  simpleResolvers: true,
})
export class TimelineEvent {
  @Field(() => EventSubject, { description: "What it is about." })
  subject!: EventSubject;

  @Field(() => GraphQLBigInt, { description: "Number of what it is about." })
  subjectId!: number;

  @Field(() => String, {
    description: 'What happened, as the trigger of the state machine says it: "payOrder", "failRenewal".',
  })
  happening!: string;

  @Field(() => String, { nullable: true, description: "The state before; null where it came into being." })
  statusBefore!: string | null;

  @Field(() => String, { description: "The state that it came to." })
  statusAfter!: string;

  @Field(() => Actor, { description: "Who did it." })
  actor!: Actor;

  @Field(() => String, { nullable: true, description: "Why, in the words of who did it." })
  reason!: string | null;

  @Field(() => GraphQLBigInt, { nullable: true, description: "Number of the order that it belongs to." })
  orderId!: number | null;

  @Field(() => GraphQLBigInt, { nullable: true, description: "Number of the subscription that it belongs to." })
  subscriptionId!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Name of the subject: the product of an order, a line or a subscription, or the customer. Null where it has none.",
  })
  subjectName!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "Amount of money that the event is about: of the payment, refund, line or order. Null where no money is concerned.",
  })
  amount!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "ISO 4217 code of the amount's currency; null without an amount.",
  })
  currency!: string | null;

  @Field(() => GraphQLJSONObject, {
    description:
      "What else is to be known of it: dates, amounts, codes. Which keys there are depends on the happening.",
  })
  facts!: object;

  @Field(() => DateTimeScalar, { description: "When it happened." })
  occurredAt!: Date;
}

/** A slice of a timeline. */
@ArgsType()
export class TimelineArgs extends SliceArgs {
  @Field(() => SortDirection, {
    defaultValue: "ASC",
    description: "Direction of time: ASC has the oldest event first, DESC the newest. Defaults to ASC.",
  })
  direction!: SortDirection;
}

/** How the title of an event is asked for. */
export const TITLE_DESCRIPTION = "What happened, in a few words for people.";

export const TimelineEventConnection = connectionType(() => TimelineEvent, "TimelineEvent");
