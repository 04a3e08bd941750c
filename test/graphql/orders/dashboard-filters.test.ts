import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RawData } from "../../support/raw-data.ts";
import { recountOrders } from "../../../bench/support/order-totals.ts";
import { seedOrders } from "../../../bench/support/orders-seed.ts";
import { errorSummaries } from "../../support/cover-mutations.ts";
import { startGateway } from "../../support/test-gateway.ts";

/*
 * Filters and sort orders of the lists that dashboards show, each compared with a plain check of every row in
 * JavaScript.
 */

const gateway = await startGateway();
const sql = postgres(gateway.databaseUrl, { max: 1 });
afterAll(() => sql.end());

const STATES = ["CREATED", "PAID", "ORDER_DELIVERY_PREPARING", "RETURN_REQUEST", "PAYMENT_FAILURE"];
const word = (words: readonly string[], n: string) =>
  `(array[${words.map((each) => `'${each}'`).join(", ")}])[1 + (${n}) % ${words.length}]`;

/** Two vendors with the same names in all their rows: one vendor must not find the other's rows. */
beforeAll(async () => {
  const stranger = await gateway.openVendor();
  const vendorIds = [gateway.vendor.id, stranger.id];
  await seedOrders(sql, { vendorIds, ordersEach: 1_500, lines: 2, customersEach: 300, productsEach: 50 });
  await sql.unsafe(`
    update orders set
      payment_date = case when id % 3 > 0 then date_trunc('day', created_at) + (id % 2) * interval '1 hour' end,
      purchase_deadline = case when id % 4 = 0 then date_trunc('month', created_at) end,
      region = case when id % 5 = 0 then 'US_NEW_YORK' end;
    update customers set region = case when id % 5 = 0 then 'US_NEW_YORK' end;
    update order_items set status = ${word(STATES, "(order_id / 2 + position * (order_id % 3))::int")};
    insert into subscriptions (vendor_id, code, status, customer_id, price_id, currency, interval, interval_count,
        claim_method_type, start_date, cycle_anchor, current_period_start, current_period_end, next_payment_date, created_at, modified_at)
      select c.vendor_id, 'subscription_' || c.id || '_' || n, ${word(["ACTIVE", "UNPAID", "PAUSE", "CANCELED"], "(c.id + n)::int")},
        c.id, p.id, 'KRW', 'MONTH', 1, 'PRE', t, t, t, t + interval '1 month',
        case when (c.id + n) % 3 > 0 then t + (c.id % 20) * interval '1 day' end, t + (c.id % 7) * interval '1 hour', t
      from customers c, generate_series(1, 4) n, (select timestamptz '2026-03-01 00:00Z' as t) at,
        lateral (select id from price_plans p where p.vendor_id = c.vendor_id order by (p.id + c.id * n) % 50, p.id limit 1) p;
    insert into subscription_items (vendor_id, code, subscription_id, position, type, product_id, price_id, price, currency,
        quantity, option_price, activated_at, removed_at, created_at, modified_at)
      select s.vendor_id, 'subscription_item_' || s.id || '_' || n, s.id, n, 'SKU', p.product_id, p.id, 18900, 'KRW', 1, 0,
        case when (s.id + n) % 7 > 0 then s.created_at end, case when (s.id + n) % 7 > 5 then s.created_at end, s.created_at, s.created_at
      from subscriptions s, generate_series(1, 2) n, lateral (select id, product_id from price_plans p
        where p.vendor_id = s.vendor_id order by (p.id + s.id + n) % 50, p.id limit 1) p;
    insert into order_subscriptions (vendor_id, order_id, subscription_id)
      select o.vendor_id, o.id, s.id from orders o
        join subscriptions s on s.vendor_id = o.vendor_id and s.customer_id = o.customer_id and s.id % 4 = 0;
    insert into payments (vendor_id, order_id, state, idempotency_key, amount, discount, currency, payment_method, initiator,
        payment_date, payment_gateway, payment_return, customer_name, customer_email, customer_phone, error_code, created_at, settled_at)
      select vendor_id, id, state, 'key ' || id, amount, 0, 'KRW', ${word(["CARD", "BANK", "CARD_BILL"], "(id / 3)::int")}, 'MERCHANT',
        case when state = 'SUCCEEDED' then created_at end, ${word(["HOUSE", "PROVIDER_01"], "(id / 20)::int")}, 0, '', '', '',
        case when state = 'FAILED' then ${word(["51", "54", "05", "91", "61"], "(id / 4)::int")} end, created_at,
        case when state <> 'PENDING' then created_at end
      from (select o.*, ${word(["SUCCEEDED", "SUCCEEDED", "SUCCEEDED", "FAILED", "PENDING"], "id::int")} as state from orders o) o;
    -- Customers who never bought anything, so many that a search has to go by its index.
    insert into customers (vendor_id, uuid, code, status, name, email, phone, last_active_at, created_at, modified_at)
      select v, gen_random_uuid(), 'guest_' || n, 'NORMAL', 'Guest', 'guest' || n || '@example.com', '4930' || n, t, t, t
      from unnest(array[${vendorIds.join(",")}]) v, generate_series(1000, 7000) n, (select timestamptz '2026-09-01 00:00Z' as t) at;
    -- What is explained is asked of large tables: of small ones reading all is as good as an index.
    set enable_seqscan = off;`);
  await recountOrders(sql, vendorIds);
  // Plans depend on statistics and on an index's pending entries: autovacuum must find nothing left to do.
  await sql.unsafe(
    "vacuum (analyze) orders, order_items, order_states, customers, products, subscriptions, subscription_items, payments",
  );
});

type Row = Record<string, RawData>;
interface List {
  type: string;
  /** The values of each row that filters use. */
  rows: string;
  key: string;
}

const lists: Record<string, List> = {
  orders: {
    type: "OrderFilterInput",
    key: "code",
    rows: `select o.*, (select array_agg(status) from order_items i where i.vendor_id = o.vendor_id and i.order_id = o.id) as states from orders o`,
  },
  customers: { type: "CustomerFilterInput", key: "code", rows: "select * from customers o" },
  subscriptions: {
    type: "SubscriptionFilterInput",
    key: "code",
    rows: `select o.*, c.name as customer, c.email,
      (select array_agg(product_id::int) from subscription_items i where i.vendor_id = o.vendor_id and i.subscription_id = o.id and activated_at is not null and removed_at is null) as products,
      (select array_agg(price_id::int) from subscription_items i where i.vendor_id = o.vendor_id and i.subscription_id = o.id and activated_at is not null and removed_at is null) as plans,
      (select array_agg(p.name) from subscription_items i join products p on p.vendor_id = i.vendor_id and p.id = i.product_id
        where i.vendor_id = o.vendor_id and i.subscription_id = o.id and i.activated_at is not null and i.removed_at is null) as names
      from subscriptions o join customers c on c.vendor_id = o.vendor_id and c.id = o.customer_id`,
  },
  payments: {
    type: "PaymentFilterInput",
    key: "databaseId",
    rows: `select o.*, o.id as "databaseId", s.customer_id from payments o join orders s on s.vendor_id = o.vendor_id and s.id = o.order_id`,
  },
};

/** Every row of the vendor, the newest first. */
const rowsOf = async (list: string): Promise<Row[]> => {
  const rows = await sql.unsafe(`${lists[list]!.rows} where o.vendor_id = ${gateway.vendor.id}`);
  return rows
    .map((row): Row => ({
      ...row,
      id: Number(row.id),
      customer_id: Number(row.customer_id),
      order_id: Number(row.order_id),
    }))
    .sort((a, b) => Number(b.created_at) - Number(a.created_at) || b.id - a.id);
};

/** The median of the rows' values, which is surely there to be found. */
const some = (rows: readonly Row[], name: string): RawData => rows[Math.floor(rows.length / 2)]![name];
const uniformBetween = (value: Date | null, from: string, until: string) =>
  value !== null && value >= new Date(from) && value <= new Date(until);
const has = (list: unknown[] | null, value: unknown): boolean => (list ?? []).includes(value);
const mentions = (texts: (string | null)[], text: string) =>
  texts.some((each) => each?.toLowerCase().includes(text.toLowerCase()));

const spring = { from: "2026-03-01T00:00:00Z", until: "2026-03-12T00:00:00Z" };

/** For each list: a filter made of its rows, the rows it must find, and the index it must use. */
const cases: [
  list: string,
  name: string,
  filter: (rows: Row[]) => Row,
  finds: (row: Row, filter: Row) => boolean,
  index?: string,
][] = [
  [
    "orders",
    "statuses",
    () => ({ statuses: ["RETURN_REQUEST", "PAYMENT_FAILURE"] }),
    (row) => has(row.states, "RETURN_REQUEST") || has(row.states, "PAYMENT_FAILURE"),
    "order_states",
  ],
  ["orders", "no statuses", () => ({ statuses: [] }), () => false],
  [
    "orders",
    "one status of several",
    () => ({ statuses: ["PAID"], status: "CREATED" }),
    (row) => has(row.states, "PAID") && has(row.states, "CREATED"),
  ],
  [
    "orders",
    "paid between",
    () => ({ paymentDate: spring }),
    (row) => uniformBetween(row.payment_date, spring.from, spring.until),
    "orders_payment_date",
  ],
  [
    "orders",
    "paid until",
    () => ({ paymentDate: { until: "2025-10-05T01:00:00Z" } }),
    (row) => uniformBetween(row.payment_date, "2000-01-01", "2025-10-05T01:00:00Z"),
    "orders_payment_date",
  ],
  ["orders", "region", () => ({ region: "US_NEW_YORK" }), (row) => row.region === "US_NEW_YORK", "orders_of_region"],
  ["orders", "paid whenever", () => ({ paymentDate: { from: null } }), () => true],
  [
    "orders",
    "a status, paid from, at a price",
    () => ({ statuses: ["PAID"], paymentDate: { from: spring.from }, minimumAmount: "1" }),
    (row) => has(row.states, "PAID") && uniformBetween(row.payment_date, spring.from, "9999-12-31"),
  ],
  [
    "customers",
    "code",
    (rows) => ({ code: some(rows, "code") }),
    (row, { code }) => row.code === code,
    "customers_code",
  ],
  [
    "customers",
    "region",
    () => ({ region: "US_NEW_YORK" }),
    (row) => row.region === "US_NEW_YORK",
    "customers_of_region",
  ],
  ["customers", "phone", () => ({ phone: "000-0012" }), (row) => row.phone.includes("0000012"), "customers_phone"],
  [
    "customers",
    "phone with a plus",
    () => ({ phone: "+82 10-0000-0123" }),
    (row) => row.phone === "821000000123",
    "customers_phone",
  ],
  [
    "customers",
    "phone in a period",
    () => ({ phone: "7", createdAt: { until: "2026-01-01T00:00:00Z" } }),
    (row) => row.phone.includes("7") && uniformBetween(row.created_at, "2000-01-01", "2026-01-01"),
  ],
  [
    "subscriptions",
    "statuses",
    () => ({ statuses: ["UNPAID", "PAUSE"] }),
    (row) => row.status === "UNPAID" || row.status === "PAUSE",
  ],
  [
    "subscriptions",
    "customer's name",
    () => ({ keyword: "CUSTOMER 12" }),
    (row) => mentions([row.customer, row.email], "customer 12"),
    "customers_search",
  ],
  [
    "subscriptions",
    "customer's address",
    () => ({ keyword: "omer123@" }),
    (row) => mentions([row.email], "omer123@"),
    "customers_search",
  ],
  [
    "subscriptions",
    "product's name",
    () => ({ keyword: "product 17" }),
    (row) => mentions(row.names ?? [], "product 17"),
  ],
  [
    "subscriptions",
    "code",
    (rows) => ({ keyword: some(rows, "code") }),
    (row, { keyword }) => row.code === keyword,
    "subscriptions_code",
  ],
  [
    "subscriptions",
    "keyword of two letters",
    () => ({ keyword: "T 1" }),
    (row) => mentions([...(row.names ?? []), row.customer], "t 1"),
  ],
  ["subscriptions", "nobody's keyword", () => ({ keyword: "%" }), () => false],
  [
    "subscriptions",
    "product",
    (rows) => ({ productId: String(rows.find(({ products }) => products)!.products[0]) }),
    (row, { productId }) => has(row.products, Number(productId)),
    "subscription_items_product",
  ],
  [
    "subscriptions",
    "plan",
    (rows) => ({ pricePlanId: String(rows.find(({ plans }) => plans)!.plans[0]) }),
    (row, { pricePlanId }) => has(row.plans, Number(pricePlanId)),
    "subscription_items_price",
  ],
  [
    "subscriptions",
    "next charge between",
    () => ({ nextPaymentDate: { from: "2026-03-03T00:00:00Z", until: "2026-03-04T00:00:00Z" } }),
    (row) => uniformBetween(row.next_payment_date, "2026-03-03T00:00:00Z", "2026-03-04T00:00:00Z"),
    "subscriptions_next_payment",
  ],
  [
    "subscriptions",
    "keyword, status and next charge",
    () => ({ keyword: "customer 1", status: "ACTIVE", nextPaymentDate: { from: spring.from } }),
    (row) => mentions([row.customer], "customer 1") && row.status === "ACTIVE" && row.next_payment_date !== null,
  ],
  ["payments", "states", () => ({ states: ["FAILED", "PENDING"] }), (row) => row.state !== "SUCCEEDED"],
  [
    "payments",
    "customer",
    (rows) => ({ customerId: String(some(rows, "customer_id")) }),
    (row, { customerId }) => row.customer_id === Number(customerId),
    "payments_order",
  ],
  [
    "payments",
    "order",
    (rows) => ({ orderId: String(some(rows, "order_id")) }),
    (row, { orderId }) => row.order_id === Number(orderId),
  ],
  [
    "payments",
    "method in a period",
    () => ({ paymentMethod: "BANK", createdAt: spring }),
    (row) => row.payment_method === "BANK" && uniformBetween(row.created_at, spring.from, spring.until),
    "payments_",
  ],
  [
    "payments",
    "gateway in a period",
    () => ({ paymentGateway: "PROVIDER_01", createdAt: spring }),
    (row) => row.payment_gateway === "PROVIDER_01" && uniformBetween(row.created_at, spring.from, spring.until),
    "payments_",
  ],
  ["payments", "error code", () => ({ errorCode: "61" }), (row) => row.error_code === "61", "payments_error"],
  [
    "payments",
    "paid between",
    () => ({ paymentDate: spring }),
    (row) => uniformBetween(row.payment_date, spring.from, spring.until),
    "payments_paid",
  ],
];

/** Every page of a list from one end, with the number of statements of the first. */
async function walk(query: (slice: string) => Promise<Row>, key: string, backwards = false): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let cursor: string | undefined, more = true; more;) {
    const edge = cursor === undefined ? "" : `, ${backwards ? "before" : "after"}: "${cursor}"`;
    const { nodes, pageInfo } = await query(`${backwards ? "last" : "first"}: 97${edge}`);
    const keys = nodes.map((row: Row) => row[key]);
    if (backwards) found.unshift(...keys);
    else found.push(...keys);
    cursor = backwards ? pageInfo.startCursor : pageInfo.endCursor;
    more = backwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage;
  }
  return found;
}

/** Whether a statement reads rows, as nested JSON or as text. */
const isRead = ({ text }: { text: string }) => /json_build_object|concat\(/.test(text);

const PAGE_INFO = "pageInfo { startCursor endCursor hasNextPage hasPreviousPage }";

describe.each(Object.keys(lists))("%s", (list) => {
  const { type, key } = lists[list]!;
  const own = cases.filter(([of]) => of === list).map(([, ...rest]) => rest);

  test.each(own)(
    "by %s are those that a check of every row finds, counted exactly, and read by its index",
    async (_, filterOf, finds, index) => {
      const rows = await rowsOf(list);
      const filter = filterOf(rows);
      const expected = rows.filter((row) => finds(row, filter)).map((row) => (key === "code" ? row.code : row.id));
      const read = (rest: string, slice = "first: 1") =>
        gateway.queryRawData(`query ($filter: ${type}) { ${list}(${slice}, filter: $filter) { ${rest} } }`, { filter });
      gateway.statements.length = 0;
      const { totalCount } = (await read("totalCount"))[list];
      const counts = gateway.statements.filter(({ text }) => text.includes("count(*)"));
      gateway.statements.length = 0;
      const found = await walk(async (slice) => (await read(`nodes { ${key} } ${PAGE_INFO}`, slice))[list], key);
      const reads = gateway.statements.filter(isRead);
      expect({ totalCount, found }).toEqual({ totalCount: expected.length, found: expected });
      // A page is read by one statement, and a page has a hundred rows.
      expect(reads).toHaveLength(Math.max(1, Math.ceil(expected.length / 97)));
      if (index === undefined) return;
      expect(expected.length).toBeGreaterThan(0);
      for (const { text, parameters } of counts) {
        // Sent together with the query: behind a transaction pooler no setting of the session lasts.
        const plan = await sql.begin(async (one) => {
          await one`set local enable_seqscan = off`;
          // A merge join would read all customers by their key instead.
          await one`set local enable_mergejoin = off`;
          return one.unsafe(`explain ${text}`, parameters as never[]);
        });
        expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain(` ${index}`);
      }
    },
  );
});

describe.each(["PAYMENT_DATE", "PURCHASE_DEADLINE"])("orders by %s, which many rows lack,", (field) => {
  const column = field.toLowerCase();
  const sorted = (rows: Row[], direction: string) => {
    const value = (row: Row) => (row[column] === null ? -Infinity : Number(row[column]));
    const rising = rows.toSorted((a, b) => (value(a) === value(b) ? a.id - b.id : value(a) < value(b) ? -1 : 1));
    return (direction === "ASC" ? rising : rising.reverse()).map(({ code }) => code);
  };

  test.each(["ASC", "DESC"])(
    "%s, are the same from both ends, of the vendor, of a customer and of a subscription",
    async (direction) => {
      const rows = await rowsOf("orders");
      const links =
        await sql`select order_id, subscription_id from order_subscriptions where vendor_id = ${gateway.vendor.id}`;
      const { subscription_id: subscriptionId } = links[0]!;
      const customerId = rows.find(({ id }) => id === Number(links[0]!.order_id))!.customer_id;
      const linked = links
        .filter((link) => link.subscription_id === subscriptionId)
        .map(({ order_id }) => Number(order_id));
      const expected = {
        "%": sorted(rows, direction),
        [`customer(id: "${customerId}") { % }`]: sorted(
          rows.filter((row) => row.customer_id === customerId),
          direction,
        ),
        [`subscription(id: "${subscriptionId}") { % }`]: sorted(
          rows.filter(({ id }) => linked.includes(id)),
          direction,
        ),
      };
      for (const [around, codes] of Object.entries(expected)) {
        expect(codes.length).toBeGreaterThan(1);
        const read = async (slice: string) => {
          const orders = `orders(${slice}, orderBy: { field: ${field}, direction: ${direction} }) { totalCount nodes { code } ${PAGE_INFO} }`;
          const data = await gateway.queryRawData(`{ ${around.replace("%", orders)} }`);
          return data.orders ?? Object.values<Row>(data)[0]!.orders;
        };
        expect(await walk(read, "code")).toEqual(codes);
        expect(await walk(read, "code", true)).toEqual(codes);
        expect((await read("first: 1")).totalCount).toBe(codes.length);
      }
      const { orderPage } = await gateway.queryRawData(
        `{ orderPage(page: 3, size: 50, orderBy: { field: ${field}, direction: ${direction} }) { rows { code } } }`,
      );
      expect(orderPage.rows.map(({ code }: Row) => code)).toEqual(expected["%"].slice(150, 200));
    },
  );

  test("after any row need one range of one index", async () => {
    const read = (after?: string) =>
      gateway.queryRawData(
        `query ($after: String) { orders(first: 5, after: $after, orderBy: { field: ${field} }) { nodes { code } pageInfo { endCursor } } }`,
        { after },
      );
    gateway.statements.length = 0;
    const { endCursor } = (await read()).orders.pageInfo;
    await read(endCursor);
    for (const { text, parameters } of gateway.statements.filter(isRead)) {
      const plan = (await sql.unsafe(`explain ${text}`, parameters as never[]))
        .map((line) => line["QUERY PLAN"])
        .join("\n");
      expect(plan).toContain(`using orders_${column} on orders`);
      expect(plan).not.toMatch(/Sort|Filter: \(\(ROW/);
    }
  });
});

test("subscriptions are sorted by their next charge, those without one as if it were the earliest", async () => {
  const rows = await rowsOf("subscriptions");
  const value = (row: Row) => (row.next_payment_date === null ? -Infinity : Number(row.next_payment_date));
  const codes = rows
    .toSorted((a, b) => (value(a) === value(b) ? a.id - b.id : value(a) - value(b)))
    .map(({ code }) => code);
  const read = async (slice: string) =>
    (
      await gateway.queryRawData(
        `{ subscriptions(${slice}, orderBy: { field: NEXT_PAYMENT_DATE, direction: ASC }) { nodes { code } ${PAGE_INFO} } }`,
      )
    ).subscriptions;
  expect(await walk(read, "code")).toEqual(codes);
});

test("a customer's and a subscription's orders are filtered like all", async () => {
  const rows = await rowsOf("orders");
  const [{ customer_id: id }] = rows as [Row];
  const { customer } = await gateway.queryRawData(
    `{ customer(id: "${id}") { orders(first: 100, filter: { statuses: [PAID], paymentDate: { from: "2026-01-01T00:00:00Z" } }) { totalCount nodes { code } } } }`,
  );
  const expected = rows.filter(
    (row) =>
      row.customer_id === id && has(row.states, "PAID") && uniformBetween(row.payment_date, "2026-01-01", "9999-12-31"),
  );
  expect(customer.orders).toEqual({ totalCount: expected.length, nodes: expected.map(({ code }) => ({ code })) });
});

test("a subscription is found by its code, its number or its global id, and by one of them only", async () => {
  const [{ code, id }] = (await rowsOf("subscriptions")) as [Row];
  const read = (args: string) => gateway.sendRawGraphQL(`{ subscription(${args}) { id code } }`);
  const { data } = await read(`code: "${code}"`);
  expect(data.subscription.code).toBe(code);
  expect((await read(`id: "${id}"`)).data).toEqual(data);
  expect((await read(`id: "${data.subscription.id}"`)).data).toEqual(data);
  expect((await read('code: "subscription_nobody"')).data).toEqual({ subscription: null });
  expect(errorSummaries(await gateway.sendGraphQL("{ subscription { id } }"))).toEqual([
    "INVALID_ARGUMENT: id INVALID_VALUE",
  ]);
  expect(errorSummaries(await read(`id: "${id}", code: "${code}"`))).toEqual(["INVALID_ARGUMENT: id INVALID_VALUE"]);
});

test.each([
  ["orders", "paymentDate"],
  ["orderPage", "createdAt"],
  ["customers", "createdAt"],
  ["subscriptions", "nextPaymentDate"],
  ["payments", "paymentDate"],
  ["invoices", "createdAt"],
  ["products", "createdAt"],
  ["pricePlans", "createdAt"],
  ["ledgerEntries", "createdAt"],
  ["coverOrders", "createdAt"],
  ["covers", "retryDate"],
])("%s refuses a period that ends before it begins, and names both ends", async (list, field) => {
  const { errors } = await gateway.sendRawGraphQL(
    `{ ${list}(filter: { ${field}: { from: "2026-03-02T00:00:00Z", until: "2026-03-01T23:59:59.999Z" } }) { totalCount } }`,
  );
  const message = `must not be after filter.${field}.until: 2026-03-02T00:00:00.000Z is later than 2026-03-01T23:59:59.999Z.`;
  expect(errors![0]!.extensions).toMatchObject({
    code: "INVALID_ARGUMENT",
    details: { fields: [{ path: `filter.${field}.from`, code: "INVALID_VALUE", message }] },
  });
});

test("orders refuse an empty range of amounts", async () => {
  const { errors } = await gateway.sendGraphQL(
    '{ orders(filter: { minimumAmount: "10.5", maximumAmount: "9" }) { totalCount } }',
  );
  expect(errors![0]!.message).toContain(
    "filter.minimumAmount must not be more than filter.maximumAmount: 10.5 is more than 9.",
  );
});
