import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { EventRepository } from "../../src/events/event.repository.ts";
import { createServices } from "../../src/graphql/services.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { SecretVault } from "../../src/kernel/secret-vault.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { buildOnce } from "../support/build-once.ts";
import { SECRETS_KEY, startGateway } from "../support/test-gateway.ts";
import { verifyWebhook, WebhookReceiver, type ReceivedWebhook } from "../support/webhook-receiver.ts";
import { logMeasurement, roundCount, timeLimitMs } from "./harness/fault-rounds.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";

/* Each event is delivered at least once and in the order of its subject, however workers die and receivers fail. */

const events = roundCount(300, 1_000);
const kills = roundCount(3, 10);
const [ORDERS, WORKERS, PAUSE_MS] = [30, 2, 2_000];

const gateway = await startGateway();
const receiver = await WebhookReceiver.start();
beforeAll(buildOnce);

test(
  `${events} events are delivered in order when workers are killed ${kills} times and one answer in five is a failure`,
  async () => {
    const { id: vendorId } = await gateway.openVendor({ sandbox: true });
    const { secret } = await gateway.database.transaction((handle) =>
      createServices(handle, systemClock.now(), new SecretVault([SECRETS_KEY]), systemClock.now(), {
        allowPrivate: true,
      }).webhookEndpoints.create({ id: vendorId, sandbox: true }, { url: receiver.url }),
    );
    let answers = 0;
    const confirmed: ReceivedWebhook[] = [];
    receiver.answer = (webhook) => {
      if (++answers % 5 === 0) return 500;
      confirmed.push(webhook);
      return 204;
    };
    const launch = () =>
      GatewayProcess.launch({
        DATABASE_URL: gateway.databaseUrl,
        SECRETS_KEY: SECRETS_KEY.toString("base64"),
        DEMO_DATA: "false",
        ROLE: "both",
        WEBHOOK_ALLOW_PRIVATE: "true",
      });
    const processes = Array.from({ length: WORKERS }, launch);
    const started = Date.now();
    let killed = 0;
    for (let step = 0; step < events / ORDERS; step++) {
      for (let order = 1; order <= ORDERS; order++)
        await gateway.database.transaction((handle) =>
          new EventRepository(handle).insertEvents(vendorId, [
            {
              ...{ type: "ORDER_CHANGED", subject: "COVER_ORDER", subjectId: order, trigger: "ORDER_UPDATED" },
              ...{ coverOrderId: order, actor: "SYSTEM", facts: { quantity: step }, occurredAt: new Date() },
            },
          ]),
        );
    }
    while (killed < kills) {
      await wait(PAUSE_MS);
      const index = killed++ % WORKERS;
      await processes[index]!.kill();
      processes[index] = launch();
    }
    const open = async () => {
      const [row] = await queryRows<{ open: number; made: number }>(
        gateway,
        `select count(*) filter (where state <> 'SUCCEEDED')::int as open, count(*)::int as made from webhook_deliveries
          where vendor_id = ${vendorId}`,
      );
      return row!.made === events ? row!.open : -1;
    };
    // A killed worker's attempts are repeated when their lease of a minute is over.
    await expect.poll(open, { timeout: 240_000, interval: 500 }).toBe(0);
    for (const webhook of receiver.received) verifyWebhook(secret, webhook);
    const stepsOf = new Map<number, Set<number>>();
    for (const { message } of confirmed) {
      const { coverOrderId, facts } = message.data;
      const steps = stepsOf.get(coverOrderId) ?? new Set<number>();
      stepsOf.set(coverOrderId, steps.add(facts.quantity));
    }
    const inOrder = Array.from({ length: events / ORDERS }, (_, step) => step);
    // A repeated delivery may come late; the first ones of each subject are in order, and none is missing.
    for (let order = 1; order <= ORDERS; order++) expect([...stepsOf.get(order)!]).toEqual(inOrder);
    logMeasurement(
      `webhooks: ${events} events, ${receiver.received.length} requests, ${killed} kills, ${Date.now() - started} ms`,
    );
    await Promise.all(processes.map((process) => process.kill()));
  },
  timeLimitMs(kills + 10),
);
