import { Field, ObjectType } from "type-graphql";
import { Actor, EventType } from "../../../schema/vocabulary.ts";
import { connectionType } from "../../graphql/connection.ts";
import { DateTimeScalar, DecimalScalar, GraphQLJSONObject } from "../../graphql/scalars.ts";

@ObjectType("CoverEvent", {
  description: "One event of a recovery timeline, in the order in which the events occurred.",
  simpleResolvers: true,
})
export class CoverEvent {
  @Field(() => EventType, { description: "Type of the event." })
  type!: EventType;

  @Field(() => String, {
    nullable: true,
    description: "State of the order or cover before the event. Null where it was created, or where no state changed.",
  })
  statusBefore!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "State of the order or cover after the event. Null where no state changed.",
  })
  statusAfter!: string | null;

  @Field(() => Actor, { description: "Actor of the event." })
  actor!: Actor;

  @Field(() => String, {
    nullable: true,
    description: "Name of the subject: the products of the order or subscription. Null if they are not known.",
  })
  subjectName!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Amount of the order that the event belongs to. Null if it belongs to no order.",
  })
  amount!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "ISO 4217 code of the amount's currency. Null without an amount.",
  })
  currency!: string | null;

  @Field(() => GraphQLJSONObject, {
    description:
      "Further facts of the event, such as the states before and after (`from`, `to`), dates and the end reason. Its keys depend on `type`.",
  })
  facts!: object;

  @Field(() => Boolean, {
    description:
      "True if the merchant is notified of this event. False for the end of a cover by a reported payment, unless `notify` of `reportCoverOrderPaid` requested it.",
  })
  notify!: boolean;

  @Field(() => DateTimeScalar, { description: "Time of the event." })
  occurredAt!: Date;
}

export const CoverEventConnection = connectionType(() => CoverEvent, "CoverEvent");
