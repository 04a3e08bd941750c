import { ArgsType, Field, ID, ObjectType } from "type-graphql";
import { EventType } from "../../schema/vocabulary.ts";
import { connectionType, SliceArgs } from "../graphql/connection.ts";
import { GLOBAL_ID } from "../graphql/node.ts";
import { DateTimeScalar, GraphQLBigInt, GraphQLJSONObject } from "../graphql/scalars.ts";

@ObjectType("Event", {
  description:
    "One event of the vendor's feed. Each committed event is in the feed once, at most a few seconds after its change.",
  simpleResolvers: true,
})
export class FeedEvent {
  @Field(() => ID, { description: GLOBAL_ID })
  id!: string;

  @Field(() => GraphQLBigInt, {
    description:
      "Number of the event: 1, 2, 3 and so on within the vendor, without gaps. The events of one subject are in order.",
  })
  databaseId!: number;

  @Field(() => String, {
    description: "Position of the event. Pass it to `after` to read or stream the events that follow.",
  })
  cursor!: string;

  @Field(() => String, {
    description: 'Id of the event in messages to receivers, such as "event_81". It never changes.',
  })
  messageId!: string;

  @Field(() => EventType, { description: "Type of the event." })
  type!: EventType;

  @Field(() => String, { description: 'Type of the event as messages to receivers have it, such as "order.paid".' })
  name!: string;

  @Field(() => DateTimeScalar, { description: "Time of the event, by the clock of the vendor." })
  occurredAt!: Date;

  @Field(() => GraphQLJSONObject, {
    description: "Ids, states, amounts and codes of the event. `docs/events.md` has an example for each type.",
  })
  data!: object;
}

/** A slice of the feed. */
@ArgsType()
export class EventFeedArgs extends SliceArgs {
  @Field(() => [EventType], {
    nullable: true,
    description: "Returns only events of these types. Defaults to all types.",
  })
  types?: EventType[] | null;
}

export const FeedEventConnection = connectionType(() => FeedEvent, "Event");
