import { Arg, Ctx, FieldResolver, ID, Resolver, Root } from "type-graphql";
import { CoverEventType, TitleLanguage } from "../../../schema/vocabulary.ts";
import { publicFacts } from "../../events/event.facts.ts";
import { TITLE } from "../../events/event.type.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { DecimalScalar, GraphQLJSONObject } from "../../graphql/scalars.ts";
import { coverEventTitles } from "./cover-timeline.titles.ts";
import type { EventRecord } from "../../events/event.repository.ts";
import { globalId } from "../../graphql/record-ids.ts";
import { GLOBAL_ID } from "../../graphql/node.ts";
import { eventTypeOf } from "../renewal-covers/renewal-cover.events.ts";
import type { CoverEventRecord } from "./cover-timeline.repository.ts";
import { CoverEvent } from "./cover-timeline.type.ts";

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

  @FieldResolver(() => String, { description: TITLE })
  title(
    @Root() event: ShownEvent,
    @Arg("language", () => TitleLanguage, {
      defaultValue: "ENGLISH",
      description: "The language. Defaults to ENGLISH.",
    })
    language: TitleLanguage,
  ): string {
    return coverEventTitles[this.type(event)][language];
  }

  @FieldResolver(() => String, { nullable: true })
  async subjectName(@Root() event: ShownEvent, @Ctx() { loaders }: GatewayContext) {
    return (await loaders.eventSubjectOf(listOf(event), event.id))?.name ?? null;
  }

  @FieldResolver(() => DecimalScalar, { nullable: true })
  async amount(@Root() event: ShownEvent, @Ctx() { loaders }: GatewayContext) {
    return (await loaders.eventSubjectOf(listOf(event), event.id))?.amount ?? null;
  }

  @FieldResolver(() => String, { nullable: true })
  async currency(@Root() event: ShownEvent, @Ctx() { loaders }: GatewayContext) {
    const subject = await loaders.eventSubjectOf(listOf(event), event.id);
    return subject?.amount == null ? null : subject.currency;
  }

  @FieldResolver(() => GraphQLJSONObject)
  facts(@Root() { facts }: ShownEvent): object {
    return publicFacts(facts);
  }
}

const listOf = (event: ShownEvent) => ("happening" in event ? "events" : "timeline");
