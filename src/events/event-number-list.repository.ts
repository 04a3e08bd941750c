import { and, inArray, sql, type SQL } from "drizzle-orm";
import { eventNumbers } from "../../schema/tables/index.ts";
import type { EventType } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { toTextArray } from "../database/conditions.ts";
import type { SlicePlan } from "../database/lists/paged-list.ts";
import { RecordList } from "../database/lists/record-list.ts";

/** The number of an event, and the event's place in the log. `id` is the number. */
export type EventNumberRecord = typeof eventNumbers.$inferSelect;

/** The types of a feed. Null or undefined means all types. */
export interface EventFeedFilter {
  types?: readonly EventType[] | null;
}

/** The range of a number, in the words of the index `event_numbers_type_range`. */
const rangeOf = (number: SQL): SQL => sql`(${number} >> 8)`;

/**
 * A vendor's events in the order of their numbers. The index of types has ranges of 256 numbers in place of the numbers, so that most of
 * its rows are alike and PostgreSQL stores each as six bytes. A slice of some types takes the first rows of each type from it, range by
 * range, and sorts only within a range.
 */
export class EventNumberList extends RecordList<EventNumberRecord, EventFeedFilter, "NUMBER", never> {
  constructor(db: Handle) {
    super(db, {
      table: eventNumbers,
      sorts: { NUMBER: eventNumbers.id },
      parentConditions: {},
      filterCondition: ({ types }) => (types ? inArray(eventNumbers.type, [...types]) : undefined),
    });
  }

  protected override isInSlice(vendorId: number, filter: EventFeedFilter, plan: SlicePlan): SQL | undefined {
    if (!filter.types) return super.isInSlice(vendorId, filter, plan);
    const { start, isAscending, size } = plan;
    const number = sql`first."number"`;
    const direction = isAscending ? sql`asc` : sql`desc`;
    const comparison = isAscending ? sql`>` : sql`<`;
    const beyond =
      start &&
      sql`and ${rangeOf(number)} ${comparison}= ${rangeOf(sql`${start.id}::bigint`)} and ${number} ${comparison} ${start.id}::bigint`;
    return and(
      this.isOfVendor(vendorId),
      sql`${eventNumbers.id} = any(array(
        select found."number" from unnest(${toTextArray(filter.types)}::text[]) as wanted("type") cross join lateral (
          select ${number} from ${eventNumbers} as first
          where first."vendor_id" = ${vendorId} and first."type" = wanted."type" ${beyond}
          order by ${rangeOf(number)} ${direction}, ${number} ${direction} limit ${size + 1}) as found))`,
    );
  }
}
