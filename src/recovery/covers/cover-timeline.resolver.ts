import { Arg, Ctx, FieldResolver, ID, Resolver, Root } from "type-graphql";
import { CoverEventType, TitleLanguage } from "../../../schema/vocabulary.ts";
import { pickPublicFacts } from "../../events/event.facts.ts";
import { TITLE_DESCRIPTION } from "../../events/event.type.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { DecimalScalar, GraphQLJSONObject } from "../../graphql/scalars.ts";
import { coverEventTitles } from "./cover-timeline.titles.ts";
import type { EventRecord } from "../../events/event.repository.ts";
import { toGlobalId } from "../../graphql/record-ids.ts";
import { GLOBAL_ID } from "../../graphql/node.ts";
import { toCoverEventType } from "../renewal-covers/renewal-cover.events.ts";
import type { CoverEventRecord } from "./cover-timeline.repository.ts";
import { CoverEvent } from "./cover-timeline.type.ts";

/** An event as a timeline of the module shows it; those of covers of renewals are events of the billing side. */
type TimelineEventRecord = CoverEventRecord | EventRecord;

@Resolver(() => CoverEvent)
export class CoverEventResolver {
  @FieldResolver(() => ID, { description: GLOBAL_ID })
  id(@Root() event: TimelineEventRecord): string {
    return toGlobalId("happening" in event ? "TimelineEvent" : "CoverEvent", event.id);
  }

  @FieldResolver(() => CoverEventType)
  type(@Root() event: TimelineEventRecord): CoverEventType {
    return "happening" in event ? toCoverEventType(event) : event.type;
  }

  @FieldResolver(() => Boolean)
  notify(@Root() event: TimelineEventRecord): boolean {
    return "notify" in event && event.notify;
  }

  @FieldResolver(() => String, { description: TITLE_DESCRIPTION })
  title(
    @Root() event: TimelineEventRecord,
    @Arg("language", () => TitleLanguage, {
      defaultValue: "ENGLISH",
      description: "Language of the text. Defaults to ENGLISH.",
    })
    language: TitleLanguage,
  ): string {
    return coverEventTitles[this.type(event)][language];
  }

  @FieldResolver(() => String, { nullable: true })
  async subjectName(@Root() event: TimelineEventRecord, @Ctx() { loaders }: GatewayContext) {
    return (await loaders.eventSubjectOf(listNameOf(event), event.id))?.name ?? null;
  }

  @FieldResolver(() => DecimalScalar, { nullable: true })
  async amount(@Root() event: TimelineEventRecord, @Ctx() { loaders }: GatewayContext) {
    return (await loaders.eventSubjectOf(listNameOf(event), event.id))?.amount ?? null;
  }

  @FieldResolver(() => String, { nullable: true })
  async currency(@Root() event: TimelineEventRecord, @Ctx() { loaders }: GatewayContext) {
    const subject = await loaders.eventSubjectOf(listNameOf(event), event.id);
    return subject?.amount == null ? null : subject.currency;
  }

  @FieldResolver(() => GraphQLJSONObject)
  facts(@Root() { facts }: TimelineEventRecord): object {
    return pickPublicFacts(facts);
  }
}

const listNameOf = (event: TimelineEventRecord) => ("happening" in event ? "events" : "timeline");
