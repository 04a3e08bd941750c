import type { ReservedSql } from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { startGateway } from "../support/test-gateway.ts";
import { minimalOrder, registerCoverOrder, registerCoverFixture } from "../support/cover-fixture.ts";
import { buildOnce } from "../support/build-once.ts";
import { findInconsistencies } from "./harness/consistency-checker.ts";
import {
  customerBody,
  keyedRequest,
  createFaultFixture,
  orderBody,
  sendRequest,
  sendUntilAccepted,
  type LoggedRequest,
  type RequestAttempt,
} from "./harness/fault-client.ts";
import { adminSession, runAdminStatement, createDatabase, withSetting } from "./harness/fault-databases.ts";
import { GatewayProcess, TOKEN } from "./harness/gateway-process.ts";
import { timeLimitMs } from "./harness/fault-rounds.ts";
import { waitUntil } from "./harness/wait-until.ts";

/* the database is there and does not do what it is asked: no connection is free, a lock is not to be had. */

const small = await startGateway({ connections: 2 });

test("with a pool of 2 connections a hundred requests at once wait for each other, and none waits for ever", async () => {
  const shop = await registerCoverFixture(small);
  const orders = await Promise.all(Array.from({ length: 25 }, () => registerCoverOrder(small, shop)));
  const requests = orders.flatMap(({ id: orderId }, index) => {
    const report = { subscriptionId: shop.subscriptionId, orderId, errorCode: "51" };
    const key = { headers: { "idempotency-key": `pool-${index}` } };
    return [
      small.post("/cover/recovery", report),
      small.post("/cover/recovery", report, key),
      small.post("/cover/order", minimalOrder(shop)),
      small
        .queryData("query ($id: ID!) { coverOrder(id: $id) { customer { name } covers { nodes { state } } } }", {
          id: orderId,
        })
        .then(() => ({ status: 201 })),
    ];
  });
  expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(requests.map(() => 201));
});

/** Far below the 15 seconds that the gateway asks for, so that the tests need not wait as long. */
const STATEMENT_LIMIT_MS = "1000";

interface Stage {
  gateway: GatewayProcess;
  admin: ReturnType<typeof adminSession>;
  /** A report that has an order of its own. */
  report: Omit<LoggedRequest, "attempts">;
  /** A session that can hold what the gateway wants. */
  rival: ReservedSql;
}

/** A gateway on a database; `databaseSetting` is what only an administrator may set. */
async function stage(settings: Record<string, string> = {}, databaseSetting?: string): Promise<Stage> {
  let url = await createDatabase();
  if (databaseSetting)
    await runAdminStatement(`alter database ${new URL(url).pathname.slice(1)} set ${databaseSetting}`);
  for (const [name, value] of Object.entries(settings)) url = withSetting(url, name, value);
  const gateway = await GatewayProcess.start({ DATABASE_URL: url });
  const shop = await createFaultFixture(gateway.address);
  const { id: orderId } = await sendUntilAccepted(gateway.address, "/cover/order", orderBody(shop));
  const admin = adminSession(url);
  const report = keyedRequest("/cover/recovery", { subscriptionId: shop.subscriptionId, orderId, errorCode: "51" });
  return { gateway, admin, report, rival: await admin.reserve() };
}

/** How many sessions of the gateway's wait for a lock. */
const sessionsWaiting = async ({ admin }: Stage): Promise<number> =>
  (
    await admin`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name = 'recoup'`
  ).length;

/** Waits until a session of the gateway's waits for a lock. */
const gatewayWaits = (here: Stage) =>
  waitUntil("the gateway waits for a lock", async () => (await sessionsWaiting(here)) > 0);

/** Taken after all, or put off in words of the contract: nothing of the database's own, and never 500. */
function expectCivil(answer: RequestAttempt): void {
  expect([201, 409, 503], JSON.stringify(answer)).toContain(answer.status);
  if (answer.status === 201) return;
  expect(answer.body).toMatchObject({
    errorCode: expect.any(String),
    errorMessage: expect.any(String),
    traceId: expect.any(String),
  });
  expect(JSON.stringify(answer.body)).not.toMatch(
    /select|insert|deadlock|serialize|statement timeout|canceling|relation|postgres/i,
  );
  if (answer.status === 503) expect(answer.retryAfter).toBe("1");
}

/** The same request goes through when the trouble is over, and has one effect. */
async function expectRecovered({ gateway, admin, report }: Stage): Promise<void> {
  let answer: RequestAttempt = {};
  await waitUntil(
    "the request is taken",
    async () => (answer = await sendRequest(gateway.address, report)).status === 201,
  );
  expect(gateway.isRunning).toBe(true);
  expect(await findInconsistencies(admin, [{ ...report, attempts: [], acknowledged: answer.body }])).toEqual([]);
}

beforeAll(buildOnce);

describe.concurrent(
  "a gateway answers 503 or does it again, and later works as before, when",
  // Five gateways start at once.
  { timeout: timeLimitMs(5) },
  () => {
    test("a lock is held for longer than a statement may take, and the waiting fill the pool", async () => {
      const here = await stage({ statement_timeout: STATEMENT_LIMIT_MS });
      const { gateway, report, rival } = here;
      await rival`begin`;
      await rival`select from cover_orders where id = ${report.body.orderId} for update`;
      const unkeyed = { ...report, key: undefined };
      const stuck = Array.from({ length: 20 }, () => sendRequest(gateway.address, unkeyed));
      await gatewayWaits(here);
      // Whoever wants something else waits for a connection, and is answered too.
      const answers = [
        await sendRequest(gateway.address, keyedRequest("/cover/customer", customerBody())),
        ...(await Promise.all(stuck)),
      ];
      await rival`rollback`;
      rival.release();
      answers.forEach(expectCivil);
      await expectRecovered(here);
    });

    test("statements that hang hold every connection that a vendor may have, for as long as they may", async () => {
      const here = await stage();
      const { gateway, report, rival } = here;
      await rival`begin`;
      await rival`select from cover_orders where id = ${report.body.orderId} for update`;
      const stuck = Array.from({ length: 10 }, () => sendRequest(gateway.address, { ...report, key: undefined }));
      // Of ten connections some are left for others.
      await waitUntil("the vendor's connections wait for the lock", async () => (await sessionsWaiting(here)) >= 7);
      const asked = Date.now();
      const [byRest, byGraphQL, ready] = await Promise.all([
        sendRequest(gateway.address, keyedRequest("/cover/customer", customerBody())),
        fetch(`${gateway.address}/graphql`, {
          method: "POST",
          headers: { "secret-token": TOKEN, "content-type": "application/json" },
          body: JSON.stringify({ query: "{ vendor { name } }" }),
        }),
        fetch(`${gateway.address}/readyz`),
      ]);
      // Before a statement gives up, so it is not the end of one that let them go.
      expect(Date.now() - asked).toBeLessThan(12_000);
      expect(byRest).toMatchObject({ status: 503, retryAfter: "1", body: { errorCode: "UNAVAILABLE" } });
      expect({ status: byGraphQL.status, retryAfter: byGraphQL.headers.get("retry-after") }).toEqual({
        status: 503,
        retryAfter: "1",
      });
      expect(((await byGraphQL.json()) as any).errors[0].extensions.code).toBe("UNAVAILABLE");
      expect(ready.status).toBe(200);
      await rival`rollback`;
      rival.release();
      (await Promise.all(stuck)).forEach(expectCivil);
      expect((await fetch(`${gateway.address}/readyz`)).status).toBe(200);
      await expectRecovered(here);
    });

    test("it is the victim of a deadlock", async () => {
      const here = await stage({}, "deadlock_timeout = '3s'");
      const { gateway, report, rival } = here;
      // The rival has more patience, so that it is the gateway that gives way.
      await rival`set deadlock_timeout = '30s'`;
      await rival`begin`;
      await rival`select from cover_orders where id = ${report.body.orderId} for update`;
      const answer = sendRequest(gateway.address, report);
      await gatewayWaits(here);
      await rival`select from cover_subscriptions where id = ${report.body.subscriptionId} for update`;
      await rival`rollback`;
      rival.release();
      expectCivil(await answer);
      await expectRecovered(here);
    });

    test("the database cannot serialize its work with that of another", async () => {
      // Read committed never fails so; an operator may have set more for the whole database.
      const here = await stage({ default_transaction_isolation: "repeatable read" });
      const { gateway, report, rival } = here;
      await rival`begin`;
      await rival`update cover_orders set modified_at = now() where id = ${report.body.orderId}`;
      const answer = sendRequest(gateway.address, report);
      await gatewayWaits(here);
      await rival`commit`;
      rival.release();
      expectCivil(await answer);
      await expectRecovered(here);
    });

    test("an administrator ends its session in the middle of a request", async () => {
      const here = await stage();
      const { admin, gateway, report, rival } = here;
      await rival`begin`;
      await rival`select from cover_orders where id = ${report.body.orderId} for update`;
      const answer = sendRequest(gateway.address, report);
      await gatewayWaits(here);
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'recoup' and wait_event_type = 'Lock'`;
      expectCivil(await answer);
      await rival`rollback`;
      rival.release();
      await expectRecovered(here);
    });

    test("the server has no connection left for it", async () => {
      const here = await stage();
      const { admin, gateway, rival } = here;
      const [row] = await admin`select current_database() as name`;
      rival.release();
      await runAdminStatement(`alter database ${String(row!["name"])} connection limit 1`);
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'recoup'`;
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => sendRequest(gateway.address, keyedRequest("/cover/customer", customerBody()))),
      );
      answers.forEach(expectCivil);
      expect(answers.some(({ status }) => status === 503)).toBe(true);
      await runAdminStatement(`alter database ${String(row!["name"])} connection limit -1`);
      await expectRecovered(here);
    });
  },
);
