import { FieldResolver, Resolver, Root } from "type-graphql";
import { CoverEventType } from "../../schema/vocabulary.ts";
import type { EventRecord } from "../events/event.repository.ts";
import { eventTypeOf } from "./renewal-cover.happenings.ts";
import type { CoverEventRecord } from "./timeline.repository.ts";
import { CoverEvent } from "./timeline.type.ts";

/** An event as a timeline of the module shows it; those of covers of renewals are events of the billing side. */
type ShownEvent = CoverEventRecord | EventRecord;

@Resolver(() => CoverEvent)
export class CoverEventResolver {
  @FieldResolver(() => CoverEventType)
  type(@Root() event: ShownEvent): CoverEventType {
    return "happening" in event ? eventTypeOf(event) : event.type;
  }

  @FieldResolver(() => Boolean)
  notify(@Root() event: ShownEvent): boolean {
    return "notify" in event && event.notify;
  }
}
