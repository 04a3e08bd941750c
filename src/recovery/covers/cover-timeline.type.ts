import { Field, ObjectType } from "type-graphql";
import { Actor, CoverEventType } from "../../../schema/vocabulary.ts";
import { connectionType } from "../../graphql/connection.ts";
import { DateTimeScalar, DecimalScalar, GraphQLJSONObject } from "../../graphql/scalars.ts";

@ObjectType("CoverEvent", {
  description: "One event of a recovery timeline, in the order in which the events occurred.",
  simpleResolvers: true,
})
export class CoverEvent {
  @Field(() => CoverEventType, { description: "Type of the event." })
  type!: CoverEventType;

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
      "Details of the event, such as states before and after (`from`, `to`), dates, or the reason of an end. The keys depend on the type.",
  })
  facts!: object;

  @Field(() => Boolean, { description: "True if the merchant requested that the event is posted to it." })
  notify!: boolean;

  @Field(() => DateTimeScalar, { description: "Time of the event." })
  occurredAt!: Date;
}

export const CoverEventConnection = connectionType(() => CoverEvent, "CoverEvent");
