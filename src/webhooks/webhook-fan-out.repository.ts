import { and, asc, eq, gt } from "drizzle-orm";
import { eventLog, eventNumbers } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";

/** An event with its number. */
export interface NumberedEvent {
  number: number;
  event: typeof eventLog.$inferSelect;
}

/** Queries for the events that webhooks deliver. */
export class WebhookFanOutRepository {
  constructor(private readonly db: Handle) {}

  /** The events after a number, in order. The time of a number leads to its event's partition. */
  eventsAfter(vendorId: number, number: number, limit: number): Promise<NumberedEvent[]> {
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
      .where(and(eq(eventNumbers.vendorId, vendorId), gt(eventNumbers.id, number)))
      .orderBy(asc(eventNumbers.id))
      .limit(limit);
  }

  /** The time at which the event with a number was recorded; undefined if there is no such number. */
  async recordedAt(vendorId: number, number: number): Promise<Date | undefined> {
    const [row] = await this.db
      .select({ recordedAt: eventNumbers.recordedAt })
      .from(eventNumbers)
      .where(and(eq(eventNumbers.vendorId, vendorId), eq(eventNumbers.id, number)));
    return row?.recordedAt;
  }
}
