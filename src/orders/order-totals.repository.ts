import { sql, type SQL } from "drizzle-orm";
import { orderCountChanges, orderStates } from "../../schema/tables/index.ts";
import type { OrderItemStatus, OrderItemType } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { dueRowsOf, timestamp, type DueRows } from "../database/due-rows.ts";
import { preparedExecution } from "../database/prepared-statements.ts";
import { areWrittenAsValues, insertRowBatch } from "../database/row-batches.ts";
import { groupBy } from "../kernel/group-by.ts";
import { firstOf } from "../kernel/required-values.ts";
import { startInOrder } from "../kernel/scheduling/start-in-order.ts";

/** A new order, by which it is counted. */
export interface NewOrder {
  id: number;
  createdAt: Date;
  lines: readonly { type: OrderItemType; status: OrderItemStatus }[];
}

/** Changes of counts that were not folded: all of them. */
export const unfoldedCountChanges: DueRows = {
  table: orderCountChanges,
  isDue: (at) => sql`${orderCountChanges.recordedAt} <= ${at}`,
};

const vendorId = sql`${sql.placeholder("vendorId")}::bigint`;
const orderIds = sql`${sql.placeholder("orderIds")}::bigint[]`;
const dayOf = (createdAt: SQL): SQL => sql`(${createdAt} at time zone 'UTC')::date`;

/**
 * False on a database whose triggers write states and counts for gateways of all versions (migration 0074). It is part of each statement,
 * not known to the process: the migration that drops the triggers waits for the transactions that have written to these tables, so that each
 * order is counted exactly once.
 */
const isWrittenHere = sql`to_regproc(quote_ident(current_schema()) || '.keep_order_counts') is null`;

/** Writes the states of new orders and counts them: what they are counted by is known, so that no row is read. */
const insertNewOrders = preparedExecution(sql`
  with "new" as (
    select "order_id", "status", "created_at"
    from json_to_recordset(${sql.placeholder("rows")}::text::json) as r("order_id" bigint, "status" text, "created_at" timestamptz(3))
    where ${isWrittenHere}
  ), "entered" as (
    insert into "order_states" ("vendor_id", "status", "created_at", "order_id")
    select ${vendorId}, "status", "created_at", "order_id" from "new" where "status" <> ''
  )
  insert into "order_count_changes" ("vendor_id", "status", "day", "change")
  select ${vendorId}, "status", ${dayOf(sql`"created_at"`)}, count(*) from "new" group by 2, 3 order by 2, 3`);

/** Compares the states of orders with their lines, and counts the differences. */
const updateStates = preparedExecution(sql`
  with "current" as materialized (
    select distinct l."order_id", l."status", o."created_at"
    from "orders" o join "order_items" l on l."vendor_id" = o."vendor_id" and l."order_id" = o."id"
    where o."vendor_id" = ${vendorId} and o."id" = any(${orderIds}) and l."vendor_id" = ${vendorId} and l."order_id" = any(${orderIds})
      and l."type" = 'SKU' and ${isWrittenHere}
  ), "gone" as (
    delete from "order_states" s where s."vendor_id" = ${vendorId} and s."order_id" = any(${orderIds}) and ${isWrittenHere}
      and not exists (select from "current" c where c."order_id" = s."order_id" and c."status" = s."status")
    returning s."status", s."created_at"
  ), "entered" as (
    insert into "order_states" ("vendor_id", "status", "created_at", "order_id")
    select ${vendorId}, "status", "created_at", "order_id" from "current" on conflict do nothing
    returning "status", "created_at"
  )
  insert into "order_count_changes" ("vendor_id", "status", "day", "change")
  select ${vendorId}, "status", "day", sum("change") from (
    select "status", ${dayOf(sql`"created_at"`)} as "day", 1 as "change" from "entered"
    union all select "status", ${dayOf(sql`"created_at"`)}, -1 from "gone") changes
  group by 2, 3 having sum("change") <> 0 order by 2, 3`);

/** The day of an instant in UTC. */
const toDay = (instant: Date): string => instant.toISOString().replace(/T.*$/, "");

/**
 * Writes the states of orders and the numbers of orders for lists, in the transaction that changes the orders. Counts are only inserted:
 * no transaction waits for a count of another one.
 */
export class OrderTotalsRepository {
  constructor(private readonly db: Handle) {}

  /** Counts orders that this transaction has inserted, with the states of their lines. */
  async addOrders(ofVendorId: number, orders: readonly NewOrder[]): Promise<void> {
    const rows = orders.flatMap(({ id, createdAt, lines }) => {
      const states = lines.filter(({ type }) => type === "SKU").map(({ status }) => status);
      return (["", ...new Set(states)] as const).map((status) => ({ order_id: id, status, created_at: createdAt }));
    });
    if (areWrittenAsValues(this.db, rows)) await this.insertByTable(ofVendorId, rows);
    else await insertNewOrders(this.db, { vendorId: ofVendorId, rows: JSON.stringify(rows) });
  }

  /** Writes the same rows by a statement for each table. Only a cluster does so, which has no triggers. */
  private async insertByTable(
    ofVendorId: number,
    rows: readonly { order_id: number; status: OrderItemStatus | ""; created_at: Date }[],
  ): Promise<void> {
    const states = rows.flatMap(({ order_id: orderId, status, created_at: createdAt }) =>
      status === "" ? [] : [{ orderId, status, createdAt }],
    );
    const groups = groupBy(rows, ({ status, created_at: createdAt }) => `${status} ${toDay(createdAt)}`);
    const changes = [...groups.values()].map((group) => {
      const { status, created_at: createdAt } = firstOf(group);
      return { status, day: toDay(createdAt), change: group.length };
    });
    const writes = await startInOrder(
      () => insertRowBatch(this.db, orderStates, ofVendorId, states),
      () => insertRowBatch(this.db, orderCountChanges, ofVendorId, changes),
    );
    for (const write of writes) await write;
  }

  /** Writes the states of orders anew after a change of their lines. The caller has locked the orders by an earlier statement. */
  async updateStates(ofVendorId: number, ids: readonly number[]): Promise<void> {
    await updateStates(this.db, { vendorId: ofVendorId, orderIds: `{${ids.join(",")}}` });
  }

  /**
   * Adds the oldest changes of counts to the counts, and deletes them: one statement, so that every total is the same before, meanwhile and after.
   * @returns the number of changes.
   */
  async foldChanges(ofVendorId: number, now: Date, limit: number): Promise<number> {
    const rows = (await this.db.execute(sql`
      with "next" as (
        select "id" from "order_count_changes" where ${dueRowsOf(unfoldedCountChanges, ofVendorId, timestamp(now))}
        order by "id" limit ${limit}::integer for update skip locked
      ), "taken" as (
        delete from "order_count_changes" c using "next" n where c."vendor_id" = ${ofVendorId}::bigint and c."id" = n."id"
        returning c."status", c."day", c."change"
      ), "folded" as (
        insert into "order_counts" ("vendor_id", "status", "day", "slot", "total")
        select ${ofVendorId}::bigint, "status", "day", 0, sum("change") from "taken" group by 2, 3 having sum("change") <> 0 order by 2, 3
        on conflict ("vendor_id", "status", "day", "slot") do update set "total" = "order_counts"."total" + excluded."total"
      )
      select count(*)::integer as "count" from "taken"`)) as Iterable<{ count: number }>;
    return [...rows][0]?.count ?? 0;
  }
}
