import { Arg, Ctx, FieldResolver, ID, Resolver, Root } from "type-graphql";
import { EventType, Language } from "../../../schema/vocabulary.ts";
import { toEventType } from "../../events/event.catalogue.ts";
import { pickPublicFacts } from "../../events/event.facts.ts";
import { eventTitleOf } from "../../events/event.titles.ts";
import { TITLE_DESCRIPTION } from "../../events/event.type.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { DecimalScalar, GraphQLJSONObject } from "../../graphql/scalars.ts";
import { toCoverEventType } from "./cover-timeline.catalogue.ts";
import { coverEventTitles, renewalCoverTitles } from "./cover-timeline.titles.ts";
import type { EventRecord } from "../../events/event.repository.ts";
import { toGlobalId } from "../../graphql/record-ids.ts";
import { GLOBAL_ID } from "../../graphql/node.ts";
import type { CoverEventRecord } from "./cover-timeline.repository.ts";
import { CoverEvent } from "./cover-timeline.type.ts";

/** An event as a timeline of the module shows it; those of covers of renewals are events of the billing side. */
type TimelineEventRecord = CoverEventRecord | EventRecord;

@Resolver(() => CoverEvent)
export class CoverEventResolver {
  @FieldResolver(() => ID, { description: GLOBAL_ID })
  id(@Root() event: TimelineEventRecord): string {
    return toGlobalId(isOfRenewal(event) ? "TimelineEvent" : "CoverEvent", event.id);
  }

  @FieldResolver(() => EventType)
  type(@Root() event: TimelineEventRecord): EventType {
    return isOfRenewal(event) ? toEventType(event) : toCoverEventType(event);
  }

  @FieldResolver(() => String, { nullable: true })
  statusBefore(@Root() event: TimelineEventRecord): string | null {
    return isOfRenewal(event) ? event.statusBefore : textIn(event.facts, "from");
  }

  @FieldResolver(() => String, { nullable: true })
  statusAfter(@Root() event: TimelineEventRecord): string | null {
    return isOfRenewal(event) ? event.statusAfter : textIn(event.facts, "to");
  }

  @FieldResolver(() => Boolean)
  notify(@Root() event: TimelineEventRecord): boolean {
    return "notify" in event && event.notify;
  }

  @FieldResolver(() => String, { description: TITLE_DESCRIPTION })
  title(
    @Root() event: TimelineEventRecord,
    @Arg("language", () => Language, {
      defaultValue: "ENGLISH",
      description: "Language of the text. Defaults to ENGLISH.",
    })
    language: Language,
  ): string {
    if (!isOfRenewal(event)) return coverEventTitles[event.type][language];
    return renewalCoverTitles[toEventType(event)]?.[language] ?? eventTitleOf(event.trigger, language);
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

const isOfRenewal = (event: TimelineEventRecord): event is EventRecord => "trigger" in event;

const listNameOf = (event: TimelineEventRecord) => (isOfRenewal(event) ? "events" : "timeline");

function textIn(facts: Readonly<Record<string, unknown>>, key: string): string | null {
  const value = facts[key];
  return typeof value === "string" ? value : null;
}
