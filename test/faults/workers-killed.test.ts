import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { buildOnce } from "../support/build-once.ts";
import { SECRETS_KEY, startGateway } from "../support/test-gateway.ts";
import { everyMonth } from "../support/test-catalogue.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { timeLimitMs, roundCount, logMeasurement } from "./harness/fault-rounds.ts";

/*
 * workers are killed while they charge. The oracle is the books of the simulated gateway: each period of each
 * subscription was charged once, and work that a dead worker had claimed is done by another one.
 */

const subscriptions = roundCount(12, 500);
const kills = roundCount(3, 60);
const [WORKERS, PAUSE_MS] = [3, 900];

const gateway = await startGateway({ now: new Date().toISOString() });
gateway.vendor = await gateway.openVendor({ sandbox: true });

const launch = () =>
  GatewayProcess.launch({
    ROLE: "worker",
    DATABASE_URL: gateway.databaseUrl,
    SECRETS_KEY: SECRETS_KEY.toString("base64"),
    DEMO_DATA: "false",
  });

const pass = (by: string) => gateway.queryRawData(`mutation { advanceTestClock(input: { by: "${by}" }) { now } }`);

const standing = () =>
  queryRows<{ status: string; count: number }>(
    gateway,
    `select case when next_payment_date > now() + interval '40 days' or status <> 'ACTIVE' then status else 'DUE' end as status,
      count(*)::int as count from subscriptions group by 1 order by 1`,
  );

test(
  `${kills} workers killed while they charge ${subscriptions} renewals charge each period once`,
  async () => {
    await buildOnce();
    const payments = await TestPayments.start(gateway);
    for (let count = 0; count < subscriptions; count++) {
      const order = await payments.createOrder("10000", { plan: { type: "FLAT", recurring: everyMonth } });
      await payments.payOrder(order.databaseId, testCards.slow);
    }
    await pass("P1M");

    const workers = Array.from({ length: WORKERS }, launch);
    for (let count = 0; count < kills; count++) {
      await wait(PAUSE_MS + (count === 0 ? 1_500 : 0));
      await workers[count % WORKERS]!.kill();
      workers[count % WORKERS] = launch();
    }
    const [{ claimed }] = (await queryRows<{ claimed: number }>(
      gateway,
      "select count(*)::int as claimed from subscriptions where status = 'QUEUEING'",
    )) as [{ claimed: number }];
    // The claims of a killed worker are free again after a minute of the vendor's clock, and so is a charge that a
    // fault prevented; if the clock is moved while a charge is in progress, another worker may have closed it as
    // abandoned.
    for (let tries = 0; tries < 80 + subscriptions; tries++) {
      const done = (await standing()).find(({ status }) => status === "ACTIVE")?.count ?? 0;
      if (done === subscriptions) break;
      if (tries % 4 === 3) await pass("PT2M");
      await wait(1_000);
    }
    await Promise.all(workers.map((worker) => worker.kill()));
    logMeasurement(`R-8: ${subscriptions} renewals, ${kills} kills, ${claimed} claimed when the last one died`);

    expect(await standing()).toEqual([{ status: "ACTIVE", count: subscriptions }]);
    const failed = "select * from event_log where trigger in ('failRenewal', 'startRecovery')";
    expect(await queryRows(gateway, failed)).toEqual([]);
    const wrong = await queryRows(
      gateway,
      `select o.id, count(c.*)::int as charges from orders o
        left join simulated_charges c on c.vendor_id = o.vendor_id and c.order_reference = o.id_key and c.status = 'APPROVED'
        where o.type = 'RECURRING' group by o.id having count(c.*) <> 1`,
    );
    expect(wrong).toEqual([]);
    const periods = await queryRows(
      gateway,
      "select parent_subscription_id from orders where type = 'RECURRING' group by 1 having count(*) <> 1",
    );
    expect(periods).toEqual([]);
    const ledger = await queryRows<{ captured: string; charged: string }>(
      gateway,
      `select (select sum(amount)::int from ledger_entries where account = 'CLEARING') as captured,
        (select sum(amount)::int from simulated_charges where status = 'APPROVED') as charged`,
    );
    expect(ledger).toEqual([{ captured: subscriptions * 20_000, charged: subscriptions * 20_000 }]);
    const twice = await queryRows(
      gateway,
      "select subject_id from event_log where subject = 'PAYMENT' and trigger = 'succeedPayment' group by 1 having count(*) <> 1",
    );
    expect(twice).toEqual([]);
  },
  timeLimitMs(kills + 6),
);

test(
  `${kills} workers killed while declined renewals become covers, and ${kills} while these are retried, leave one attempt of each`,
  async () => {
    await buildOnce();
    gateway.vendor = await gateway.openVendor({ sandbox: true });
    const payments = await TestPayments.start(gateway);
    const terms = { plan: { kind: "LADDER", offsetsInDays: [2, 20] } };
    const { policy } = await payments.runMutation("proposeRecoveryPolicy", { terms }, "policy { databaseId }");
    await payments.runMutation("activateRecoveryPolicy", { policyId: String(policy.databaseId) }, "policy { state }");
    for (let count = 0; count < subscriptions; count++) {
      const order = await payments.createOrder("10000", { plan: { type: "FLAT", recurring: everyMonth } });
      await payments.payOrder(order.databaseId, testCards.neverAgain);
    }
    const { id } = gateway.vendor;
    // All pay by one card: of a network that has no limit of attempts.
    await queryRows(gateway, `update payment_methods set network = 'OTHER' where vendor_id = ${id}`);
    await queryRows(
      gateway,
      `update simulated_methods set behaviour = (behaviour::jsonb || '{"network": "OTHER"}')::text where vendor_id = ${id}`,
    );

    const attempts = (sought: number) =>
      queryRows<{ attempts: number; covers: number }>(
        gateway,
        `select attempts::int, count(*)::int as covers from (
          select count(a.*) as attempts from covers c left join cover_attempts a on a.vendor_id = c.vendor_id and a.cover_id = c.id
          where c.vendor_id = ${id} group by c.id) counted where attempts = ${sought} group by 1`,
      );
    for (const [step, due] of [
      [1, "P1M"],
      [2, "P2DT1H"],
    ] as const) {
      await pass(due);
      const workers = Array.from({ length: WORKERS }, launch);
      for (let count = 0; count < kills; count++) {
        await wait(PAUSE_MS + (count === 0 ? 1_500 : 0));
        await workers[count % WORKERS]!.kill();
        workers[count % WORKERS] = launch();
      }
      const killedAfter = (await attempts(step))[0]?.covers ?? 0;
      for (let tries = 0; tries < 80 + subscriptions; tries++) {
        if ((await attempts(step))[0]?.covers === subscriptions) break;
        if (tries % 4 === 3) await pass("PT2M");
        await wait(1_000);
      }
      await Promise.all(workers.map((worker) => worker.kill()));
      logMeasurement(
        `R-8: attempt ${step} of ${subscriptions} covers, ${kills} kills, ${killedAfter} made when the last one died`,
      );

      expect(await attempts(step)).toEqual([{ attempts: step, covers: subscriptions }]);
      const wrong = await queryRows(
        gateway,
        `select o.id from orders o
          left join simulated_charges c on c.vendor_id = o.vendor_id and c.order_reference = o.id_key and c.status = 'DECLINED'
          where o.vendor_id = ${id} and o.type = 'RECURRING' group by o.id having count(c.*) <> ${step}`,
      );
      expect(wrong).toEqual([]);
    }
    const counted = await queryRows(
      gateway,
      `select sum(cases)::int as cases, sum(lost)::int as lost from recovery_cases where vendor_id = ${id}`,
    );
    expect(counted).toEqual([{ cases: subscriptions, lost: 0 }]);
    const started = await queryRows(
      gateway,
      `select subject_id from event_log where vendor_id = ${id} and trigger = 'startRecovery' group by 1 having count(*) <> 1`,
    );
    expect(started).toEqual([]);
  },
  timeLimitMs(2 * kills + 12),
);
