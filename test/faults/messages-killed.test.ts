import { beforeAll, beforeEach, expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { buildOnce } from "../support/build-once.ts";
import { FROM, headersOf, MailServer } from "../support/mail-server.ts";
import { everyMonth } from "../support/test-catalogue.ts";
import { SECRETS_KEY, startGateway } from "../support/test-gateway.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";
import { logMeasurement, roundCount, timeLimitMs } from "./harness/fault-rounds.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";

/* Each message is sent at least once, and a repeat has the same Message-ID, however workers die in the middle of an attempt. */

const messages = roundCount(24, 200);
const kills = roundCount(2, 8);
/** Attempts of one vendor that a process makes at the same time. */
const MAX_IN_PROGRESS = 4;

const gateway = await startGateway({ now: new Date().toISOString() });
const mails = await MailServer.start();
mails.delay = () => new Promise((resolve) => setTimeout(resolve, 300));
beforeAll(buildOnce);
beforeEach(() => {
  mails.take();
});

const launch = () =>
  GatewayProcess.launch({
    DATABASE_URL: gateway.databaseUrl,
    SECRETS_KEY: SECRETS_KEY.toString("base64"),
    DEMO_DATA: "false",
    ROLE: "both",
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    MAIL_FROM: FROM,
  });

const change = (statement: string) => queryRows(gateway, statement);

/**
 * Lets workers send all messages of a kind, and kills them in turn: each as soon as some more mails have come. `prepare` runs
 * again and again meanwhile.
 */
async function sendUnderKills(
  vendorId: number,
  { workers: count, kind, prepare }: { workers: number; kind: string; prepare?: () => Promise<unknown> },
): Promise<void> {
  const started = Date.now();
  const workers = Array.from({ length: count }, launch);
  const received = async () => {
    await prepare?.();
    return mails.received.length;
  };
  for (let killed = 0, expected = 2; killed < kills; killed++, expected = mails.received.length + 2) {
    await expect.poll(received, { timeout: 60_000, interval: 20 }).toBeGreaterThan(expected);
    const [worker] = workers.splice(killed % count, 1, launch());
    await worker!.kill();
    // The lease of the attempts that died is over.
    await change(`update messages set attempt_at = now() where vendor_id = ${vendorId} and state = 'SENDING'`);
  }
  const states = async () => {
    await prepare?.();
    const rows = await queryRows<{ state: string; count: number }>(
      gateway,
      `select state, count(*)::integer as count from messages where vendor_id = ${vendorId} and kind = '${kind}' group by state`,
    );
    return rows.map(({ state, count: number }) => `${state} ${number}`);
  };
  await expect.poll(states, { timeout: 120_000, interval: 200 }).toEqual([`SENT ${messages}`]);
  await Promise.all(workers.map((worker) => worker.kill()));
  const ids = new Set(mails.received.map((mail) => headersOf(mail)["message-id"]));
  expect(ids.size).toBe(messages);
  expect(mails.received.length).toBeLessThanOrEqual(messages + kills * MAX_IN_PROGRESS);
  logMeasurement(
    `messages: ${messages} of ${kind} by ${count} workers, ${mails.received.length} received, ${kills} kills, ${Date.now() - started} ms`,
  );
}

test(
  `${messages} mails are sent when the worker is killed ${kills} times during its attempts`,
  async () => {
    gateway.clock.setTo(new Date());
    const vendor = await gateway.openVendor();
    const payments = await TestPayments.start(gateway, vendor);
    for (let count = 0; count < messages; count++)
      await payments.runMutation(
        "createInvoice",
        {
          customerId: String(payments.customerId),
          items: [{ productName: "Design", price: "30000" }],
          publishMethods: ["EMAIL"],
        },
        "invoice { databaseId }",
      );
    await sendUnderKills(vendor.id, { workers: 1, kind: "INVOICE" });
  },
  timeLimitMs(kills + 10),
);

test(
  `${messages} failed renewals are reported once each when one of two workers is killed ${kills} times`,
  async () => {
    const monthAgo = new Date();
    monthAgo.setUTCDate(monthAgo.getUTCDate() - 32);
    gateway.clock.setTo(monthAgo);
    const vendor = await gateway.openVendor();
    const payments = await TestPayments.start(gateway, vendor);
    for (let count = 0; count < messages; count++) {
      payments.customerId = await payments.createCustomer();
      const { databaseId } = await payments.createOrder("18900", { plan: { type: "FLAT", recurring: everyMonth } });
      await payments.payOrder(databaseId, testCards.neverAgain);
    }
    gateway.clock.setTo(new Date());
    await runUntilIdle(createWorker(gateway));
    await sendUnderKills(vendor.id, {
      workers: 2,
      kind: "PAYMENT_FAILED",
      // The quiet hours are over, whatever the time of the test.
      prepare: () =>
        change(
          `update messages set due_at = now(), attempt_at = now()
            where vendor_id = ${vendor.id} and kind = 'PAYMENT_FAILED' and state = 'QUEUED' and attempt_at is null`,
        ),
    });
    const reports = await queryRows<{ count: number; covers: number }>(
      gateway,
      `select count(*)::integer as count, count(distinct cover_id)::integer as covers from messages
        where vendor_id = ${vendor.id} and kind = 'PAYMENT_FAILED'`,
    );
    expect(reports).toEqual([{ count: messages, covers: messages }]);
    expect(mails.received.every(({ source }) => source.includes("seoyeon@example.com"))).toBe(true);
  },
  timeLimitMs(kills + 20),
);
