import { expect, test } from "vitest";
import { startGateway } from "../support/gateway.ts";
import { cards, Till } from "../support/till.ts";

const gateway = await startGateway({ now: "2026-03-01T12:00:00.000Z" });
const HOUR = 3_600_000;

const figures = async (till: Till, args: string): Promise<any> =>
  gateway.data(
    `{ revenueAnalytics${args} { from until byDay { day currency gross refunded net payments refunds } }
      subscriptionAnalytics${args} { byDay { day started churned active } }
      failedCharges${args} { reasonClass currency charges amount } }`,
    {},
    till.options,
  );

const rowsOf = async (text: string) =>
  Array.from((await gateway.database.handle.execute(text)) as Iterable<object>, (row) =>
    Object.values(row).map(String).join(" "),
  );

/** What the ledger, the payments and the subscriptions of a vendor say, slowly. */
async function slowly(vendorId: number) {
  const day = (at: string) => `(${at} at time zone (select zone_id from vendors where id = ${vendorId}))::date::text`;
  const money = (account: string) =>
    rowsOf(`select ${day("created_at")} as day, currency, trim_scale(sum(abs(amount)))::text as sum from ledger_entries
      where vendor_id = ${vendorId} and account = '${account}' group by 1, 2 order by 1, 2`);
  return { gross: await money("SALES"), refunded: await money("REFUNDS") };
}

test("Figures of the business agree with the ledger, the payments and the subscriptions, on days of the vendor's zone", async () => {
  const { id: vendorId, token } = await gateway.openVendor();
  const till = await Till.open(gateway, { token });
  const monthly = { recurring: { interval: "MONTH" }, type: "FLAT" };
  const subscriptions: string[] = [];
  // Plays by a seed: orders are paid, declined, refunded, subscribed to and cancelled, some around midnight in Seoul.
  let dice = 20_260_301;
  const roll = (sides: number) => (dice = (dice * 48_271) % 2_147_483_647) % sides;
  let declines = 0;
  for (let step = 0; step < 24; step++) {
    gateway.clock.advance((1 + roll(9)) * HOUR);
    const isSubscribed = roll(3) === 0;
    const order = await till.order(String(1_000 + roll(9_000)), isSubscribed ? { plan: monthly } : {});
    if (roll(4) === 0) {
      await till.paid(order.databaseId, cards.insufficientFunds);
      declines++;
      continue;
    }
    await till.paid(order.databaseId);
    const [started] = isSubscribed
      ? (await till.read(order.databaseId, "subscriptions { databaseId }")).subscriptions
      : [];
    if (started) subscriptions.push(String(started.databaseId));
    if (roll(4) === 0)
      await till.done("refundOrder", { orderId: String(order.databaseId), amount: "500" }, "order { id }");
    if (roll(3) === 0 && subscriptions.length > 0)
      await till.done("cancelSubscription", { subscriptionId: subscriptions.shift()! }, "subscription { status }");
  }
  const until = gateway.clock.now().toISOString();
  const seen = await figures(till, `(period: { from: "2026-03-01T00:00:00+09:00", until: "${until}" })`);
  const { byDay, from } = seen.revenueAnalytics;
  expect([from, byDay[0].day]).toEqual(["2026-03-01", "2026-03-01"]);
  const shown = (field: string) =>
    byDay.filter((row: any) => row[field] !== "0").map((row: any) => `${row.day} ${row.currency} ${row[field]}`);
  expect({ gross: shown("gross"), refunded: shown("refunded") }).toEqual(await slowly(vendorId));
  for (const { gross, refunded, net } of byDay) expect(Number(net)).toBe(Number(gross) - Number(refunded));
  const last = seen.subscriptionAnalytics.byDay.at(-1);
  const [live] = await rowsOf(
    `select count(*) from subscriptions where vendor_id = ${vendorId} and status not in ('CANCELED', 'EXPIRED')`,
  );
  expect(last.active).toBe(Number(live));
  expect(seen.failedCharges.map(({ reasonClass, charges }: any) => [reasonClass, charges])).toEqual([
    ["INSUFFICIENT_FUNDS", declines],
  ]);
});

test("Figures are read from counts alone, and are zero on each day of a vendor without any", async () => {
  const { token } = await gateway.openVendor();
  gateway.statements.length = 0;
  const empty = await gateway.data(
    '{ revenueAnalytics(period: { from: "2026-02-01T00:00:00+09:00", until: "2026-02-03T00:00:00+09:00" }) { byDay { day currency net } } }',
    {},
    { token },
  );
  expect(empty.revenueAnalytics.byDay).toEqual(
    ["2026-02-01", "2026-02-02", "2026-02-03"].map((day) => ({ day, currency: "KRW", net: "0" })),
  );
  const read = gateway.statements.map(({ text }) => text).filter((text) => /from "(?!vendors|api_keys)/.test(text));
  expect(read.every((text) => text.includes('from "business_days"'))).toBe(true);
});
