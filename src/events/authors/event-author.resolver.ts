import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { GraphQLBigInt } from "../../graphql/scalars.ts";
import { CoverEvent } from "../../recovery/covers/cover-timeline.type.ts";
import { FeedEvent } from "../event-feed.type.ts";
import { eventOfRow, type FeedRow } from "../event-feed.resolver.ts";
import type { EventRecord } from "../event.repository.ts";
import { TimelineEvent } from "../event.type.ts";
import { authorOf, type EventAuthor } from "./event-author.ts";
import { AUTHOR_DESCRIPTION, EventAuthorValue } from "./event-author.type.ts";

@Resolver(() => EventAuthorValue)
export class EventAuthorResolver {
  @FieldResolver(() => GraphQLBigInt, { nullable: true })
  authorDatabaseId(@Root() { id }: EventAuthor): number | null {
    return id;
  }

  @FieldResolver(() => String, { nullable: true })
  async name(@Root() { kind, id }: EventAuthor, @Ctx() { loaders }: GatewayContext): Promise<string | null> {
    if (id === null) return null;
    if (kind === "PERSON") return (await loaders.findById("people", id))?.username ?? null;
    return (await loaders.findById("apiKeys", id))?.name ?? null;
  }
}

@Resolver(() => TimelineEvent)
export class TimelineEventAuthorResolver {
  @FieldResolver(() => EventAuthorValue, { nullable: true, description: AUTHOR_DESCRIPTION })
  author(@Root() event: EventRecord): EventAuthor | null {
    return authorOf(event);
  }
}

@Resolver(() => CoverEvent)
export class CoverEventAuthorResolver {
  @FieldResolver(() => EventAuthorValue, { nullable: true, description: AUTHOR_DESCRIPTION })
  author(@Root() event: EventRecord): EventAuthor | null {
    return authorOf(event);
  }
}

@Resolver(() => FeedEvent)
export class FeedEventAuthorResolver {
  @FieldResolver(() => EventAuthorValue, { nullable: true, description: AUTHOR_DESCRIPTION })
  async author(@Root() row: FeedRow, @Ctx() context: GatewayContext): Promise<EventAuthor | null> {
    return authorOf(await eventOfRow(row, context));
  }
}
