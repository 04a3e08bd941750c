import { expect, test } from "vitest";
import { queryRows } from "../../hostile/query-rows.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { everyMonth } from "../../support/test-catalogue.ts";
import { TestPayments } from "../../support/test-payments.ts";

/* Lists inside another resource contain the newest 100, newest first; rows of one instant by their ids. */

const gateway = await startGateway();
const payments = await TestPayments.start(gateway);
const first = await payments.createOrder("10000", { plan: { type: "FLAT", recurring: everyMonth } });
await payments.payOrder(first.databaseId);

/** Copies a row of a table, each pair of copies a minute older than the pair before. */
async function copy(table: string, source: number, count: number): Promise<{ id: string }[]> {
  const [{ columns }] = (await queryRows<{ columns: string }>(
    gateway,
    `select string_agg('"' || column_name || '"', ', ') as columns from information_schema.columns
      where table_schema = 'public' and table_name = '${table}' and is_generated = 'NEVER'`,
  )) as [{ columns: string }];
  return queryRows<{ id: string }>(
    gateway,
    `insert into ${table} (${columns}) overriding system value
      select ${columns}
      from (select copied.* from ${table} x, generate_series(1, ${count}) n, lateral jsonb_populate_record(x, jsonb_build_object(
        'id', nextval(pg_get_serial_sequence('${table}', 'id')), 'code', x.code || n, 'id_key', x.code || n,
        'created_at', x.created_at - (n / 2) * interval '1 minute')) copied where x.id = ${source}) copies returning id`,
  );
}

/** The numbers of all rows, newest first. */
const newestFirst = async (table: string, condition: string) =>
  (
    await queryRows<{ id: string }>(
      gateway,
      `select id from ${table} where ${condition} order by created_at desc, id desc`,
    )
  ).map(({ id }) => Number(id));
const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

const { subscriptions } = await payments.readOrder(first.databaseId, "subscriptions { databaseId }");
const subscriptionId: number = subscriptions[0]!.databaseId;
const copies = await copy("orders", first.databaseId, 120);
await copy("subscriptions", subscriptionId, 120);
await queryRows(
  gateway,
  `insert into order_subscriptions (vendor_id, order_id, subscription_id) select vendor_id, id, ${subscriptionId} from orders
    where id in (${copies.map(({ id }) => id).join(", ")})`,
);

test("a customer has the newest 100 of its orders and subscriptions, and the count of all orders", async () => {
  const body = await gateway.readRestBody("GET", `/customers/${payments.customerId}`);
  const ofCustomer = `customer_id = ${payments.customerId}`;
  expect(body.orderCount).toBe(121);
  expect(idsOf(body.orders)).toEqual((await newestFirst("orders", ofCustomer)).slice(0, 100));
  expect(idsOf(body.subscriptions)).toEqual((await newestFirst("subscriptions", ofCustomer)).slice(0, 100));
});

test("an order has the newest 100 other orders of its subscription", async () => {
  const body = await gateway.readRestBody("GET", `/orders/${first.databaseId}`);
  const others = await newestFirst("orders", `id <> ${first.databaseId}`);
  expect(others).toHaveLength(120);
  expect(idsOf(body.relatedOrders)).toEqual(others.slice(0, 100));
});
