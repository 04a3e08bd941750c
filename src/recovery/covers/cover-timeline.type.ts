import { Field, ObjectType } from "type-graphql";
import { Actor, CoverEventType } from "../../../schema/vocabulary.ts";
import { connectionType } from "../../graphql/connection.ts";
import { DateTimeScalar, DecimalScalar, GraphQLJSONObject } from "../../graphql/scalars.ts";

@ObjectType("CoverEvent", {
  description: "Something that happened, in the order in which it did.",
  simpleResolvers: true,
})
export class CoverEvent {
  @Field(() => CoverEventType, { description: "What happened." })
  type!: CoverEventType;

  @Field(() => Actor, { description: "Who did it." })
  actor!: Actor;

  @Field(() => String, {
    nullable: true,
    description: "Name of the subject: the products of the order or subscription. Null where they are not known.",
  })
  subjectName!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Amount of the order that the event is about; null where it is about no order.",
  })
  amount!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "ISO 4217 code of the amount's currency; null without an amount.",
  })
  currency!: string | null;

  @Field(() => GraphQLJSONObject, {
    description:
      "What is to be known of it: states before and after (`from`, `to`), dates, the reason of an end. Which keys there are depends on the type.",
  })
  facts!: object;

  @Field(() => Boolean, { description: "Whether the merchant asked for the event to be posted to it." })
  notify!: boolean;

  @Field(() => DateTimeScalar, { description: "When it happened." })
  occurredAt!: Date;
}

export const CoverEventConnection = connectionType(() => CoverEvent, "CoverEvent");
