import { and, asc, eq, gt, lte } from "drizzle-orm";
import { eventLog, eventNumbers, eventSequences } from "../../schema/tables/index.ts";
import type { EventType } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { isOneOf } from "../database/conditions.ts";

/** An event that messages can be queued for, with its number. */
export interface NumberedMessageEvent {
  number: number;
  event: typeof eventLog.$inferSelect;
}

/** Queries for the events that messages are queued for. */
export class MessageEventRepository {
  constructor(private readonly db: Handle) {}

  /** Locks the vendor's sequence. Undefined if another transaction has locked it. */
  async lockSequence(vendorId: number): Promise<typeof eventSequences.$inferSelect | undefined> {
    const [sequence] = await this.db
      .select()
      .from(eventSequences)
      .where(eq(eventSequences.vendorId, vendorId))
      .for("no key update", { skipLocked: true });
    return sequence;
  }

  /** The events of some types between two numbers, in order. The time of a number leads to its event's partition. */
  eventsBetween(
    vendorId: number,
    { after, until, types, limit }: { after: number; until: number; types: readonly EventType[]; limit: number },
  ): Promise<NumberedMessageEvent[]> {
    return this.db
      .select({ number: eventNumbers.id, event: eventLog })
      .from(eventNumbers)
      .innerJoin(
        eventLog,
        and(
          eq(eventLog.vendorId, vendorId),
          eq(eventLog.id, eventNumbers.eventId),
          eq(eventLog.recordedAt, eventNumbers.recordedAt),
        ),
      )
      .where(
        and(
          eq(eventNumbers.vendorId, vendorId),
          gt(eventNumbers.id, after),
          lte(eventNumbers.id, until),
          isOneOf(eventNumbers.type, types),
        ),
      )
      .orderBy(asc(eventNumbers.id))
      .limit(limit);
  }

  async saveReadNumber(vendorId: number, messagesReadNumber: number): Promise<void> {
    await this.db.update(eventSequences).set({ messagesReadNumber }).where(eq(eventSequences.vendorId, vendorId));
  }
}
