import { inArray, sql } from "drizzle-orm";
import { eventLog, eventNumbers } from "../../schema/tables/index.ts";
import type { EventType } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { RecordList } from "../database/record-list.ts";
import type { EventRecord } from "./event.repository.ts";

/** The number of an event, and the event's place in the log. `id` is the number. */
export type EventNumberRecord = typeof eventNumbers.$inferSelect;

/** Queries for the feed: numbered events in the order of their numbers. */
export class EventFeedRepository {
  readonly list: RecordList<EventNumberRecord, { types?: readonly EventType[] | null }, "NUMBER", never>;

  constructor(private readonly db: Handle) {
    this.list = new RecordList(db, {
      table: eventNumbers,
      sorts: { NUMBER: eventNumbers.id },
      parentConditions: {},
      filterCondition: ({ types }) => (types ? inArray(eventNumbers.type, [...types]) : undefined),
    });
  }

  /** The events that have these numbers, by number. The time of a number leads to its event's partition. */
  async eventsByNumbers(vendorId: number, numbers: readonly number[]): Promise<Map<number, EventRecord>> {
    const rows = await this.db
      .select({ number: eventNumbers.id, event: eventLog })
      .from(eventNumbers)
      .innerJoin(
        eventLog,
        sql`${eventLog.vendorId} = ${eventNumbers.vendorId} and ${eventLog.id} = ${eventNumbers.eventId} and ${eventLog.recordedAt} = ${eventNumbers.recordedAt}`,
      )
      .where(
        sql`${eventNumbers.vendorId} = ${vendorId} and ${eventLog.vendorId} = ${vendorId} and ${eventNumbers.id} = any(${`{${numbers.join(",")}}`}::bigint[])`,
      );
    return new Map(rows.map(({ number, event }) => [number, event]));
  }
}
