import { FieldResolver, ID, Resolver, Root } from "type-graphql";
import { CoverEventType } from "../../schema/vocabulary.ts";
import type { EventRecord } from "../events/event.repository.ts";
import { globalId } from "../graphql/ids.ts";
import { GLOBAL_ID } from "../graphql/node.ts";
import { eventTypeOf } from "./renewal-cover.happenings.ts";
import type { CoverEventRecord } from "./timeline.repository.ts";
import { CoverEvent } from "./timeline.type.ts";

/** An event as a timeline of the module shows it; those of covers of renewals are events of the billing side. */
type ShownEvent = CoverEventRecord | EventRecord;

@Resolver(() => CoverEvent)
export class CoverEventResolver {
  @FieldResolver(() => ID, { description: GLOBAL_ID })
  id(@Root() event: ShownEvent): string {
    return globalId("happening" in event ? "TimelineEvent" : "CoverEvent", event.id);
  }

  @FieldResolver(() => CoverEventType)
  type(@Root() event: ShownEvent): CoverEventType {
    return "happening" in event ? eventTypeOf(event) : event.type;
  }

  @FieldResolver(() => Boolean)
  notify(@Root() event: ShownEvent): boolean {
    return "notify" in event && event.notify;
  }
}
