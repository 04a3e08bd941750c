import { eq, getTableName, sql } from "drizzle-orm";
import { eventLog, eventNumbers, eventSequences } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { bigintArray } from "../database/conditions.ts";
import { decodeCursor, encodeCursor, sortNameOf } from "../database/lists/cursor.ts";
import { sortKeyOf } from "../database/lists/sort-key.ts";
import { getOrThrow } from "../kernel/required-values.ts";
import { EventNumberList, type EventFeedFilter, type EventNumberRecord } from "./event-number-list.repository.ts";
import type { EventRecord } from "./event.repository.ts";

/** A numbered event with its row of the log. */
export interface NumberedEvent extends EventNumberRecord {
  event: EventRecord;
}

const table = getTableName(eventNumbers);
const SORT_NAME = sortNameOf(table, "NUMBER", "ASC");
const numberKey = sortKeyOf(eventNumbers.id, `"${table}"`);

/** The position before the first event. */
const START_CURSOR = encodeCursor(SORT_NAME, { value: "0", id: 0 });

/** The event of a number. The time of a number leads to its event's partition. */
const isEventOfNumber = sql`${eventLog.vendorId} = ${eventNumbers.vendorId} and ${eventLog.id} = ${eventNumbers.eventId} and ${eventLog.recordedAt} = ${eventNumbers.recordedAt}`;

/** Queries for the feed: numbered events in the order of their numbers. */
export class EventFeedRepository {
  readonly list: EventNumberList;

  constructor(private readonly db: Handle) {
    this.list = new EventNumberList(db);
  }

  /** The cursor of a number: a position of the list. 0 is the position before the first event. */
  cursorOf(number: number): string {
    return number === 0 ? START_CURSOR : encodeCursor(SORT_NAME, { value: String(number), id: number });
  }

  /** The number of a cursor. @throws a Refusal that names the argument unless it is a cursor of the list. */
  numberOf(cursor: string, argument: string): number {
    return cursor === START_CURSOR ? 0 : decodeCursor(cursor, SORT_NAME, numberKey, argument).id;
  }

  /** The last number of a vendor's events; 0 if it has none. */
  async lastNumber(vendorId: number): Promise<number> {
    const [sequence] = await this.db
      .select({ lastNumber: eventSequences.lastNumber })
      .from(eventSequences)
      .where(eq(eventSequences.vendorId, vendorId));
    return sequence?.lastNumber ?? 0;
  }

  /** The next events of a vendor after a number. */
  async eventsAfter(vendorId: number, after: number, types: EventFeedFilter["types"], limit: number) {
    const request = { first: limit, ...(after > 0 && { after: this.cursorOf(after) }) };
    const { rows } = await this.list.slice(vendorId, { types }, request, { field: "NUMBER", direction: "ASC" });
    const events = await this.eventsByNumbers(
      vendorId,
      rows.map(({ row }) => row.id),
    );
    return rows.map(({ row }): NumberedEvent => ({ ...row, event: getOrThrow(events, row.id) }));
  }

  /**
   * The next events of many vendors, each after a number of its own: one statement. Numbers have no gaps, so that a range of
   * numbers limits the events of each vendor.
   */
  async eventsOfVendorsAfter(
    positions: readonly { vendorId: number; after: number }[],
    limit: number,
  ): Promise<NumberedEvent[]> {
    const vendorIds = bigintArray(positions.map(({ vendorId }) => vendorId));
    const numbers = bigintArray(positions.map(({ after }) => after));
    const rows = await this.db
      .select({ number: eventNumbers, event: eventLog })
      .from(eventNumbers)
      .innerJoin(
        sql`unnest(${vendorIds}, ${numbers}) as "position" ("vendor_id", "after")`,
        sql`${eventNumbers.vendorId} = "position"."vendor_id" and ${eventNumbers.id} > "position"."after" and ${eventNumbers.id} <= "position"."after" + ${limit}::integer`,
      )
      .innerJoin(eventLog, isEventOfNumber)
      .orderBy(eventNumbers.vendorId, eventNumbers.id);
    return rows.map(({ number, event }) => ({ ...number, event }));
  }

  /** The events that have these numbers, by number. */
  async eventsByNumbers(vendorId: number, numbers: readonly number[]): Promise<Map<number, EventRecord>> {
    const rows = await this.db
      .select({ number: eventNumbers.id, event: eventLog })
      .from(eventNumbers)
      .innerJoin(eventLog, isEventOfNumber)
      .where(
        sql`${eventNumbers.vendorId} = ${vendorId} and ${eventLog.vendorId} = ${vendorId} and ${eventNumbers.id} = any(${`{${numbers.join(",")}}`}::bigint[])`,
      );
    return new Map(rows.map(({ number, event }) => [number, event]));
  }
}
