import { Field, ObjectType } from "type-graphql";
import { Actor, CoverEventType } from "../../schema/vocabulary.ts";
import { connectionOf } from "../graphql/connection.ts";
import { DateTimeScalar, GraphQLJSONObject } from "../graphql/scalars.ts";

@ObjectType("CoverEvent", {
  description: "Something that happened, in the order in which it did.",
  simpleResolvers: true,
})
export class CoverEvent {
  @Field(() => CoverEventType, { description: "What happened." })
  type!: CoverEventType;

  @Field(() => Actor, { description: "Who did it." })
  actor!: Actor;

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

export const CoverEventConnection = connectionOf(() => CoverEvent, "CoverEvent");
