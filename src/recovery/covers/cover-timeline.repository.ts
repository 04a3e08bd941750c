import { and, desc, eq, gt, sql } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { insertRows } from "../../database/prepared-statements.ts";
import { RecordList } from "../../database/record-list.ts";
import { coverEvents } from "../../../schema/tables/index.ts";
import type { CoverEventKind } from "../../../schema/vocabulary.ts";

export type CoverEventRecord = typeof coverEvents.$inferSelect;

/** The values of a new event. */
export type NewCoverEvent = Omit<typeof coverEvents.$inferInsert, "vendorId" | "id">;

/** The subject of an event: the name of the products and the amount of the order, as far as they are known. */
interface CoverEventSubjectRow {
  id: number;
  name: string | null;
  amount: string | null;
  currency: string;
}

/** Queries for the timeline, which is append-only. */
export class CoverTimelineRepository {
  readonly list: RecordList<CoverEventRecord, object, "OCCURRED_AT", "orderId" | "subscriptionId" | "coverId">;

  constructor(private readonly db: Handle) {
    this.list = new RecordList(db, {
      table: coverEvents,
      sorts: { OCCURRED_AT: coverEvents.occurredAt },
      parentConditions: {
        orderId: coverEvents.orderId,
        subscriptionId: coverEvents.subscriptionId,
        coverId: coverEvents.coverId,
      },
      filterCondition: () => undefined,
    });
  }

  /** The last occurrence of an event on an order after an instant; null if there is none. */
  async lastOccurrence(vendorId: number, orderId: number, type: CoverEventKind, after: Date): Promise<Date | null> {
    const [last] = await this.db
      .select({ occurredAt: coverEvents.occurredAt })
      .from(coverEvents)
      .where(
        and(
          eq(coverEvents.vendorId, vendorId),
          eq(coverEvents.orderId, orderId),
          eq(coverEvents.type, type),
          gt(coverEvents.occurredAt, after),
        ),
      )
      .orderBy(desc(coverEvents.occurredAt))
      .limit(1);
    return last?.occurredAt ?? null;
  }

  /**
   * The subjects of events, by the numbers of the events: names and amounts. The recovery module has only the vendor's
   * currency.
   */
  async eventSubjectsOf(vendorId: number, ids: readonly number[]): Promise<CoverEventSubjectRow[]> {
    const rows = await this.db.execute(sql`
      select e.id::bigint as id, trim_scale(o.amount)::text as amount, v.currency,
        (select string_agg(distinct p.name, ', ') from cover_order_items i
          join cover_prices r on r.vendor_id = i.vendor_id and r.id = i.price_id
          join cover_products p on p.vendor_id = r.vendor_id and p.id = r.product_id
          where i.vendor_id = ${vendorId}::bigint and i.order_id = coalesce(e.order_id, s.initial_order_id)) as name
      from cover_events e join vendors v on v.id = e.vendor_id
      left join cover_orders o on o.vendor_id = ${vendorId}::bigint and o.id = e.order_id
      left join cover_subscriptions s on s.vendor_id = ${vendorId}::bigint and s.id = e.subscription_id
      where e.vendor_id = ${vendorId}::bigint and e.id = any(${`{${ids.join(",")}}`}::bigint[])`);
    return Array.from(rows as Iterable<Omit<CoverEventSubjectRow, "id"> & { id: string }>, (row) => ({
      ...row,
      id: Number(row.id),
    }));
  }

  async add(vendorId: number, events: readonly NewCoverEvent[]): Promise<void> {
    if (events.length === 0) return;
    await insertRows(
      this.db,
      coverEvents,
      events.map((event) => ({ vendorId, ...event })),
    );
  }
}
