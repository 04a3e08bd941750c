import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RawData } from "../../support/raw-data.ts";
import { TestPayments } from "../../support/test-payments.ts";
import { startGateway } from "../../support/test-gateway.ts";

/*
 * The indexes of events leave out what makes each of their rows another one (docs/decisions/0106-rows-of-indexes-are-alike.md).
 * Slices must stay the same, and be as cheap: that is read from the plans, of 100,000 events over three months.
 */

const gateway = await startGateway();
const { vendor } = gateway;
const sql = postgres(gateway.databaseUrl, { max: 1 });
afterAll(() => sql.end());

const EVENTS = 100_000;
/** One event of a thousand is rare. Every renewal has several events of the same instant. */
const TYPE = `case when n % 1000 = 7 then 'CUSTOMER_DORMANT' else (array['ORDER_CREATED', 'PAYMENT_SUCCEEDED', 'ORDER_PAID', 'SUBSCRIPTION_RENEWED'])[1 + n % 4] end`;
const MONTHS = ["2025-01", "2025-02", "2025-03"];

/** A customer with every tenth event. */
let customerId: number;

beforeAll(async () => {
  customerId = await (await TestPayments.start(gateway, vendor)).createCustomer();
  await sql`delete from unnumbered_events`;
  const stranger = await gateway.openVendor();
  for (const [index, month] of MONTHS.entries())
    await sql.unsafe(`create table "event_log_${month.replace("-", "_")}" partition of event_log
      for values from ('${month}-01 00:00Z') to ('2025-0${index + 2}-01 00:00Z')`);
  for (const { id } of [vendor, stranger])
    await sql.unsafe(`
      with added as (
        insert into event_log (vendor_id, recorded_at, occurred_at, type, subject, subject_id, trigger, customer_id, order_id, subscription_id, actor)
        select ${id}, at, at, ${TYPE}, 'ORDER', n / 8, 'payOrder', case when n % 10 = 0 then ${customerId} else 1000000 + (n / 8) % 1000 end, n / 8, 1 + (n / 8) % 1000, 'SYSTEM'
        from generate_series(0, ${EVENTS - 1}) n,
          lateral (select timestamptz '2025-01-01 00:00Z' + n / 4 * interval '4 minutes' + n / 80000 * interval '20 days' as at) t
        returning id, recorded_at, type)
      insert into event_numbers (vendor_id, number, event_id, recorded_at, type)
      select ${id}, row_number() over (order by id), id, recorded_at, type from added`);
  await sql`insert into event_sequences (vendor_id, last_number) values (${vendor.id}, ${EVENTS})
    on conflict (vendor_id) do update set last_number = excluded.last_number`;
  await sql.unsafe("analyze event_log, event_numbers");
}, 120_000);

/** Reads slices from one end to the other, at most `slices`. */
async function walk(
  query: (slice: string) => string,
  listOf: (data: RawData) => RawData,
  { isBackwards, slices }: { isBackwards: boolean; slices: number },
): Promise<number[]> {
  const found: number[] = [];
  let cursor: string | null = null;
  for (let count = 0; count < slices; count += 1) {
    const from = cursor === null ? "" : `, ${isBackwards ? "before" : "after"}: "${cursor}"`;
    const data = await gateway.queryRawData(query(`${isBackwards ? "last" : "first"}: 50${from}`));
    const list = listOf(data);
    const ids = list.nodes.map(({ databaseId }: { databaseId: number }) => databaseId);
    found.push(...(isBackwards ? ids.toReversed() : ids));
    cursor = isBackwards ? list.pageInfo.startCursor : list.pageInfo.endCursor;
    if (!(isBackwards ? list.pageInfo.hasPreviousPage : list.pageInfo.hasNextPage)) break;
  }
  return found;
}

/** The plans of the statements that were sent since the last call, with the greatest number of pages that one read. */
async function readPlans(table: string): Promise<{ text: string; pages: number }> {
  const statements = gateway.statements.splice(0).filter(({ text }) => text.includes(`from "${table}"`));
  expect(statements).not.toEqual([]);
  let [text, pages] = ["", 0];
  for (const { text: statement, parameters } of statements) {
    const lines = await sql.unsafe(`explain (analyze, buffers, timing off) ${statement}`, parameters as never[]);
    const plan = lines.map((line) => String(line["QUERY PLAN"]));
    const [, hit = 0, read = 0] =
      /shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan.find((line) => line.includes("Buffers: shared")) ?? "") ?? [];
    text += plan.join("\n");
    pages = Math.max(pages, Number(hit) + Number(read));
  }
  return { text, pages };
}

const PAGE_INFO = "pageInfo { startCursor endCursor hasNextPage hasPreviousPage }";

describe("the feed", () => {
  test.each<[string, string[], number]>([
    ["a rare type", ["CUSTOMER_DORMANT"], 400],
    ["a type of every fourth event", ["ORDER_PAID"], 400],
    ["a rare type and a frequent one", ["CUSTOMER_DORMANT", "ORDER_CREATED"], 800],
    ["types that nothing has", ["REFUND_UNKNOWN", "COVER_STARTED"], 100],
  ])(
    "by %s is the same from both ends, counted exactly, and read from ranges of the index",
    async (_, types, limit) => {
      const rows = await sql<{ id: number }[]>`select number::int as id from event_numbers
      where vendor_id = ${vendor.id} and type = any(${types}) order by number`;
      const expected = rows.map(({ id }) => id);
      const read = (slice: string) =>
        `{ events(types: [${types.join(", ")}], ${slice}) { nodes { databaseId } ${PAGE_INFO} } }`;
      gateway.statements.length = 0;
      for (const [isBackwards, order] of [
        [false, expected],
        [true, expected.toReversed()],
      ] as const) {
        expect(await walk(read, ({ events }) => events, { isBackwards, slices: 8 })).toEqual(order.slice(0, 400));
        const { text, pages } = await readPlans("event_numbers");
        expect(text).toContain("event_numbers_type_range");
        expect(pages).toBeLessThan(limit);
      }
      const { events } = await gateway.queryRawData(
        `{ events(types: [${types.join(", ")}], first: 1) { totalCount } }`,
      );
      expect(events.totalCount).toBe(expected.length);
    },
  );
});

test("a customer's timeline of 10,000 events is the same from both ends, and sorted within an instant only", async () => {
  const rows = await sql<{ id: number }[]>`select id::int from event_log
    where vendor_id = ${vendor.id} and customer_id = ${customerId} order by occurred_at, id`;
  const expected = rows.map(({ id }) => id);
  expect(expected.length).toBeGreaterThan(EVENTS / 10);
  const read = (slice: string) =>
    `{ customer(id: "${customerId}") { timeline(${slice}) { nodes { databaseId } ${PAGE_INFO} } } }`;
  gateway.statements.length = 0;
  for (const [isBackwards, order] of [
    [false, expected],
    [true, expected.toReversed()],
  ] as const) {
    expect(await walk(read, ({ customer }) => customer.timeline, { isBackwards, slices: 8 })).toEqual(
      order.slice(0, 400),
    );
    const { text, pages } = await readPlans("event_log");
    expect(text).toMatch(/Incremental Sort[^]*customer_id_occurred_at_idx/);
    expect(pages).toBeLessThan(200);
  }
});
