import { Args, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import { toConnection } from "../graphql/connection.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { NodeResolver } from "../graphql/node.ts";
import { DateTimeScalar, GraphQLJSONObject } from "../graphql/scalars.ts";
import type { EventNumberRecord } from "./event-feed.repository.ts";
import { EventFeedArgs, FeedEvent, FeedEventConnection } from "./event-feed.type.ts";
import { toEventData, toWireId, toWireName } from "./event.message.ts";

@Resolver(() => FeedEvent)
export class FeedEventResolver extends NodeResolver(() => FeedEvent, "Event") {
  @Query(() => FeedEventConnection, {
    description:
      "Returns the vendor's events, the oldest first. To follow them, pass the `endCursor` of the last slice that had rows to `after`: no event is left out or comes twice.",
  })
  events(@Ctx() context: GatewayContext, @Args(() => EventFeedArgs) { types, ...args }: EventFeedArgs) {
    return toConnection(context, context.read.eventFeed.list, args, { types }, { field: "NUMBER", direction: "ASC" });
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
  async occurredAt(@Root() { id }: EventNumberRecord, @Ctx() { loaders }: GatewayContext): Promise<Date> {
    return (await loaders.requireEventOfNumber(id)).occurredAt;
  }

  @FieldResolver(() => GraphQLJSONObject)
  async data(@Root() { id }: EventNumberRecord, @Ctx() { loaders }: GatewayContext): Promise<object> {
    return toEventData(await loaders.requireEventOfNumber(id));
  }
}
