import { afterEach, describe, expect, test } from "vitest";
import { openGateway } from "../../src/gateway.ts";
import { DueVendorRepository } from "../../src/jobs/due-vendor.repository.ts";
import { ModelTrainer } from "../../src/jobs/model-trainer.ts";
import { PasswordLinkMailer } from "../../src/jobs/password-link-mailer.ts";
import { Worker } from "../../src/jobs/worker.ts";
import { SecretVault } from "../../src/kernel/secrets/secret-vault.ts";
import { createRepositories } from "../../src/graphql/repositories.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { SECRETS_KEY, startGateway, type RequestOptions } from "../support/test-gateway.ts";
import { registerCoverOrder, registerCoverFixture } from "../support/fixtures/cover-fixture.ts";
import { DAY, HOUR, MINUTE } from "../support/test-clock.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

/*
 * clocks jump forward, are set back, change for summer time and differ between machines. The database's own clock
 * is always months away from the test clock: nothing may depend on it.
 */

const gateway = await startGateway();
const worker = createWorker(gateway);
const daily = { interval: "DAY", intervalCount: 1 };

/** Cancels the subscription of a test, so that the next test does not charge the years between them. */
let end: () => Promise<unknown> = () => Promise.resolve();
afterEach(() => end());

/** A daily subscription at its own vendor, in the vendor's time zone. */
async function subscribe(start: string, zoneId = "Asia/Seoul") {
  gateway.clock.setTo(start);
  const options: RequestOptions = { token: (await gateway.openVendor({ zoneId })).token };
  const payments = await TestPayments.start(gateway, options);
  const first = await payments.createOrder("10000", { plan: { type: "FLAT", recurring: daily } });
  await payments.payOrder(first.databaseId, testCards.approved);
  const { subscriptions } = await payments.readOrder(first.databaseId, "subscriptions { databaseId }");
  const id: number = subscriptions[0]!.databaseId;
  end = () =>
    payments.sendMutation("cancelSubscription", { subscriptionId: String(id), when: "NOW" }, "subscription { status }");
  const standing = async () => {
    const query = "query ($id: ID!) { subscription(id: $id) { status nextPaymentDate } }";
    return (await gateway.queryData(query, { id: String(id) }, options)).subscription;
  };
  return { id, standing };
}

/** For each charge of a subscription, ordered by time: its due date, and how often the gateway's books have it. */
const chargesOf = (id: number) =>
  queryRows<{ due: string; times: number }>(
    gateway,
    `select to_char(r.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as due,
        (select count(*)::int from simulated_charges c where c.order_reference = o.id_key and c.status = 'APPROVED') as times
      from renewals r join orders o on o.vendor_id = r.vendor_id and o.id = r.order_id where r.subscription_id = ${id} order by r.due_at`,
  );

/** The same time of day on so many days, each charged once. */
const onceADay = (first: string, days: number) =>
  Array.from({ length: days }, (_, day) => ({
    due: new Date(Date.parse(`${first}Z`) + day * DAY).toISOString().slice(0, 16),
    times: 1,
  }));

test("a clock that jumps forty days ahead charges each day once and skips none", async () => {
  const { id, standing } = await subscribe("2026-03-01T09:30:00.000Z");
  gateway.clock.advance(40 * DAY);
  await runUntilIdle(worker);
  expect(await chargesOf(id)).toEqual(onceADay("2026-03-02T09:30", 40));
  expect(await standing()).toEqual({ status: "ACTIVE", nextPaymentDate: "2026-04-11T09:30:00.000Z" });
});

test("a clock set back by a day does not repeat charges, and charging resumes when the next date comes", async () => {
  const { id } = await subscribe("2026-05-01T09:30:00.000Z");
  gateway.clock.advance(2 * DAY);
  await runUntilIdle(worker);
  for (let hour = 0; hour < 24; hour++) {
    gateway.clock.setTo(new Date(Date.parse("2026-05-02T09:30:00.000Z") + hour * HOUR));
    await runUntilIdle(worker);
  }
  expect(await chargesOf(id)).toEqual(onceADay("2026-05-02T09:30", 2));
  gateway.clock.setTo("2026-05-04T09:30:00.000Z");
  await runUntilIdle(worker);
  expect(await chargesOf(id)).toEqual(onceADay("2026-05-02T09:30", 3));
});

describe("a daily subscription on an hourly clock is charged once a day, at the same local time,", () => {
  test.each([
    ["over the night in which summer time begins", "2026-03-27T08:00:00.000Z", "Europe/Berlin", [8, 7, 7, 7]],
    ["over the night in which summer time ends", "2026-10-23T07:00:00.000Z", "Europe/Berlin", [7, 8, 8, 8]],
    ["over the 29th of February", "2028-02-27T03:00:00.000Z", "Asia/Seoul", [3, 3, 3, 3]],
    ["over the end of a year", "2026-12-30T03:00:00.000Z", "Asia/Seoul", [3, 3, 3, 3]],
  ])("%s", async (_name, start, zoneId, hours) => {
    const { id } = await subscribe(start, zoneId);
    for (let hour = 0; hour <= hours.length * 24; hour++) {
      gateway.clock.advance(HOUR);
      await runUntilIdle(worker);
    }
    const days = hours.map((hour, index) => {
      const day = new Date(Date.parse(start) + (index + 1) * DAY).toISOString().slice(0, 10);
      return { due: `${day}T${String(hour).padStart(2, "0")}:00`, times: 1 };
    });
    expect(await chargesOf(id)).toEqual(days);
  });
});

test("two workers whose clocks are ten minutes apart charge each day once between them", async () => {
  const { id, standing } = await subscribe("2026-06-01T09:30:00.000Z");
  const behind = { now: () => new Date(gateway.clock.now().getTime() - 10 * MINUTE) };
  const other = await openGateway({
    database: gateway.database,
    clock: behind,
    logger: gateway.gateway.server.log,
    vocabulary: {},
    vault: new SecretVault([SECRETS_KEY]),
  });
  const late = new Worker({
    contexts: other.contexts,
    dueVendors: new DueVendorRepository(gateway.database.handle),
    findVendor: (vendorId) => createRepositories(gateway.database.handle).vendors.byId(vendorId),
    now: behind.now,
    logger: gateway.gateway.server.log,
    passwordLinkMailer: new PasswordLinkMailer(undefined),
    trainer: new ModelTrainer(gateway.database.source),
  });
  for (let day = 1; day <= 3; day++) {
    for (let minutes = -5; minutes <= 20; minutes += 5) {
      gateway.clock.setTo(new Date(Date.parse("2026-06-01T09:30:00.000Z") + day * DAY + minutes * MINUTE));
      await Promise.all([runUntilIdle(worker), runUntilIdle(late)]);
    }
  }
  await other.server.close();
  expect(await chargesOf(id)).toEqual(onceADay("2026-06-02T09:30", 3));
  expect((await standing())!.status).toBe("ACTIVE");
});

describe("a retry date", () => {
  const report = async () => {
    gateway.clock.setTo("2026-07-01T09:30:00.000Z");
    const shop = await registerCoverFixture(gateway);
    const { id: orderId } = await registerCoverOrder(gateway, shop);
    const body = { subscriptionId: shop.subscriptionId, orderId, errorCode: "51" };
    const tell = async () => (await gateway.readRestBody("POST", "/cover/recovery", body)).retryDate;
    return { tell, first: await tell() };
  };
  test("stays when the clock is set back by a day", async () => {
    const { tell, first } = await report();
    gateway.clock.advance(-DAY);
    expect(await tell()).toBe(first);
  });

  test.each([1, 2, 3, 5, 8, 13, 40, 400])("is never in the past when it is answered, %i days later", async (days) => {
    const { tell } = await report();
    gateway.clock.advance(days * DAY);
    const told = await tell();
    // The last retry is 14 days after the failure.
    if (days > 14) expect(told).toBeNull();
    else expect(Date.parse(told!)).toBeGreaterThan(gateway.clock.now().getTime());
  });
});
