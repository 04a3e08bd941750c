import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createRepositories } from "../../../src/graphql/repositories.ts";
import { toAmount, divideRounded, sumAmounts } from "../../../src/kernel/amounts.ts";
import type { MutationName } from "../../support/answers.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { TestCatalogue } from "../../support/test-catalogue.ts";
import { DAY } from "../../support/test-clock.ts";
import { testCards, TestPayments } from "../../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../../support/test-worker.ts";

const gateway = await startGateway({ now: "2026-03-01T12:00:00.000Z" });
const HOUR = 3_600_000;

const figures = async (payments: TestPayments, period: { from: string; until: string }) =>
  gateway.queryData(
    `query ($period: PeriodInput!) { revenueAnalytics(period: $period) { from until byDay { day currency gross refunded net payments refunds } }
      subscriptionAnalytics(period: $period) { byDay { day started churned active } }
      failedCharges(period: $period) { reasonClass currency charges amount } }`,
    { period },
    payments.options,
  );

const rowsOf = async (text: string) =>
  Array.from((await gateway.database.handle.execute(text)) as Iterable<object>, (row) =>
    Object.values(row).map(String).join(" "),
  );

/** Calculates the figures slowly, from the ledger, the payments and the subscriptions of a vendor. */
async function slowly(vendorId: number) {
  const day = (at: string) => `(${at} at time zone (select zone_id from vendors where id = ${vendorId}))::date::text`;
  const money = (account: string) =>
    rowsOf(`select ${day("created_at")} as day, currency, trim_scale(sum(abs(amount)))::text as sum from ledger_entries
      where vendor_id = ${vendorId} and account = '${account}' group by 1, 2 order by 1, 2`);
  return { gross: await money("SALES"), refunded: await money("REFUNDS") };
}

test("Figures of the business agree with the ledger, the payments and the subscriptions, on days of the vendor's zone", async () => {
  const { id: vendorId, token } = await gateway.openVendor();
  const payments = await TestPayments.start(gateway, { token });
  const monthly = { recurring: { interval: "MONTH" }, type: "FLAT" };
  const subscriptions: string[] = [];
  // Random sequences with a seed: orders are paid, declined, refunded, subscribed to and cancelled, some around
  // midnight in Seoul.
  let random = 20_260_301;
  const roll = (sides: number) => (random = (random * 48_271) % 2_147_483_647) % sides;
  let declines = 0;
  for (let step = 0; step < 24; step++) {
    gateway.clock.advance((1 + roll(9)) * HOUR);
    const isSubscribed = roll(3) === 0;
    const order = await payments.createOrder(String(1_000 + roll(9_000)), isSubscribed ? { plan: monthly } : {});
    if (roll(4) === 0) {
      await payments.payOrder(order.databaseId, testCards.insufficientFunds);
      declines++;
      continue;
    }
    await payments.payOrder(order.databaseId);
    const [started] = isSubscribed
      ? (await payments.readOrder(order.databaseId, "subscriptions { databaseId }")).subscriptions
      : [];
    if (started) subscriptions.push(String(started.databaseId));
    if (roll(4) === 0)
      await payments.runMutation("refundOrder", { orderId: String(order.databaseId), amount: "500" }, "order { id }");
    if (roll(3) === 0 && subscriptions.length > 0)
      await payments.runMutation(
        "cancelSubscription",
        { subscriptionId: subscriptions.shift()! },
        "subscription { status }",
      );
  }
  const until = gateway.clock.now().toISOString();
  const seen = await figures(payments, { from: "2026-03-01T00:00:00+09:00", until });
  const { byDay, from } = seen.revenueAnalytics;
  expect([from, byDay[0]!.day]).toEqual(["2026-03-01", "2026-03-01"]);
  const shown = (field: "gross" | "refunded") =>
    byDay.filter((row) => row[field] !== "0").map((row) => `${row.day} ${row.currency} ${row[field]}`);
  expect({ gross: shown("gross"), refunded: shown("refunded") }).toEqual(await slowly(vendorId));
  for (const { gross, refunded, net } of byDay) expect(Number(net)).toBe(Number(gross) - Number(refunded));
  const last = seen.subscriptionAnalytics.byDay.at(-1)!;
  const [live] = await rowsOf(
    `select count(*) from subscriptions where vendor_id = ${vendorId} and status not in ('CANCELED', 'EXPIRED')`,
  );
  expect(last.active).toBe(Number(live));
  expect(seen.failedCharges.map(({ reasonClass, charges }) => [reasonClass, charges])).toEqual([
    ["INSUFFICIENT_FUNDS", declines],
  ]);
});

test("Figures are read from daily counts only, and are zero on each day of a vendor without any", async () => {
  const { token } = await gateway.openVendor();
  gateway.statements.length = 0;
  const empty = await gateway.queryData(
    '{ revenueAnalytics(period: { from: "2026-02-01T00:00:00+09:00", until: "2026-02-03T00:00:00+09:00" }) { byDay { day currency net } } }',
    {},
    { token },
  );
  expect(empty.revenueAnalytics.byDay).toEqual(
    ["2026-02-01", "2026-02-02", "2026-02-03"].map((day) => ({ day, currency: "KRW", net: "0" })),
  );
  const read = gateway.statements.map(({ text }) => text).filter((text) => /from "(?!vendors|api_keys)/.test(text));
  expect(read.length).toBeGreaterThan(0);
  expect(read.filter((text) => !text.includes('from "business_days"'))).toEqual([]);
});

const seoulDay = () => new Date(gateway.clock.now().getTime() + 9 * HOUR).toISOString().slice(0, 10);

const recurringOf = async (payments: TestPayments, from: string): Promise<Record<string, string>> => {
  const { revenueAnalytics } = await gateway.queryData(
    "query ($period: PeriodInput!) { revenueAnalytics(period: $period) { byDay { day currency monthlyRecurringRevenue } } }",
    { period: { from, until: gateway.clock.now().toISOString() } },
    payments.options,
  );
  return Object.fromEntries(
    revenueAnalytics.byDay.map((row) => [`${row.day} ${row.currency}`, row.monthlyRecurringRevenue]),
  );
};

interface SubscriptionItemRow {
  id: string;
  status: string;
  interval: string;
  interval_count: number;
  in_trial: boolean;
  price: string;
  option_price: string;
  quantity: number;
}

/** Adds up the agreed monthly costs of a vendor's subscriptions, from their rows. */
async function recurringSlowly(vendorId: number): Promise<string> {
  const rows = Array.from(
    (await gateway.database.handle.execute(`select s.id, s.status, s.interval, s.interval_count,
      s.trial_end_date is not null and s.renewal_count = 0 as in_trial, i.price, i.option_price, i.quantity
      from subscriptions s join subscription_items i on i.vendor_id = s.vendor_id and i.subscription_id = s.id
      join price_plans p on p.vendor_id = i.vendor_id and p.id = i.price_id
      where s.vendor_id = ${vendorId} and i.activated_at is not null and i.removed_at is null
        and (i.keep_when_renew or not i.is_additional) and p.type in ('FLAT', 'VOLUME_BASED', 'BUNDLE')`)) as Iterable<SubscriptionItemRow>,
  ).filter(({ status, in_trial }) => !in_trial && !["INCOMPLETE", "PAUSE", "CANCELED", "EXPIRED"].includes(status));
  const perYear: Record<string, number> = { DAY: 365, WEEK: 52, MONTH: 12, YEAR: 1 };
  const months = [...new Set(rows.map(({ id }) => id))].map((id) => {
    const own = rows.filter((row) => row.id === id);
    const one = sumAmounts(own.map((row) => toAmount(row.price).plus(row.option_price).times(row.quantity)));
    return divideRounded(
      { part: one.times(perYear[own[0]!.interval]!), whole: toAmount(12 * own[0]!.interval_count) },
      6,
    );
  });
  return sumAmounts(months).toFixed();
}

/** Orders a plan, and pays for it. */
async function subscribed(payments: TestPayments, price: string, plan: object, product: object = {}) {
  const order = await payments.createOrder(price, { plan: { type: "FLAT", ...plan }, product });
  await payments.payOrder(order.databaseId);
  const read = "subscriptions { databaseId items { code } } items { product { databaseId } }";
  const { subscriptions, items } = await payments.readOrder(order.databaseId, read);
  const { databaseId, items: own } = subscriptions[0]!;
  return {
    id: String(databaseId),
    itemCode: own[0]!.code,
    productId: items[0]!.product!.databaseId,
  };
}

test("Monthly recurring revenue converts each interval to a month, and leaves out subscriptions that are metered, in a trial, paused or over", async () => {
  const { id: vendorId, token } = await gateway.openVendor();
  const payments = await TestPayments.start(gateway, { token });
  const from = gateway.clock.now().toISOString();
  const now = async () => (await recurringOf(payments, from))[`${seoulDay()} KRW`];
  await subscribed(payments, "120000", { recurring: { interval: "YEAR" } });
  expect(await now()).toBe("10000");
  await subscribed(payments, "1000", { recurring: { interval: "WEEK" } });
  expect(await now()).toBe("14333.333333");
  await subscribed(payments, "120", { recurring: { interval: "DAY", intervalCount: 10 } });
  expect(await now()).toBe("14698.333333");
  const monthly = await subscribed(payments, "3000", { recurring: { interval: "MONTH", intervalCount: 3 } });
  expect(await now()).toBe("15698.333333");
  await subscribed(payments, "500", { type: "UNIT_BASED", recurring: { interval: "MONTH" } });
  await subscribed(
    payments,
    "7000",
    { recurring: { interval: "MONTH" } },
    { enabledDemo: true, demoPeriod: 5, demoPeriodUnit: "DAY" },
  );
  expect(await now()).toBe("15698.333333");
  await payments.runMutation(
    "pauseSubscription",
    { subscriptionId: monthly.id, when: "NOW" },
    "subscription { status }",
  );
  expect(await now()).toBe("14698.333333");
  await payments.runMutation("activateSubscription", { subscriptionId: monthly.id }, "subscription { status }");
  expect(await now()).toBe("15698.333333");
  await payments.runMutation(
    "cancelSubscription",
    { subscriptionId: monthly.id, when: "NOW" },
    "subscription { status }",
  );
  expect(await now()).toBe("14698.333333");
  const claim = { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" };
  const { id } = await subscribed(payments, "100", { recurring: { interval: "MONTH" }, claim });
  expect(await now()).toBe("14798.333333");
  const catalogue = new TestCatalogue(gateway, payments.options);
  const { databaseId, code: productCode } = await catalogue.createProduct({ type: "SOFTWARE" });
  const plan = { type: "FLAT", price: "200", recurring: { interval: "MONTH" }, claim };
  const add = [{ productCode, priceCode: (await catalogue.createPlan(databaseId, plan)).code }];
  await payments.runMutation("changeSubscriptionItems", { subscriptionId: id, add }, "order { code }");
  expect(await now()).toBe("14998.333333");
  gateway.clock.advance(6 * DAY);
  await runUntilIdle(createWorker(gateway));
  expect(await now()).toBe("21998.333333");
  expect(await recurringSlowly(vendorId)).toBe("21998.333333");
});

test("Monthly recurring revenue of each day is the sum over the subscriptions, however they change", async () => {
  const { id: vendorId, token } = await gateway.openVendor();
  const payments = await TestPayments.start(gateway, { token });
  const worker = createWorker(gateway);
  const catalogue = new TestCatalogue(gateway, { token });
  const from = gateway.clock.now().toISOString();
  let random = 20_261_122;
  const roll = (sides: number) => (random = (random * 48_271) % 2_147_483_647) % sides;
  const live: Awaited<ReturnType<typeof subscribed>>[] = [];
  const intervals = ["DAY", "WEEK", "MONTH", "MONTH", "YEAR"];
  const claims = [{ methodType: "PRE" }, { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" }];
  const expected: Record<string, string> = {};
  const act = async () => {
    const interval = { interval: intervals[roll(intervals.length)]!, intervalCount: 1 + roll(2) };
    const plan = { recurring: interval, claim: claims[roll(2)] };
    const trial = roll(4) === 0 ? { enabledDemo: true, demoPeriod: 3, demoPeriodUnit: "DAY" } : {};
    const kind = live.length < 3 ? 0 : roll(7);
    if (kind === 0) return void live.push(await subscribed(payments, String(1_000 + roll(9_000)), plan, trial));
    const one = live[roll(live.length)]!;
    const to = async (name: MutationName, input: object): Promise<void> => {
      await payments.sendRawMutation(name, { subscriptionId: one.id, ...input }, "subscription { status }");
    };
    if (kind === 1)
      return to("changeSubscriptionItems", { change: [{ itemCode: one.itemCode, quantity: 1 + roll(4) }] });
    if (kind === 2) return to("pauseSubscription", { when: "NOW" });
    if (kind === 3) return to("activateSubscription", {});
    if (kind === 4) return to("cancelSubscription", { when: roll(2) ? "NOW" : "PERIOD_END" });
    if (kind === 5) {
      const other = await catalogue.createProduct({ type: "SOFTWARE" });
      const { subscription } = await gateway.queryData(
        "query ($id: ID!) { subscription(id: $id) { interval intervalCount claimMethodType } }",
        { id: one.id },
        payments.options,
      );
      const claim = claims.find(({ methodType }) => methodType === subscription!.claimMethodType);
      const recurring = { interval: subscription!.interval, intervalCount: subscription!.intervalCount };
      const { code } = await catalogue.createPlan(other.databaseId, { type: "FLAT", price: "2000", recurring, claim });
      return to("changeSubscriptionItems", {
        add: [{ productCode: other.code, priceCode: code, keepWhenRenew: roll(2) === 0 }],
      });
    }
    const { subscription } = await gateway.queryData(
      "query ($id: ID!) { subscription(id: $id) { interval intervalCount claimMethodType } }",
      { id: one.id },
      payments.options,
    );
    const claim = claims.find(({ methodType }) => methodType === subscription!.claimMethodType);
    const recurring = { interval: subscription!.interval, intervalCount: subscription!.intervalCount };
    const price = String(500 + roll(5_000));
    const { code: priceCode } = await catalogue.createPlan(one.productId, { type: "FLAT", price, recurring, claim });
    return to("changeSubscriptionPlan", {
      changes: [{ itemCode: one.itemCode, priceCode }],
      when: roll(2) ? "NOW" : "PERIOD_END",
    });
  };
  for (let step = 0; step < 70; step++) {
    gateway.clock.advance((1 + roll(30)) * HOUR);
    await runUntilIdle(worker);
    await act();
    expected[`${seoulDay()} KRW`] = await recurringSlowly(vendorId);
  }
  const seen = await recurringOf(payments, from);
  expect(Object.fromEntries(Object.keys(expected).map((day) => [day, seen[day]]))).toEqual(expected);
  expect(new Set(Object.values(expected)).size).toBeGreaterThan(20);

  // The migration, and a recount of the history, give the same sum at the end.
  const last = `${seoulDay()} KRW`;
  await createRepositories(gateway.database.handle).businessCounts.recountHistory(vendorId);
  expect((await recurringOf(payments, from))[last]).toBe(expected[last]);
  await gateway.database.handle.execute("delete from recurring_amounts");
  await gateway.database.handle.execute("delete from business_days where metric = 'RECURRING'");
  const migration = readFileSync("schema/migrations/0029_count_recurring_revenue.sql", "utf8");
  for (const statement of migration.split("--> statement-breakpoint").filter((text) => /insert into/i.test(text)))
    await gateway.database.handle.execute(statement);
  expect((await recurringOf(payments, from))[last]).toBe(expected[last]);
});

test("A decline with an unknown code counts by its message", async () => {
  const { id: vendorId, token } = await gateway.openVendor();
  const payments = await TestPayments.start(gateway, { token });
  const { id, itemCode } = await subscribed(payments, "10000", { recurring: { interval: "MONTH" } });
  const script = JSON.stringify({ behaviour: "DECLINE", code: "X9", message: "Insufficient funds on account 12345." });
  await gateway.database.handle.execute(
    `update simulated_methods set behaviour = (behaviour::jsonb || '${script}')::text where vendor_id = ${vendorId}`,
  );
  const change = [{ itemCode, quantity: 2 }];
  const { payment } = await payments.runMutation(
    "changeSubscriptionItems",
    { subscriptionId: id, change },
    "payment { state errorCode }",
  );
  expect(payment).toEqual({ state: "FAILED", errorCode: "X9" });
  const failed = async () =>
    (await gateway.queryData("{ failedCharges { reasonClass charges } }", {}, payments.options)).failedCharges;
  const one = [{ reasonClass: "INSUFFICIENT_FUNDS", charges: 1 }];
  expect(await failed()).toEqual(one);
  await createRepositories(gateway.database.handle).businessCounts.recountHistory(vendorId);
  expect(await failed()).toEqual(one);
});
