import { and, eq, gte, lt, lte, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { orderCountChanges, orderCounts, orders, orderStates } from "../../schema/tables/index.ts";
import type { OrderItemStatus, SortDirection } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import type { TimeRange } from "../database/conditions.ts";
import { firstOf } from "../kernel/required-values.ts";

const DAY_MS = 86_400_000;

/** The status under which all orders are counted. */
const ALL = "";

/** The sort keys of a list in order of time: of all orders, or of those with a line in a state. */
const sortKeysOf = (status: OrderItemStatus | null | undefined) =>
  status == null
    ? { table: orders, vendorId: orders.vendorId, createdAt: orders.createdAt, id: orders.id, status: undefined }
    : {
        table: orderStates,
        vendorId: orderStates.vendorId,
        createdAt: orderStates.createdAt,
        id: orderStates.orderId,
        status: eq(orderStates.status, status),
      };

/**
 * Totals and far pages of orders by their time, from how many each day has: their cost depends on the number of days, not
 * of orders. Days are those of UTC; what a period cuts off a day is counted on the index.
 */
export class OrderCountRepository {
  constructor(private readonly db: Handle) {}

  /** Number of orders that were created in a period, in all or with a line in a state. */
  async count(vendorId: number, status?: OrderItemStatus | null, period?: TimeRange | null): Promise<number> {
    const rows = await this.db.execute(sql`select ${this.totalSql(vendorId, status, period)} as total`);
    const [{ total }] = [...(rows as Iterable<{ total: string }>)] as [{ total: string }];
    return Number(total);
  }

  /**
   * The numbers of one page's orders, as a statement. The day that the page begins in is found by the counts; only the
   * orders of that day before the page are passed over one by one.
   */
  keysAt(
    vendorId: number,
    status: OrderItemStatus | null | undefined,
    period: TimeRange | null | undefined,
    offset: number,
    size: number,
    direction: SortDirection,
  ): SQL {
    const rising = direction === "ASC";
    const keys = sortKeysOf(status);
    const order = rising ? sql`asc` : sql`desc`;
    // Orders before the period, in the list's direction, count as skipped.
    const skipped = rising
      ? period?.from && this.totalSql(vendorId, status, { until: justBefore(period.from) })
      : period?.until && this.totalSql(vendorId, status, { from: justAfter(period.until) });
    const place = sql`(${offset}::bigint + ${skipped ?? sql`0`})`;
    const days = sql`select day, sum(sum(total)) over (order by day ${order}) - sum(total) as before, sum(total) as own
      from ${countsSql(vendorId, status)} group by day`;
    const begin = sql`select day, before, place from (${days}) days, (select ${place} as place) p
      where before <= place and place < before + own`;
    const fromDay = rising
      ? sql`${keys.createdAt} >= (select day from begin)::timestamp at time zone 'UTC'`
      : sql`${keys.createdAt} < ((select day from begin) + 1)::timestamp at time zone 'UTC'`;
    const end = rising
      ? period?.until && lte(keys.createdAt, period.until)
      : period?.from && gte(keys.createdAt, period.from);
    return sql`with begin as materialized (${begin})
      select ${keys.id} from ${keys.table} where ${and(eq(keys.vendorId, vendorId), keys.status, fromDay, end ?? undefined)}
      order by ${keys.createdAt} ${order}, ${keys.id} ${order}
      limit ${size} offset (select place - before from begin)`;
  }

  private totalSql(vendorId: number, status?: OrderItemStatus | null, period?: TimeRange | null): SQL {
    const { from, until } = period ?? {};
    const first = from ? startOfDay(from, from.getTime() % DAY_MS === 0 ? 0 : 1) : undefined;
    const end = until ? startOfDay(justAfter(until), 0) : undefined;
    if (first && end && from && until && first >= end)
      return this.countRowsSql(vendorId, status, from, justAfter(until));
    const whole = sql`(select coalesce(sum(total), 0) from ${countsSql(vendorId, status, (day) =>
      and(first && gte(day, toDayText(first)), end && lt(day, toDayText(end))),
    )})`;
    const head = from && first && first > from ? this.countRowsSql(vendorId, status, from, first) : sql`0`;
    const tail =
      until && end && justAfter(until) > end ? this.countRowsSql(vendorId, status, end, justAfter(until)) : sql`0`;
    return sql`(${whole} + ${head} + ${tail})`;
  }

  /** Counted one by one, from an instant to before another. */
  private countRowsSql(vendorId: number, status: OrderItemStatus | null | undefined, from: Date, end: Date): SQL {
    const keys = sortKeysOf(status);
    return sql`(select count(*) from ${keys.table}
      where ${and(
        eq(keys.vendorId, vendorId),
        keys.status,
        sql`${keys.createdAt} >= ${toTimestampSql(from)}`,
        sql`${keys.createdAt} < ${toTimestampSql(end)}`,
      )})`;
  }
}

/** The counts of days, and the changes that the worker has not added to them: a total is the sum of both. */
function countsSql(
  vendorId: number,
  status: OrderItemStatus | null | undefined,
  daysCondition?: (day: PgColumn) => SQL | undefined,
): SQL {
  const condition = (table: typeof orderCounts | typeof orderCountChanges) =>
    and(eq(table.vendorId, vendorId), eq(table.status, status ?? ALL), daysCondition?.(table.day));
  return sql`(select day, total from ${orderCounts} where ${condition(orderCounts)}
    union all select day, change from ${orderCountChanges} where ${condition(orderCountChanges)}) counts`;
}

const justAfter = (instant: Date): Date => new Date(instant.getTime() + 1);
const justBefore = (instant: Date): Date => new Date(instant.getTime() - 1);
const startOfDay = (instant: Date, daysLater: number): Date =>
  new Date((Math.floor(instant.getTime() / DAY_MS) + daysLater) * DAY_MS);
/**
 * The instant after the last one with a four-digit year has five digits, here without the sign that JavaScript adds.
 */
const toIsoText = (instant: Date): string => instant.toISOString().replace(/^[+]0*/, "");
const toTimestampSql = (instant: Date): SQL => sql`${toIsoText(instant)}::timestamptz`;
const toDayText = (instant: Date): string => firstOf(toIsoText(instant).split("T"));
