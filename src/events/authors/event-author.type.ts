import { Field, ObjectType } from "type-graphql";
import { EventAuthorKind } from "../../../schema/vocabulary.ts";
import { GraphQLBigInt } from "../../graphql/scalars.ts";

@ObjectType("EventAuthor", {
  description: "The person or program that caused an event.",
  simpleResolvers: true,
})
export class EventAuthorValue {
  @Field(() => EventAuthorKind, { description: "Kind of the author." })
  kind!: EventAuthorKind;

  @Field(() => GraphQLBigInt, {
    nullable: true,
    description: "`databaseId` of the person or the API key. Null for other authors.",
  })
  authorDatabaseId!: number | null;

  @Field(() => String, {
    nullable: true,
    description: "E-mail address of the person, or name of the API key. Null for other authors.",
  })
  name!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Id of the browser's session, as `createSessionToken` returned it. Null if no such session was used.",
  })
  sessionId!: string | null;
}

/** The description of the author field of events. */
export const AUTHOR_DESCRIPTION =
  "Person or program that caused the event. Null for events from before authors were recorded.";
