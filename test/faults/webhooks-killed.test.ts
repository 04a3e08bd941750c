import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { buildOnce } from "../support/build-once.ts";
import { createCoverFixture } from "../support/cover-mutations.ts";
import { minimalOrder } from "../support/fixtures/cover-fixture.ts";
import type { RawData } from "../support/raw-data.ts";
import { SECRETS_KEY, startGateway } from "../support/test-gateway.ts";
import { verifyWebhook, WebhookReceiver } from "../support/webhook-receiver.ts";
import { logMeasurement, roundCount, timeLimitMs } from "./harness/fault-rounds.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";

/*
 * Merchants write through a gateway while it and the workers are killed and the receiver fails. Each event is numbered once,
 * without gaps, and delivered at least once, in the order of its subject.
 */

const events = roundCount(200, 1_000);
const kills = roundCount(3, 12);
const [ORDERS, WRITERS, PAUSE_MS, MAX_WAIT_MS] = [30, 6, 2_500, 240_000];

const gateway = await startGateway({ now: new Date().toISOString(), allowPrivateWebhooks: true });
const receiver = await WebhookReceiver.start();
beforeAll(buildOnce);

const REGISTER =
  "mutation ($input: RegisterCoverOrderInput!) { registerCoverOrder(input: $input) { order { databaseId } } }";

test(
  `${events} events are numbered once and delivered in order when gateway and workers are killed ${kills} times`,
  async () => {
    const vendor = await gateway.openVendor({ sandbox: true });
    const shop = await createCoverFixture(gateway, {}, vendor);
    const { createWebhookEndpoint } = await gateway.queryData(
      "mutation ($url: String!) { createWebhookEndpoint(input: { url: $url }) { secret } }",
      { url: receiver.url },
      vendor,
    );
    let answers = 0;
    const confirmed: string[] = [];
    const failures = new Map<string, number>();
    receiver.answer = ({ message }) => {
      const failed = failures.get(message.id) ?? 0;
      // After five failures the next attempt is five minutes later, longer than this test waits.
      if (++answers % 5 === 0 && failed < 2) {
        failures.set(message.id, failed + 1);
        return 500;
      }
      confirmed.push(message.id);
      return 204;
    };

    const launch = (role: "gateway" | "worker") =>
      GatewayProcess.launch({
        DATABASE_URL: gateway.databaseUrl,
        SECRETS_KEY: SECRETS_KEY.toString("base64"),
        DEMO_DATA: "false",
        ROLE: role,
        WEBHOOK_ALLOW_PRIVATE: "true",
      });
    const roles = ["worker", "gateway", "worker"] as const;
    const processes = roles.map(launch);
    await processes[1]!.waitUntilReady();
    const started = Date.now();
    let [accepted, unanswered, killed] = [0, 0, 0];

    /** Changes an order by a request to the gateway, whichever process that is now. @returns whether it was accepted. */
    const change = async (order: number, amount: number): Promise<boolean> => {
      const input = { ...minimalOrder(shop), partnerOrderId: `order ${order}`, amount, replaceIfExists: true };
      try {
        const response = await fetch(`${processes[1]!.address}/graphql`, {
          method: "POST",
          headers: { "secret-token": vendor.token, "content-type": "application/json" },
          body: JSON.stringify({ query: REGISTER, variables: { input } }),
          signal: AbortSignal.timeout(10_000),
        });
        const { errors } = (await response.json()) as RawData;
        return errors === undefined;
      } catch {
        // The address is unknown until the next process is ready.
        return false;
      }
    };
    const isWriting = () => accepted < events || killed < kills;
    const writing = Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let amount = 1_000; isWriting(); amount++) {
          if (await change(((amount * WRITERS) % ORDERS) + writer, amount)) accepted++;
          else unanswered++;
          await wait(((kills * PAUSE_MS) / events) * WRITERS);
        }
      }),
    );
    while (killed < kills) {
      await wait(PAUSE_MS);
      const index = killed % processes.length;
      await processes[index]!.kill();
      processes[index] = launch(roles[index]!);
      if (roles[index] === "gateway") await processes[index].waitUntilReady();
      killed++;
    }
    await writing;

    // A killed worker's attempts are repeated when their lease of a minute is over.
    const countOpen = async () => {
      const [row] = await queryRows<{ open: number }>(
        gateway,
        `select ((select count(*) from unnumbered_events where vendor_id = ${vendor.id})
          + (select count(*) from event_numbers n, webhook_endpoints e
            where n.vendor_id = ${vendor.id} and e.vendor_id = ${vendor.id} and n.number > e.last_read_number)
          + (select count(*) from webhook_deliveries where vendor_id = ${vendor.id} and state <> 'SUCCEEDED'))::int as open`,
      );
      return row!.open;
    };
    await expect.poll(countOpen, { timeout: MAX_WAIT_MS, interval: 500 }).toBe(0);
    await Promise.all(processes.map((process) => process.kill()));

    for (const webhook of receiver.received) verifyWebhook(createWebhookEndpoint.secret, webhook);
    const logged = await queryRows<{ id: string; subject: string; number: number }>(
      gateway,
      `select 'event_' || l.id as id, l.subject || ' ' || l.subject_id as subject, n.number::int as number
        from event_log l left join event_numbers n on (n.vendor_id, n.event_id) = (l.vendor_id, l.id)
        where l.vendor_id = ${vendor.id} order by l.id`,
    );
    expect(logged.length).toBeGreaterThanOrEqual(events);
    expect(logged.map(({ number }) => number).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: logged.length }, (_, index) => index + 1),
    );
    // The endpoint exists since before the orders, and after the records that they refer to.
    const expected = logged.filter(({ subject }) => subject.startsWith("COVER_ORDER "));
    const subjectOf = new Map(expected.map(({ id, subject }) => [id, subject]));
    const idsOf = (ids: Iterable<string>, subject: string) => [...ids].filter((id) => subjectOf.get(id) === subject);
    const [all, firsts] = [expected.map(({ id }) => id), new Set(confirmed)];
    for (const subject of new Set(subjectOf.values()))
      expect(idsOf(firsts, subject), subject).toEqual(idsOf(all, subject));
    logMeasurement(
      `webhooks: ${logged.length} events, ${receiver.received.length} requests, ${firsts.size} confirmed of ${confirmed.length}, ` +
        `${killed} kills, ${unanswered} writes without an answer, ${Date.now() - started} ms`,
    );
  },
  timeLimitMs(kills + 10),
);
