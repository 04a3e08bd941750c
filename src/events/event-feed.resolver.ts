import { Args, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import { toConnection } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { NodeResolver } from "../graphql/node.ts";
import { DateTimeScalar, GraphQLJSONObject } from "../graphql/scalars.ts";
import type { NumberedEvent } from "./event-feed.repository.ts";
import type { EventNumberRecord } from "./event-number-list.repository.ts";
import { EventFeedArgs, FeedEvent, FeedEventConnection } from "./event-feed.type.ts";
import { toEventData, toWireId, toWireName } from "./event.message.ts";

@Resolver(() => FeedEvent)
export class FeedEventResolver extends NodeResolver(() => FeedEvent, "Event") {
  @Query(() => FeedEventConnection, {
    description:
      "Returns the vendor's events, the oldest first. To follow them, pass the `endCursor` of the last slice that had rows to `after`: no event is left out or comes twice.",
  })
  events(@Ctx() context: GatewayContext, @Args(() => EventFeedArgs) { types, ...args }: EventFeedArgs) {
    const { eventFeed } = context.read;
    const after = args.after === eventFeed.cursorOf(0) ? null : args.after;
    return toConnection(context, eventFeed.list, { ...args, after }, { types }, { field: "NUMBER", direction: "ASC" });
  }

  @FieldResolver(() => String)
  cursor(@Root() { id }: EventNumberRecord, @Ctx() { read }: GatewayContext): string {
    return read.eventFeed.cursorOf(id);
  }

  @FieldResolver(() => String)
  messageId(@Root() { eventId }: EventNumberRecord): string {
    return toWireId({ id: eventId });
  }

  @FieldResolver(() => String)
  name(@Root() { type }: EventNumberRecord): string {
    return toWireName(type);
  }

  @FieldResolver(() => DateTimeScalar)
  async occurredAt(@Root() row: FeedRow, @Ctx() context: GatewayContext): Promise<Date> {
    return (await eventOfRow(row, context)).occurredAt;
  }

  @FieldResolver(() => GraphQLJSONObject)
  async data(@Root() row: FeedRow, @Ctx() context: GatewayContext): Promise<object> {
    return toEventData(await eventOfRow(row, context));
  }
}

/** A row of the list, or of the stream, which has read the event already. */
export type FeedRow = EventNumberRecord & Partial<NumberedEvent>;

/** The event of a row of the feed. */
export const eventOfRow = async ({ id, event }: FeedRow, { loaders }: GatewayContext) =>
  event ?? loaders.requireEventOfNumber(id);
