import { beforeAll, expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { buildOnce } from "../support/build-once.ts";
import { FROM, headersOf, MailServer } from "../support/mail-server.ts";
import { SECRETS_KEY, startGateway } from "../support/test-gateway.ts";
import { TestPayments } from "../support/test-payments.ts";
import { logMeasurement, roundCount, timeLimitMs } from "./harness/fault-rounds.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";

/* Each message is sent at least once, and a repeat has the same Message-ID, however workers die in the middle of an attempt. */

const invoices = roundCount(24, 200);
const kills = roundCount(2, 8);
/** Attempts of one vendor that a process makes at the same time. */
const MAX_IN_PROGRESS = 4;

const gateway = await startGateway({ now: new Date().toISOString() });
const mails = await MailServer.start();
beforeAll(buildOnce);

test(
  `${invoices} mails are sent when the worker is killed ${kills} times during its attempts`,
  async () => {
    const vendor = await gateway.openVendor();
    const payments = await TestPayments.start(gateway, vendor);
    const input = { name: "김하늘", email: "sky@example.com", phone: "01012345678" };
    const { customer } = await payments.runMutation("createCustomer", input, "customer { databaseId }");
    for (let count = 0; count < invoices; count++)
      await payments.runMutation(
        "createInvoice",
        {
          customerId: String(customer.databaseId),
          items: [{ productName: "Design", price: "30000" }],
          publishMethods: ["EMAIL"],
        },
        "invoice { databaseId }",
      );
    mails.delay = () => new Promise((resolve) => setTimeout(resolve, 300));
    const launch = () =>
      GatewayProcess.launch({
        DATABASE_URL: gateway.databaseUrl,
        SECRETS_KEY: SECRETS_KEY.toString("base64"),
        DEMO_DATA: "false",
        ROLE: "both",
        SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
        MAIL_FROM: FROM,
      });
    const started = Date.now();
    let worker = launch();
    let [killed, expected] = [0, 2];
    while (killed < kills) {
      await expect.poll(() => mails.received.length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(expected);
      await worker.kill();
      killed++;
      expected = mails.received.length + 2;
      // The lease of the attempts that died is over.
      await queryRows(
        gateway,
        `update messages set attempt_at = now() where vendor_id = ${vendor.id} and state = 'SENDING'`,
      );
      worker = launch();
    }
    const states = async () =>
      (
        await queryRows<{ state: string; count: number }>(
          gateway,
          `select state, count(*)::integer as count from messages where vendor_id = ${vendor.id} group by state`,
        )
      ).map(({ state, count }) => `${state} ${count}`);
    await expect.poll(states, { timeout: 120_000, interval: 200 }).toEqual([`SENT ${invoices}`]);
    await worker.kill();
    const ids = new Set(mails.received.map((mail) => headersOf(mail)["message-id"]));
    expect(ids.size).toBe(invoices);
    expect(mails.received.length).toBeLessThanOrEqual(invoices + kills * MAX_IN_PROGRESS);
    logMeasurement(
      `messages: ${invoices} mails, ${mails.received.length} received, ${kills} kills, ${Date.now() - started} ms`,
    );
  },
  timeLimitMs(kills + 10),
);
