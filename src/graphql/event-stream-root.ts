import {
  assertEnumType,
  assertObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from "graphql";
import type { EventType } from "../../schema/vocabulary.ts";
import type { NumberedEvent } from "../events/event-feed.repository.ts";
import type { GatewayContext } from "./context.ts";

/** The arguments of a stream of events. */
export interface EventStreamArgs {
  after?: string | null;
  types?: readonly EventType[] | null;
}

/** The events of a vendor that has open streams. */
export interface FollowedEvents {
  /** The number of the last event. */
  readonly lastNumber: number;
  /** The events after a number, in order and without gaps, until the signal aborts. */
  streamAfter(after: number, types: EventStreamArgs["types"], signal: AbortSignal): AsyncIterable<NumberedEvent>;
}

/** Reads the new events of vendors for all streams of a process. */
export interface EventFollower {
  /** Follows a vendor until as many calls of `unfollow` were made. */
  follow(vendorId: number): Promise<FollowedEvents>;
  unfollow(vendorId: number): void;
}

/** The context of a subscription. */
export interface StreamContext extends GatewayContext {
  /** Opens the stream. @throws a Refusal if the position is not one. */
  readonly openEventStream: (args: EventStreamArgs) => Promise<AsyncIterable<NumberedEvent>>;
}

/**
 * Adds the root of subscriptions, `EventStream`. The library that builds the schema would name it `Subscription`, which is
 * the billing type.
 */
export function withEventStream(schema: GraphQLSchema): GraphQLSchema {
  const eventType = assertObjectType(schema.getType("Event"));
  const typesType = new GraphQLList(new GraphQLNonNull(assertEnumType(schema.getType("EventType"))));
  const subscription = new GraphQLObjectType<unknown, StreamContext>({
    name: "EventStream",
    description:
      "All subscriptions. They are streamed by server-sent events: send them to `/graphql` with `Accept: text/event-stream`.",
    fields: {
      events: {
        type: new GraphQLNonNull(eventType),
        description:
          "Streams the vendor's events in the order of their numbers, without gaps. The SSE `id` of each message is the event's `cursor`. A reconnect that sends it as `Last-Event-ID` goes on exactly after it.",
        args: {
          after: {
            type: GraphQLString,
            description:
              "Streams the events after this cursor. The header `Last-Event-ID` takes precedence. Defaults to events from now on.",
          },
          types: { type: typesType, description: "Streams only events of these types. Defaults to all types." },
        },
        subscribe: (_root, args: EventStreamArgs, context) => context.openEventStream(args),
      },
    },
  });
  return new GraphQLSchema({ ...schema.toConfig(), subscription });
}
