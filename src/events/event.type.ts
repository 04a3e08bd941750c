import { ArgsType, Field, ObjectType } from "type-graphql";
import { Actor, EventSubject, EventType, SortDirection } from "../../schema/vocabulary.ts";
import { connectionType, SliceArgs } from "../graphql/connection.ts";
import { DateTimeScalar, DecimalScalar, GraphQLBigInt, GraphQLJSONObject } from "../graphql/scalars.ts";

@ObjectType("TimelineEvent", {
  description: "One timeline event on the billing side, with its actor and reason.",
  simpleResolvers: true,
})
export class TimelineEvent {
  @Field(() => EventSubject, { description: "Subject of the event." })
  subject!: EventSubject;

  @Field(() => GraphQLBigInt, { description: "`databaseId` of the subject." })
  subjectDatabaseId!: number;

  @Field(() => EventType, { description: "Type of the event." })
  type!: EventType;

  @Field(() => String, {
    description:
      'Trigger of the transition, or name of the change, such as "payOrder". It is more specific than `type`, but later versions may rename it.',
  })
  trigger!: string;

  @Field(() => String, {
    nullable: true,
    description: "State of the subject before the event. Null if the event created the subject.",
  })
  statusBefore!: string | null;

  @Field(() => String, {
    description: "State of the subject after the event. An empty string for a price plan, which has no states.",
  })
  statusAfter!: string;

  @Field(() => Actor, { description: "Actor of the event." })
  actor!: Actor;

  @Field(() => String, { nullable: true, description: "Reason that the actor gave. Null if there is none." })
  reason!: string | null;

  @Field(() => GraphQLBigInt, {
    nullable: true,
    description: "`databaseId` of the order that the event belongs to. Null if it belongs to none.",
  })
  orderDatabaseId!: number | null;

  @Field(() => GraphQLBigInt, {
    nullable: true,
    description: "`databaseId` of the subscription that the event belongs to. Null if it belongs to none.",
  })
  subscriptionDatabaseId!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Name of the subject: the product of an order, a line or a subscription, the customer, the product or the price plan. Null if it has none.",
  })
  subjectName!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "Amount of the event: of the payment, refund, line or order, or the price of a plan. Null if no money is involved.",
  })
  amount!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "ISO 4217 code of the amount's currency. Null without an amount.",
  })
  currency!: string | null;

  @Field(() => GraphQLJSONObject, {
    description: "Further facts of the event, such as dates, amounts and codes. Its keys depend on `trigger`.",
  })
  facts!: object;

  @Field(() => DateTimeScalar, { description: "Time of the event." })
  occurredAt!: Date;
}

/** A slice of a timeline. */
@ArgsType()
export class TimelineArgs extends SliceArgs {
  @Field(() => SortDirection, {
    defaultValue: "ASC",
    description: "Order of the events: ASC returns the oldest first, DESC the newest. Defaults to ASC.",
  })
  direction!: SortDirection;
}

/** The description of the title field of events. */
export const TITLE_DESCRIPTION = "Short title of the event, to show to people.";

export const TimelineEventConnection = connectionType(() => TimelineEvent, "TimelineEvent");
