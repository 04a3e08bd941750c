import { queryRows } from "../hostile/query-rows.ts";
import type { TestGateway } from "./test-gateway.ts";

/**
 * The differences between what lists of orders are read from and the orders themselves: states of orders against their lines, and counts of
 * days with their changes against the orders of each day. One statement, so that it may run beside any writer.
 */
export const findWrongOrderTotals = (gateway: TestGateway): Promise<object[]> =>
  queryRows(
    gateway,
    `with lines as (
      select distinct l.vendor_id, l.order_id, l.status, o.created_at from order_items l
      join orders o on o.vendor_id = l.vendor_id and o.id = l.order_id where l.vendor_id > 0 and l.type = 'SKU'
    ), kept as (
      select vendor_id, status, day, sum(total) as kept from (
        select vendor_id, status, day, total from order_counts where vendor_id > 0
        union all select vendor_id, status, day, change from order_count_changes where vendor_id > 0) c group by 1, 2, 3
    ), counted as (
      select vendor_id, status, (created_at at time zone 'UTC')::date as day, count(*) as counted from (
        select vendor_id, '' as status, created_at from orders where vendor_id > 0
        union all select vendor_id, status, created_at from lines) o group by 1, 2, 3
    )
    select 'count' as wrong, vendor_id::text, status, day::text, coalesce(kept, 0)::text as kept, coalesce(counted, 0)::text as expected
      from kept full join counted using (vendor_id, status, day) where coalesce(kept, 0) <> coalesce(counted, 0)
    union all select 'state', vendor_id::text, status, order_id::text, (s.order_id is not null)::text, (lines.order_id is not null)::text
      from (select vendor_id, order_id, status, created_at from order_states where vendor_id > 0) s
      full join lines using (vendor_id, order_id, status, created_at) where s.order_id is null or lines.order_id is null`,
  );
