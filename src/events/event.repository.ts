import { and, desc, eq, getTableColumns, gt, sql } from "drizzle-orm";
import { BusinessCountRepository, type BusinessCount } from "./business-count.repository.ts";
import { eventLog, isEventOfProduct, productOfEvent, unnumberedEvents } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { insertRows, preparedExecution } from "../database/prepared-statements.ts";
import { areWrittenAsValues, insertRowBatch } from "../database/row-batches.ts";
import { RecordList } from "../database/lists/record-list.ts";

/** The values of a new event. */
export type NewEvent = Omit<typeof eventLog.$inferInsert, "vendorId" | "id" | "recordedAt" | "traceText">;

export type EventRecord = typeof eventLog.$inferSelect;

/** The name of an event's subject, and the event's amount with its currency, if it has one. */
export interface EventSubjectRow {
  id: number;
  name: string | null;
  amount: string | null;
  currency: string | null;
}

const {
  vendorId: _vendorId,
  id: _id,
  recordedAt: _recordedAt,
  traceText: _traceText,
  ...writtenColumns
} = getTableColumns(eventLog);
const columnNames = sql.raw(
  Object.values(writtenColumns)
    .map(({ name }) => `"${name}"`)
    .join(", "),
);

/** An event by the names of its columns, as JSON reads it. */
const toRow = (event: NewEvent): object => {
  const values: Readonly<Record<string, unknown>> = { facts: {}, notify: true, ...event };
  return Object.fromEntries(Object.entries(writtenColumns).map(([key, { name }]) => [name, values[key] ?? null]));
};

const insertLogged = preparedExecution(sql`
  with "logged" as (
    insert into "event_log" ("vendor_id", ${columnNames})
    select ${sql.placeholder("vendorId")}::bigint, ${columnNames}
    from json_populate_recordset(null::"event_log", ${sql.placeholder("rows")}::text::json)
    returning "id", "recorded_at", "type")
  insert into "unnumbered_events" ("vendor_id", "event_id", "recorded_at", "type")
  select ${sql.placeholder("vendorId")}::bigint, "id", "recorded_at", "type" from "logged"`);

/** Queries for events, which are append-only. */
export class EventRepository {
  readonly timelineList: RecordList<
    EventRecord,
    object,
    "OCCURRED_AT",
    "customerId" | "orderId" | "subscriptionId" | "productId" | "coverOrderId" | "coverSubscriptionId" | "coverId"
  >;

  private readonly businessCounts: BusinessCountRepository;

  constructor(private readonly db: Handle) {
    this.businessCounts = new BusinessCountRepository(db);
    this.timelineList = new RecordList(db, {
      table: eventLog,
      sorts: { OCCURRED_AT: eventLog.occurredAt },
      parentConditions: {
        customerId: eventLog.customerId,
        orderId: eventLog.orderId,
        subscriptionId: eventLog.subscriptionId,
        productId: (productId) => sql`${productOfEvent} = ${productId} and ${isEventOfProduct}`,
        coverOrderId: eventLog.coverOrderId,
        coverSubscriptionId: eventLog.coverSubscriptionId,
        coverId: eventLog.coverId,
      },
      filterCondition: () => undefined,
    });
  }

  /** Finds the subjects' names and the amounts of events by their ids. */
  async eventSubjectsOf(vendorId: number, ids: readonly number[]): Promise<EventSubjectRow[]> {
    const rows = await this.db.execute(sql`
      select e.id::bigint as id,
        case e.subject when 'CUSTOMER' then c.name when 'ORDER_ITEM' then i.ordered_product_name when 'SUBSCRIPTION' then (
          select p.name from subscription_items s join products p on p.vendor_id = s.vendor_id and p.id = s.product_id
          where s.vendor_id = ${vendorId}::bigint and s.subscription_id = e.subject_id order by s.removed_at is not null, s.position limit 1)
        when 'PRODUCT' then (select p.name from products p where p.vendor_id = ${vendorId}::bigint and p.id = e.subject_id)
        when 'PRICE_PLAN' then (select p.plan_name from price_plans p where p.vendor_id = ${vendorId}::bigint and p.id = e.subject_id)
        else o.product_name end as name,
        coalesce(e.facts ->> 'amount', e.facts ->> 'refundable', trim_scale(case e.subject when 'ORDER_ITEM' then i.amount else o.amount end)::text) as amount,
        coalesce(e.facts ->> 'currency', i.currency, o.currency, n.currency) as currency
      from event_log e
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

  /** Adds events to the counts of their day. */
  addBusinessCounts(vendorId: number, counts: readonly BusinessCount[]): Promise<void> {
    return this.businessCounts.addCounts(vendorId, counts);
  }

  /** Counts the changes of subscriptions' monthly recurring revenue. */
  updateRecurringRevenues(vendorId: number, subscriptionIds: readonly number[], at: Date): Promise<void> {
    return this.businessCounts.countRecurring(vendorId, subscriptionIds, at);
  }

  /** Saves events in their order, and notes them for the sequencer: one statement with one JSON parameter, but for a few on a cluster. */
  async insertEvents(vendorId: number, values: readonly NewEvent[]): Promise<void> {
    if (values.length === 0) return;
    if (areWrittenAsValues(this.db, values)) {
      const logged = await insertRows(
        this.db,
        eventLog,
        values.map((value) => ({ ...value, vendorId })),
        ["id", "recordedAt", "type"],
      );
      const unnumbered = logged.map(({ id, ...event }) => ({ eventId: id, ...event }));
      await insertRowBatch(this.db, unnumberedEvents, vendorId, unnumbered);
      return;
    }
    const rows = JSON.stringify(values.map(toRow));
    await insertLogged(this.db, { vendorId, rows });
  }

  /** The last time of a change of a registered order after an instant; null if there is none. */
  async lastOccurrence(vendorId: number, coverOrderId: number, trigger: string, after: Date): Promise<Date | null> {
    const [last] = await this.db
      .select({ occurredAt: eventLog.occurredAt })
      .from(eventLog)
      .where(
        and(
          eq(eventLog.vendorId, vendorId),
          eq(eventLog.coverOrderId, coverOrderId),
          eq(eventLog.trigger, trigger),
          gt(eventLog.occurredAt, after),
        ),
      )
      .orderBy(desc(eventLog.occurredAt))
      .limit(1);
    return last?.occurredAt ?? null;
  }
}
