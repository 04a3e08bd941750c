import type postgres from "postgres";
import { recountOrders, sumOrderCounts } from "./order-totals.ts";

/** The volume of a bench's database. */
export interface OrderVolume {
  vendorIds: readonly number[];
  /** Orders of each vendor, spread evenly over a year. */
  ordersEach: number;
  /** Product lines of each order. */
  lines: number;
  /** Only orders, their lines and the counts, without different payers and products. */
  customersEach: number;
  productsEach: number;
  /** The number before that of the first order's code: codes are unique over all vendors. Defaults to 0. */
  codesAfter?: number;
}

/** The time of the newest order of the year. */
export const YEAR_END = new Date("2026-10-01T00:00:00Z");

/**
 * Customers, products with a plan each, and orders with lines, written by statements of the database: a million orders
 * take a few minutes. They are counted at the end.
 */
export async function seedOrders(sql: postgres.Sql, volume: OrderVolume): Promise<void> {
  for (const vendorId of volume.vendorIds) await seedVendor(sql, vendorId, volume);
  await recountOrders(sql, volume.vendorIds);
  for (const table of ["customers", "products", "price_plans", "orders", "order_items", "order_states", "order_counts"])
    await sql.unsafe(`analyze ${table}`);
}

/** A million rows at a time: the checks of a statement's rows stay in memory until its end. */
const BATCH_SIZE = 1_000_000;

/** The indexes for lists by time. */
const KEPT_INDEXES = ["orders_pk", "orders_created"];

/**
 * Orders without lines, whose states are written directly to the keys; the other indexes of orders are dropped first.
 */
export async function seedKeys(sql: postgres.Sql, volume: OrderVolume): Promise<void> {
  const others =
    await sql`select indexname from pg_indexes where tablename = 'orders' and not indexname = any(${KEPT_INDEXES})
    and indexname not in (select conname from pg_constraint)`;
  for (const { indexname } of others) await sql.unsafe(`drop index ${String(indexname)}`);
  for (const vendorId of volume.vendorIds) {
    await seedCatalogue(sql, vendorId, volume);
    for (let first = 1; first <= volume.ordersEach; first += BATCH_SIZE)
      await seedBatch(sql, vendorId, volume, first, Math.min(first + BATCH_SIZE - 1, volume.ordersEach));
    await sql.unsafe(`
      insert into order_states (vendor_id, status, created_at, order_id)
      select vendor_id, ${orderStateSql("id")}, created_at, id from orders where vendor_id = ${vendorId}`);
  }
  await sumOrderCounts(sql, volume.vendorIds);
  for (const table of ["orders", "order_states", "order_counts"]) await sql.unsafe(`vacuum analyze ${table}`);
}

/**
 * States that wait for no time, and no order holds stock that is due to be returned: a worker would be busy with them beside
 * what is measured.
 */
const orderStateSql = (id: string) =>
  `(array['PAID', 'PAID', 'PAID', 'FINISHED_SUCCESSFULLY', 'CREATED'])[1 + (${id} % 5)::int]`;

async function seedVendor(sql: postgres.Sql, vendorId: number, volume: OrderVolume): Promise<void> {
  await seedCatalogue(sql, vendorId, volume);
  await seedBatch(sql, vendorId, volume, 1, volume.ordersEach);
  await seedLines(sql, vendorId, volume);
}

async function seedCatalogue(
  sql: postgres.Sql,
  vendorId: number,
  { customersEach, productsEach }: OrderVolume,
): Promise<void> {
  await sql.unsafe(`
    insert into customers (vendor_id, uuid, code, status, name, email, phone, last_active_at, created_at, modified_at)
    select ${vendorId}, gen_random_uuid(), 'customer_' || lpad(n::text, 9, '0'), 'NORMAL', 'Customer ' || n,
      'customer' || n || '@example.com', '8210' || lpad(n::text, 8, '0'), t, t, t
    from generate_series(1, ${customersEach}) n, (select timestamptz '2025-10-01 00:00Z' as t) at`);
  await sql.unsafe(`
    insert into products (vendor_id, code, type, status, name, created_at, modified_at)
    select ${vendorId}, 'product_' || lpad(n::text, 9, '0'), 'BOX', 'SALE', 'Product ' || n, t, t
    from generate_series(1, ${productsEach}) n, (select timestamptz '2025-10-01 00:00Z' as t) at`);
  await sql.unsafe(`
    insert into price_plans (vendor_id, code, product_id, type, price, plan_name, first_sale_price, claim_method_type,
      onetime_bundle_price, recurring_interval, recurring_interval_count, created_at, modified_at)
    select vendor_id, replace(code, 'product', 'price'), id, 'FLAT', 18900, 'Every month', 0, 'PRE', 0, 'MONTH', 1, created_at, created_at
    from products where vendor_id = ${vendorId}`);
}

async function seedBatch(
  sql: postgres.Sql,
  vendorId: number,
  { vendorIds, ordersEach, lines, customersEach, productsEach, codesAfter = 0 }: OrderVolume,
  first: number,
  last: number,
): Promise<void> {
  await sql.unsafe(`
    with payer as (select array_agg(id order by id) as ids from customers where vendor_id = ${vendorId})
    insert into orders (vendor_id, code, id_key, type, customer_id, customer_name, customer_phone, customer_email, product_name,
      currency, base_currency, exchange_rate, amount, discounted_amount, paid_amount, returned_amount, claim_method_type,
      stock_returned_at, created_at, modified_at)
    select ${vendorId}, 'order_' || lpad((${codesAfter + vendorIds.indexOf(vendorId) * ordersEach} + n)::text, 9, '0'), 'key_' || lpad(n::text, 25, '0'), 'ONE_TIME',
      payer.ids[1 + n % ${customersEach}], 'Customer ' || (1 + n % ${customersEach}), '8210' || lpad((1 + n % ${customersEach})::text, 8, '0'),
      'customer' || (1 + n % ${customersEach}) || '@example.com', 'Product ' || (1 + n % ${productsEach}),
      'KRW', 'KRW', 1, ${18_900 * lines}, 0, ${18_900 * lines}, 0, 'PRE', at, at, at
    from payer, generate_series(${first}, ${last}) n,
      lateral (select timestamptz '${YEAR_END.toISOString()}' - make_interval(secs => 31536000.0 * (${ordersEach} - n) / ${ordersEach}) as at) t`);
}

async function seedLines(sql: postgres.Sql, vendorId: number, { lines, productsEach }: OrderVolume): Promise<void> {
  await sql.unsafe(`
    with plan as (select array_agg(id order by id) as ids, array_agg(product_id order by id) as products from price_plans where vendor_id = ${vendorId})
    insert into order_items (vendor_id, code, order_id, position, type, status, amount, paid_amount, returned_amount, currency,
      quantity, product_id, price_id, unit_price, ordered_product_name, ordered_plan_name, created_at, modified_at)
    select o.vendor_id, 'order_item_' || o.id || '_' || line, o.id, line, 'SKU',
      ${orderStateSql("o.id")}, 18900, 18900, 0, 'KRW', 1,
      plan.products[1 + (o.id + line) % ${productsEach}], plan.ids[1 + (o.id + line) % ${productsEach}], 18900,
      'Product', 'Every month', o.created_at, o.created_at
    from plan, orders o, generate_series(1, ${lines}) line where o.vendor_id = ${vendorId}`);
}
