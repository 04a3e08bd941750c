import { beforeAll, describe, expect, test } from "vitest";
import { isLong } from "../support/test-form.ts";
import { buildOnce } from "../support/build-once.ts";
import { LoadBalancer } from "./harness/load-balancer.ts";
import { adminSession, createDatabase, runAdminStatement } from "./harness/fault-databases.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { timeLimitMs, roundCount, logMeasurement } from "./harness/fault-rounds.ts";
import { Haproxy, haproxyProgram } from "./harness/haproxy.ts";
import { RollingLoad } from "./harness/rolling-load.ts";
import { waitUntil } from "./harness/wait-until.ts";

/*
 * two gateways behind a balancer are restarted, or replaced by this version, one after the other, and no caller notices. In the long form
 * also behind HAProxy, where it is installed. OLD_VERSION is the folder of an older version that is built: `git worktree add <folder> <commit>`, then `npm ci` there.
 */

const times = roundCount(1, 10);
/** Long enough for a balancer on a machine that is busy testing to notice that a gateway is not ready any more. */
const DRAIN_SECONDS = "3";
const oldVersion = process.env["OLD_VERSION"];

beforeAll(buildOnce);

/** Ends the load, and expects that nothing failed and that every acknowledged order is there and counted. */
async function expectNoFailure(load: RollingLoad, url: string, name: string, balancerLog = ""): Promise<void> {
  const sent = await load.stop();
  logMeasurement(`${name}: ${sent} requests, answers by status ${JSON.stringify([...load.statuses])}`);
  expect([...load.statuses.keys()].toSorted(), balancerLog).toEqual([200, 201]);
  expect(sent).toBeGreaterThan(100);
  const admin = adminSession(url);
  const [found] = await admin`select count(*)::int as orders from orders where id = any(${load.orderIds})`;
  expect(found?.["orders"]).toBe(load.orderIds.length);
  // Both versions count orders; workers create some meanwhile.
  const orders = async (): Promise<number> => {
    const [row] = await admin`select count(*)::int as orders from orders
      where vendor_id = (select vendor_id from orders where id = ${load.orderIds[0]!})`;
    return row?.["orders"] as number;
  };
  await expect.poll(async () => (await load.countOrders()) - (await orders()), { timeout: 10_000 }).toBe(0);
  await admin.end();
}

test(
  "no request fails while two gateways are restarted in turn behind a balancer",
  async () => {
    const url = await createDatabase();
    const settings = { DATABASE_URL: url, DRAIN_SECONDS };
    const balancer = await LoadBalancer.start();
    const started = async () => {
      const gateway = await GatewayProcess.start(settings);
      balancer.addBackend(gateway.address);
      await waitUntil("the gateway is ready", async () => balancer.isReady(gateway.address));
      return gateway;
    };
    const gateways = [await started(), await started()];
    // A server database brings no key of its own, and none is configured.
    expect(gateways[0]!.output).toContain("SECRETS_KEY is not set");
    const load = new RollingLoad(balancer.address);
    for (let round = 0; round < times; round++) {
      for (const [index, gateway] of gateways.entries()) {
        const { address } = gateway;
        expect(await gateway.stop()).toBe(0);
        balancer.removeBackend(address);
        gateways[index] = await started();
      }
    }
    await expectNoFailure(load, url, `${times} rolling restarts of two gateways`);
    expect(balancer.failures).toEqual([]);
  },
  timeLimitMs(times * 3),
);

describe.runIf(isLong && haproxyProgram !== undefined)("behind HAProxy no request fails while", () => {
  /** Two gateways behind HAProxy, which answers; each can be replaced by another one on its port. */
  async function startBehindHaproxy(url: string, folder?: string) {
    const haproxy = await Haproxy.start(haproxyProgram!);
    // Every process is a worker, too, as by default.
    const start = (port: number, from?: string) =>
      GatewayProcess.start({ DATABASE_URL: url, DRAIN_SECONDS, PORT: String(port), ROLE: "both" }, from);
    const gateways: GatewayProcess[] = [];
    for (const port of haproxy.gatewayPorts) gateways.push(await start(port, folder));
    const isKnown = (index: number) => waitUntil("HAProxy knows the gateway", async () => haproxy.sendsTo(index));
    await isKnown(0);
    await isKnown(1);
    /** Replaces each gateway in turn by one of this version. */
    const replaceAll = async () => {
      for (const [index, port] of haproxy.gatewayPorts.entries()) {
        expect(await gateways[index]!.stop()).toBe(0);
        gateways[index] = await start(port);
        // The other one may stop only then.
        await isKnown(index);
      }
    };
    const stop = () => Promise.all(gateways.map((gateway) => gateway.stop()));
    return { haproxy, address: haproxy.address, replaceAll, stop };
  }

  test(
    "two gateways are restarted in turn",
    async () => {
      const url = await createDatabase();
      const { haproxy, address, replaceAll } = await startBehindHaproxy(url);
      const load = new RollingLoad(address);
      for (let round = 0; round < times; round++) await replaceAll();
      await expectNoFailure(load, url, `${times} rolling restarts behind HAProxy`, haproxy.output);
    },
    timeLimitMs(times * 3),
  );

  test.runIf(oldVersion !== undefined)(
    "two gateways of an older version are replaced by this one, which migrates the database that they serve",
    async () => {
      const template = await createDatabase({ empty: true });
      const [{ pathname }, { username }] = [new URL(template), new URL(template)];
      await (await GatewayProcess.start({ DATABASE_URL: template, ROLE: "both" }, oldVersion)).stop();
      for (let round = 1; round <= times; round++) {
        const url = new URL(template);
        url.pathname = `${pathname}_${round}`;
        const name = url.pathname.slice(1);
        await runAdminStatement(`create database ${name} template ${pathname.slice(1)} owner "${username}"`);
        const { haproxy, address, replaceAll, stop } = await startBehindHaproxy(url.href, oldVersion);
        const load = new RollingLoad(address);
        await replaceAll();
        await expectNoFailure(load, url.href, `rolling upgrade ${round} behind HAProxy`, haproxy.output);
        await stop();
        await runAdminStatement(`drop database ${name} with (force)`);
      }
    },
    timeLimitMs(times * 4),
  );
});
