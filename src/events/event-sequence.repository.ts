import { and, asc, eq, sql } from "drizzle-orm";
import { eventLog, eventSequences } from "../../schema/tables/index.ts";
import type { EventType } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { idIsOneOf } from "../database/conditions.ts";
import type { EventRecord } from "./event.repository.ts";

/** An event that was numbered. */
export interface NumberedEventRow {
  id: number;
  type: EventType;
  /** An ISO 8601 instant. It finds the event's partition. */
  recordedAt: string;
}

/** Queries for the numbers of events. */
export class EventSequenceRepository {
  constructor(private readonly db: Handle) {}

  /** Locks the vendor's sequence, and makes it first if there is none. False if another transaction has locked it. */
  async lockSequence(vendorId: number): Promise<boolean> {
    if (await this.tryLock(vendorId)) return true;
    await this.db.insert(eventSequences).values({ vendorId, lastNumber: 0 }).onConflictDoNothing();
    return this.tryLock(vendorId);
  }

  /**
   * Numbers the events that have no number, in the order of their ids. The sequence must be locked by an earlier statement,
   * so that this one sees all numbers that were given. @returns the events, in the order of their numbers.
   */
  async numberEvents(vendorId: number, limit: number): Promise<NumberedEventRow[]> {
    const rows = (await this.db.execute(sql`
      with "next" as (
        select "event_id" from "unnumbered_events" where "unnumbered_events"."vendor_id" = ${vendorId}::bigint
        order by "event_id" limit ${limit}::integer
      ), "taken" as (
        delete from "unnumbered_events" u using "next" n where u."vendor_id" = ${vendorId}::bigint and u."event_id" = n."event_id"
        returning u."event_id", u."recorded_at", u."type"
      ), "numbered" as (
        insert into "event_numbers" ("vendor_id", "number", "event_id", "recorded_at", "type")
        select s."vendor_id", s."last_number" + row_number() over (order by t."event_id"), t."event_id", t."recorded_at", t."type"
        from "taken" t join "event_sequences" s on s."vendor_id" = ${vendorId}::bigint
        returning "number", "event_id", "recorded_at", "type"
      )
      update "event_sequences" set "last_number" = "last_number" + (select count(*) from "numbered")
      where "event_sequences"."vendor_id" = ${vendorId}::bigint returning (
        select coalesce(json_agg(json_build_object('id', "event_id", 'type', "type", 'recordedAt', "recorded_at") order by "number"), '[]') from "numbered"
      ) as "events"`)) as Iterable<{ events: NumberedEventRow[] }>;
    return [...rows][0]?.events ?? [];
  }

  /** The events of numbered rows, in the order of their ids. */
  eventsOf(vendorId: number, rows: readonly NumberedEventRow[]): Promise<EventRecord[]> {
    return this.db
      .select()
      .from(eventLog)
      .where(
        and(
          eq(eventLog.vendorId, vendorId),
          idIsOneOf(
            eventLog.id,
            rows.map(({ id }) => id),
          ),
          sql`${eventLog.recordedAt} = any(${`{${rows.map(({ recordedAt }) => `"${recordedAt}"`).join(",")}}`}::timestamptz[])`,
        ),
      )
      .orderBy(asc(eventLog.id));
  }

  private async tryLock(vendorId: number): Promise<boolean> {
    const rows = await this.db
      .select({ lastNumber: eventSequences.lastNumber })
      .from(eventSequences)
      .where(eq(eventSequences.vendorId, vendorId))
      .for("no key update", { skipLocked: true });
    return rows.length > 0;
  }
}
