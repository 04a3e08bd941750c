import type postgres from "postgres";

/**
 * Counts the orders of vendors anew, with their states, after statements that wrote orders and lines without the gateway. Nothing else
 * may write them meanwhile.
 */
export async function recountOrders(sql: postgres.Sql, vendorIds: readonly number[]): Promise<void> {
  const vendors = `any('{${vendorIds.join(",")}}'::bigint[])`;
  await sql.unsafe(`
    delete from order_states where vendor_id = ${vendors};
    insert into order_states (vendor_id, status, created_at, order_id)
      select distinct l.vendor_id, l.status, o.created_at, l.order_id from order_items l
      join orders o on o.vendor_id = l.vendor_id and o.id = l.order_id where l.vendor_id = ${vendors} and l.type = 'SKU'`);
  await sumOrderCounts(sql, vendorIds);
}

/** Counts the orders of vendors anew by the states that are written of them. */
export async function sumOrderCounts(sql: postgres.Sql, vendorIds: readonly number[]): Promise<void> {
  const vendors = `any('{${vendorIds.join(",")}}'::bigint[])`;
  await sql.unsafe(`
    delete from order_count_changes where vendor_id = ${vendors};
    delete from order_counts where vendor_id = ${vendors};
    insert into order_counts (vendor_id, status, day, slot, total)
      select vendor_id, status, (created_at at time zone 'UTC')::date, 0, count(*) from (
        select vendor_id, '' as status, created_at from orders where vendor_id = ${vendors}
        union all select vendor_id, status, created_at from order_states where vendor_id = ${vendors}) counted
      group by 1, 2, 3`);
}
