import { eq, sql } from "drizzle-orm";
import { BusinessCountRepository, type BusinessCount } from "./business-count.repository.ts";
import { events } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { whenGiven } from "../database/conditions.ts";
import { RecordList } from "../database/record-list.ts";

/** The values of a new event. */
export type NewEvent = Omit<typeof events.$inferInsert, "vendorId" | "id" | "postedAt">;

export type EventRecord = typeof events.$inferSelect;

/** The name of an event's subject, and the event's amount with its currency, if it has one. */
export interface EventSubjectRow {
  id: number;
  name: string | null;
  amount: string | null;
  currency: string | null;
}

/** Queries for events, which are append-only. */
export class EventRepository {
  readonly timelineList: RecordList<
    EventRecord,
    { subject?: EventRecord["subject"] },
    "OCCURRED_AT",
    "customerId" | "orderId" | "subscriptionId" | "subjectId"
  >;

  private readonly businessCounts: BusinessCountRepository;

  constructor(private readonly db: Handle) {
    this.businessCounts = new BusinessCountRepository(db);
    this.timelineList = new RecordList(db, {
      table: events,
      sorts: { OCCURRED_AT: events.occurredAt },
      parentConditions: {
        customerId: events.customerId,
        orderId: events.orderId,
        subscriptionId: events.subscriptionId,
        subjectId: events.subjectId,
      },
      filterCondition: ({ subject }) => whenGiven(subject, (word) => eq(events.subject, word)),
    });
  }

  /** Finds the subjects' names and the amounts of events by their ids. */
  async eventSubjectsOf(vendorId: number, ids: readonly number[]): Promise<EventSubjectRow[]> {
    const rows = await this.db.execute(sql`
      select e.id::bigint as id,
        case e.subject when 'CUSTOMER' then c.name when 'ORDER_ITEM' then i.ordered_product_name when 'SUBSCRIPTION' then (
          select p.name from subscription_items s join products p on p.vendor_id = s.vendor_id and p.id = s.product_id
          where s.vendor_id = ${vendorId}::bigint and s.subscription_id = e.subject_id order by s.removed_at is not null, s.position limit 1)
        else o.product_name end as name,
        coalesce(e.facts ->> 'amount', e.facts ->> 'refundable', trim_scale(case e.subject when 'ORDER_ITEM' then i.amount else o.amount end)::text) as amount,
        coalesce(e.facts ->> 'currency', i.currency, o.currency, n.currency) as currency
      from events e
      left join orders o on o.vendor_id = ${vendorId}::bigint and o.id = e.order_id
      left join order_items i on i.vendor_id = ${vendorId}::bigint and e.subject = 'ORDER_ITEM' and i.id = e.subject_id
      left join customers c on c.vendor_id = ${vendorId}::bigint and e.subject = 'CUSTOMER' and c.id = e.subject_id
      left join subscriptions n on n.vendor_id = ${vendorId}::bigint and n.id = e.subscription_id
      where e.vendor_id = ${vendorId}::bigint and e.id = any(${`{${ids.join(",")}}`}::bigint[])`);
    return Array.from(rows as Iterable<Omit<EventSubjectRow, "id"> & { id: string }>, (row) => ({
      ...row,
      id: Number(row.id),
    }));
  }

  /** Adds an event to the counts of its day. */
  addBusinessCount(vendorId: number, counted: BusinessCount): Promise<void> {
    return this.businessCounts.addCount(vendorId, counted);
  }

  /** Counts the change of a subscription's monthly recurring revenue. */
  updateRecurringRevenue(vendorId: number, subscriptionId: number, at: Date): Promise<void> {
    return this.businessCounts.countRecurring(vendorId, subscriptionId, at);
  }

  async insertEvents(vendorId: number, values: readonly NewEvent[]): Promise<void> {
    if (values.length > 0) await this.db.insert(events).values(values.map((event) => ({ vendorId, ...event })));
  }
}
