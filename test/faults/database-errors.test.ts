import type { ReservedSql } from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import type { GraphQLRefusal } from "../support/refusal-values.ts";
import { startGateway } from "../support/test-gateway.ts";
import { minimalOrder, registerCoverOrder, registerCoverFixture } from "../support/fixtures/cover-fixture.ts";
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

/* the database is up but cannot do its work: no connection is free, or a lock is not available. */

const small = await startGateway({ connections: 2 });

test("with a pool of 2 connections a hundred requests at once wait for each other, and none waits forever", async () => {
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

/** Far below the 15 seconds that the gateway sets, so that the tests need not wait as long. */
const STATEMENT_LIMIT_MS = "1000";

interface Stage {
  gateway: GatewayProcess;
  admin: ReturnType<typeof adminSession>;
  /** A report of a failure for an order of its own. */
  report: Omit<LoggedRequest, "attempts">;
  /** A session that can lock what the gateway needs. */
  rival: ReservedSql;
}

/** A gateway on a database; `databaseSetting` is a setting that only an administrator may change. */
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

/** How many sessions of the gateway wait for a lock. */
const sessionsWaiting = async ({ admin }: Stage): Promise<number> =>
  (
    await admin`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name = 'recoup'`
  ).length;

/** Waits until a session of the gateway waits for a lock. */
const gatewayWaits = (here: Stage) =>
  waitUntil("the gateway waits for a lock", async () => (await sessionsWaiting(here)) > 0);

/** The request succeeds after all, or is refused in the contract's words: no text of the database, and never 500. */
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

/** The same request succeeds when the failure is over, and has one effect. */
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
  "a gateway answers 503 or retries by itself, and later works as before, when",
  // Five gateways start at once.
  { timeout: timeLimitMs(5) },
  () => {
    test("a row stays locked for longer than a statement may take, and the waiting requests fill the pool", async () => {
      const here = await stage({ statement_timeout: STATEMENT_LIMIT_MS });
      const { gateway, report, rival } = here;
      await rival`begin`;
      await rival`select from cover_orders where id = ${report.body.orderId} for update`;
      const unkeyed = { ...report, key: undefined };
      const stuck = Array.from({ length: 20 }, () => sendRequest(gateway.address, unkeyed));
      await gatewayWaits(here);
      // Other requests wait for a connection, and are answered too.
      const answers = [
        await sendRequest(gateway.address, keyedRequest("/cover/customer", customerBody())),
        ...(await Promise.all(stuck)),
      ];
      await rival`rollback`;
      rival.release();
      answers.forEach(expectCivil);
      await expectRecovered(here);
    });

    test("statements that hang occupy every connection that a vendor may use, for as long as they may", async () => {
      const here = await stage();
      const { gateway, report, rival } = here;
      await rival`begin`;
      await rival`select from cover_orders where id = ${report.body.orderId} for update`;
      const stuck = Array.from({ length: 10 }, () => sendRequest(gateway.address, { ...report, key: undefined }));
      // Of ten connections some stay free for other vendors.
      await waitUntil("the vendor's connections wait for the lock", async () => (await sessionsWaiting(here)) >= 7);
      const asked = Date.now();
      const [byRest, byGraphQL, ready] = await Promise.all([
        sendRequest(gateway.address, keyedRequest("/cover/customer", customerBody())),
        fetch(`${gateway.address}/graphql`, {
          method: "POST",
          headers: { "secret-token": TOKEN, "content-type": "application/json" },
          body: JSON.stringify({ query: "{ coverOrders(first: 1) { nodes { databaseId } } }" }),
        }),
        fetch(`${gateway.address}/readyz`),
      ]);
      // This is before the statement timeout, so the requests were not answered because a connection was released.
      expect(Date.now() - asked).toBeLessThan(12_000);
      expect(byRest).toMatchObject({ status: 503, retryAfter: "1", body: { errorCode: "UNAVAILABLE" } });
      expect({ status: byGraphQL.status, retryAfter: byGraphQL.headers.get("retry-after") }).toEqual({
        status: 503,
        retryAfter: "1",
      });
      expect(((await byGraphQL.json()) as { errors: GraphQLRefusal[] }).errors[0]!.extensions.code).toBe("UNAVAILABLE");
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
      // The other session's deadlock_timeout is longer, so that the gateway is the one that is cancelled.
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

    test("the database cannot serialize its transaction with another", async () => {
      // Read committed never fails this way; an operator may have set a stricter level for the whole database.
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

    test("the server has no free connection for it", async () => {
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
