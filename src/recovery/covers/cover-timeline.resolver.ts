import { Arg, Ctx, FieldResolver, ID, Resolver, Root } from "type-graphql";
import { Language } from "../../../schema/vocabulary.ts";
import { pickPublicFacts } from "../../events/event.facts.ts";
import { eventTitleOf } from "../../events/event.titles.ts";
import { TITLE_DESCRIPTION } from "../../events/event.type.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { DecimalScalar, GraphQLJSONObject } from "../../graphql/scalars.ts";
import { coverEventTitles, isCoverEventKind, renewalCoverTitles } from "./cover-timeline.titles.ts";
import type { EventRecord } from "../../events/event.repository.ts";
import { toGlobalId } from "../../graphql/record-ids.ts";
import { GLOBAL_ID } from "../../graphql/node.ts";
import { CoverEvent } from "./cover-timeline.type.ts";

@Resolver(() => CoverEvent)
export class CoverEventResolver {
  @FieldResolver(() => ID, { description: GLOBAL_ID })
  id(@Root() event: EventRecord): string {
    return toGlobalId(isOfRenewal(event) ? "TimelineEvent" : "CoverEvent", event.id);
  }

  @FieldResolver(() => String, { nullable: true })
  statusBefore(@Root() event: EventRecord): string | null {
    return isOfRenewal(event) ? event.statusBefore : textIn(event.facts, "from");
  }

  @FieldResolver(() => String, { nullable: true })
  statusAfter(@Root() event: EventRecord): string | null {
    return isOfRenewal(event) ? event.statusAfter : textIn(event.facts, "to");
  }

  @FieldResolver(() => String, { description: TITLE_DESCRIPTION })
  title(
    @Root() event: EventRecord,
    @Arg("language", () => Language, {
      defaultValue: "ENGLISH",
      description: "Language of the text. Defaults to ENGLISH.",
    })
    language: Language,
  ): string {
    if (isCoverEventKind(event.trigger)) return coverEventTitles[event.trigger][language];
    return renewalCoverTitles[event.type]?.[language] ?? eventTitleOf(event.trigger, language);
  }

  @FieldResolver(() => String, { nullable: true })
  async subjectName(@Root() event: EventRecord, @Ctx() { loaders }: GatewayContext) {
    return (await loaders.eventSubjectOf(listNameOf(event), event.id))?.name ?? null;
  }

  @FieldResolver(() => DecimalScalar, { nullable: true })
  async amount(@Root() event: EventRecord, @Ctx() { loaders }: GatewayContext) {
    return (await loaders.eventSubjectOf(listNameOf(event), event.id))?.amount ?? null;
  }

  @FieldResolver(() => String, { nullable: true })
  async currency(@Root() event: EventRecord, @Ctx() { loaders }: GatewayContext) {
    const subject = await loaders.eventSubjectOf(listNameOf(event), event.id);
    return subject?.amount == null ? null : subject.currency;
  }

  @FieldResolver(() => GraphQLJSONObject)
  facts(@Root() event: EventRecord): object {
    // They are fields of their own.
    const { amount: _amount, currency: _currency, ...facts } = pickPublicFacts(event.facts);
    return facts;
  }
}

/** True for the events of a renewal's cover, which the billing side records. */
const isOfRenewal = ({ trigger }: EventRecord): boolean => !isCoverEventKind(trigger);

const listNameOf = (event: EventRecord) => (isOfRenewal(event) ? "events" : "timeline");

function textIn(facts: Readonly<Record<string, unknown>>, key: string): string | null {
  const value = facts[key];
  return typeof value === "string" ? value : null;
}
