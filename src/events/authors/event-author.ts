import type { EventAuthorKind } from "../../../schema/vocabulary.ts";
import type { EventRecord } from "../event.repository.ts";

/** The person or program that causes the events of a transaction. */
export interface EventAuthor {
  kind: EventAuthorKind;
  /** The id of the person or the key; null for other authors. */
  id: number | null;
  /** The session of a browser for which the key created a token; absent for other authors. */
  sessionId?: string | null;
}

/** The author of a recorded event; null for events from before authors were recorded. */
export const authorOf = ({
  authorKind,
  authorId,
  authorSession,
}: Pick<EventRecord, "authorKind" | "authorId" | "authorSession">): EventAuthor | null =>
  authorKind && { kind: authorKind, id: authorId, sessionId: authorSession };
