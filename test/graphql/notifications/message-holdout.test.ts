import { beforeEach, describe, expect, test } from "vitest";
import { queryRows } from "../../hostile/query-rows.ts";
import { errorSummaries } from "../../support/cover-mutations.ts";
import { DunnedShop, SUBSCRIBED_AT, noonOfApril } from "../../support/fixtures/dunned-shop.ts";
import { createMessageDispatcher, MailServer } from "../../support/mail-server.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { testCards } from "../../support/test-payments.ts";

/* A share of payers gets no messages, and the analytics compare what both recover. */

const gateway = await startGateway({ now: SUBSCRIBED_AT, publicUrl: "https://pay.example.com" });
const mails = await MailServer.start();
const dispatcher = createMessageDispatcher(gateway, mails.settings);
let shop: DunnedShop;

beforeEach(async () => {
  shop = await DunnedShop.open(gateway, dispatcher);
});

const setHoldout = (holdoutShare: string) =>
  shop.payments.runMutation("updateMessageSettings", { holdoutShare }, "settings { holdoutShare }");

const TALLY = "payers cases amount recovered recoveredAmount lost open recoveryRate";
const readEffect = async (startedAt?: { from?: string; until?: string }) =>
  (
    await gateway.queryRawData(
      `query ($startedAt: PeriodInput) { recoveryAnalytics(startedAt: $startedAt) { messageEffect {
        withMessages { ${TALLY} } withoutMessages { ${TALLY} } comparedAfterDays
        difference { value lower upper result } differenceByAmount { value result } } } }`,
      { startedAt },
      shop.vendor,
    )
  ).recoveryAnalytics.messageEffect;

/** The covers of the vendor with their payers, two after each other. */
const readCovers = () =>
  queryRows<{ arm: string | null; payer: number; orderId: number; subscriptionId: number }>(
    gateway,
    `select c.message_arm as arm, s.customer_id::integer as payer, c.renewal_order_id::integer as "orderId",
      s.id::integer as "subscriptionId" from covers c
      join subscriptions s on s.vendor_id = c.vendor_id and s.id = c.renewal_subscription_id
      where c.vendor_id = ${shop.vendor.id} order by s.customer_id, c.id`,
  );

describe("a holdout of messages", () => {
  test("gets none, keeps its payers, and is counted beside the others", async () => {
    expect(await setHoldout("0.5")).toEqual({ settings: { holdoutShare: "0.5" } });
    for (let payer = 0; payer < 8; payer++) {
      shop.payments.customerId = await shop.payments.createCustomer();
      // Two renewals of one payer are in one arm.
      for (let renewal = 0; renewal < 2; renewal++) await shop.subscribe(testCards.neverAgain);
    }
    await shop.advanceTo(noonOfApril(1));
    const covers = await readCovers();
    expect(covers.length).toBe(16);
    const payersOf = (arm: string) => new Set(covers.filter((one) => one.arm === arm).map(({ payer }) => payer));
    const [treated, heldOut] = [payersOf("MESSAGES"), payersOf("NO_MESSAGES")];
    expect([...treated].filter((payer) => heldOut.has(payer))).toEqual([]);
    expect(treated.size + heldOut.size).toBe(8);
    expect(Math.min(treated.size, heldOut.size)).toBeGreaterThan(0);
    const recipients = await queryRows<{ payer: number; count: number }>(
      gateway,
      `select customer_id::integer as payer, count(*)::integer as count from messages
        where vendor_id = ${shop.vendor.id} and kind = 'PAYMENT_FAILED' group by customer_id`,
    );
    expect(new Set(recipients.map(({ payer, count }) => `${payer} ${count}`))).toEqual(
      new Set([...treated].map((payer) => `${payer} 2`)),
    );
    // Of each payer's two renewals, one is paid and one given up.
    for (const { orderId } of covers.filter((_, index) => index % 2 === 0))
      await shop.payments.payOrder(orderId, testCards.approved);
    for (const { subscriptionId } of covers.filter((_, index) => index % 2 === 1))
      await shop.payments.runMutation(
        "cancelSubscription",
        { subscriptionId: String(subscriptionId), when: "NOW" },
        "subscription { status }",
      );
    await shop.advanceTo(noonOfApril(1));
    const tallyOf = (payers: number) => ({
      ...{ payers, cases: 2 * payers, amount: String(37800 * payers), recovered: payers },
      ...{ recoveredAmount: String(18900 * payers), lost: payers, open: 0, recoveryRate: 0.5 },
    });
    expect(await readEffect()).toEqual({
      withMessages: tallyOf(treated.size),
      withoutMessages: tallyOf(heldOut.size),
      comparedAfterDays: 17,
      // Too few payers.
      difference: null,
      differenceByAmount: null,
    });
  });

  test("has bounds for its difference with enough payers, of the cases that are old enough", async () => {
    await setHoldout("0.5");
    await shop.subscribe(testCards.neverAgain);
    await shop.advanceTo(noonOfApril(1));
    await copyCover({ arm: "MESSAGES", payers: 60, recovered: 48, day: "2026-04-01" });
    await copyCover({ arm: "NO_MESSAGES", payers: 60, recovered: 12, day: "2026-04-01" });
    // Of the last days, in which messages only had the faster start.
    await copyCover({ arm: "MESSAGES", payers: 60, recovered: 60, day: "2026-04-20" });
    gateway.clock.setTo("2026-04-21T03:00:00.000Z");
    const { withMessages, difference, differenceByAmount } = await readEffect({ from: "2026-04-01T12:00:00Z" });
    expect(withMessages.payers).toBeGreaterThanOrEqual(120);
    expect(difference.value).toBeGreaterThan(0.55);
    expect(difference.value).toBeLessThan(0.65);
    expect(difference.lower).toBeGreaterThan(0);
    expect(difference).toMatchObject({ result: "BETTER" });
    expect(differenceByAmount).toMatchObject({ result: "BETTER" });
    expect((await readEffect({ from: "2026-04-02T12:00:00Z" })).difference).toBeNull();
  });

  test("is drawn for no renewal while its share is 0, and ends with it", async () => {
    await shop.subscribe(testCards.neverAgain);
    await shop.advanceTo(noonOfApril(1));
    expect(await readCovers()).toMatchObject([{ arm: null }]);
    expect((await readEffect()).withMessages).toMatchObject({ cases: 0, recoveryRate: null });
  });

  test.each(["0.51", "-0.1", "0.00001"])("cannot be the share %s", async (holdoutShare) => {
    const refused = await shop.payments.sendMutation("updateMessageSettings", { holdoutShare }, "settings { replyTo }");
    expect(errorSummaries(refused)).toEqual(["INVALID_ARGUMENT: input.holdoutShare INVALID_VALUE"]);
  });
});

let copies = 1_000_000;

/** Copies the vendor's first cover for payers who exist only as numbers: some are recovered, the others ended unpaid. */
async function copyCover(copy: { arm: string; payers: number; recovered: number; day: string }): Promise<void> {
  const first = copies;
  copies += copy.payers;
  const own = (alias: string) => `${alias}.vendor_id = ${shop.vendor.id} and ${alias}.id = (select min(id) from`;
  await queryRows(
    gateway,
    `do $$ begin
      -- The payers and the orders exist only as numbers.
      alter table subscriptions drop constraint if exists subscriptions_customer_fk;
      alter table covers drop constraint if exists covers_renewal_order_fk;
      insert into subscriptions overriding system value
        select (jsonb_populate_record(s, jsonb_build_object('id', n, 'customer_id', n, 'code', 'copy-' || n))).*
        from subscriptions s, generate_series(${first}, ${copies - 1}) n where ${own("s")} subscriptions where vendor_id = ${shop.vendor.id});
      insert into covers overriding system value
        select (jsonb_populate_record(c, jsonb_build_object('id', n, 'renewal_order_id', n, 'renewal_subscription_id', n,
          'message_arm', '${copy.arm}', 'started_on', '${copy.day}', 'retry_at', null, 'planned', '[]'::jsonb, 'ended_at', c.started_at + interval '2 days',
          'state', case when n < ${first + copy.recovered} then 'RECOVERED' else 'EXHAUSTED' end,
          'end_reason', case when n < ${first + copy.recovered} then 'PAID' else 'NO_TRIES_LEFT' end))).*
        from covers c, generate_series(${first}, ${copies - 1}) n where ${own("c")} covers where vendor_id = ${shop.vendor.id});
    end $$`,
  );
}
