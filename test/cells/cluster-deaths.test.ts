import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { commandsOn, recordOf } from "../commands/command-line.ts";
import { logMeasurement } from "../faults/harness/fault-rounds.ts";
import { createDatabase, openSession } from "../faults/harness/fault-databases.ts";
import { GatewayProcess, type GatewayEnvironment } from "../faults/harness/gateway-process.ts";
import { waitUntil } from "../faults/harness/wait-until.ts";
import { buildOnce } from "../support/build-once.ts";
import { SECRETS_KEY } from "../support/test-gateway.ts";
import { findWrongCharges } from "./cell-books.ts";
import { CellMerchant } from "./cell-merchant.ts";
import { ClusterLoad, createOffer } from "./cluster-load.ts";
import { ClusterNode } from "./cluster-node.ts";

/*
 * The gateway, the worker and, in turn, each node of a Citus cluster on this machine are killed under load: CITUS_URL is the coordinator,
 * CITUS_NODES has the folders of the nodes, the coordinator's first, and CITUS_PROGRAMS the folder of pg_ctl. CITUS_DEATHS is the number
 * of kills.
 */

const clusterUrl = process.env["CITUS_URL"];
const folders = process.env["CITUS_NODES"]?.split(",") ?? [];
const deaths = Number(process.env["CITUS_DEATHS"] ?? 20);
const isOn = clusterUrl !== undefined && folders.length > 0;

const CALLERS = 3;
const RENEWED = 6;
const PAYMENTS_BETWEEN = 8;

/** What is killed and started again. */
interface Mortal {
  name: string;
  isGateway: boolean;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** A gateway or a worker that is started again with the same settings, a gateway on the same port. */
async function startProcess(name: string, settings: GatewayEnvironment): Promise<Mortal & { address: string }> {
  const isGateway = settings["ROLE"] === "gateway";
  const launch = async (port: string) => {
    const started = GatewayProcess.launch({ ...settings, DEMO_DATA: "false", PORT: port });
    if (isGateway) await started.waitUntilReady();
    else await waitUntil("the worker has started", async () => started.output.includes("Recoup works"), 90_000);
    return started;
  };
  let running = await launch("0");
  const address = isGateway ? running.address : "";
  return {
    ...{ name, isGateway, address },
    kill: () => running.kill(),
    start: async () => void (running = await launch(isGateway ? new URL(address).port : "0")),
  };
}

test.runIf(isOn)(
  "cells lose nothing and charge nobody twice while a gateway, a worker and nodes of the cluster die, and a plain cell goes on",
  async () => {
    await buildOnce();
    const schema = `deaths_${randomBytes(4).toString("hex")}`;
    const [home, plainUrl] = [await createDatabase(), await createDatabase({ empty: true })];
    const settings = { DATABASE_URL: home, SECRETS_KEY: SECRETS_KEY.toString("base64") };
    recordOf(await commandsOn(settings).cells("add", "cluster", "--url", clusterUrl!, "--schema", schema));
    recordOf(await commandsOn(settings).cells("add", "plain", "--url", plainUrl, "--schema", "plain"));
    const gateway = await startProcess("gateway", { ...settings, ROLE: "gateway" });
    const worker = await startProcess("worker", { ...settings, ROLE: "worker" });
    const nodes = folders.map((folder, index): Mortal => {
      const node = new ClusterNode(folder, process.env["CITUS_PROGRAMS"] ?? "");
      const name = index === 0 ? "coordinator" : `node ${index}`;
      return { name, isGateway: false, kill: () => node.kill(), start: () => node.start() };
    });
    const mortals: Mortal[] = [...nodes, gateway, worker];

    const open = async (cell: string) => {
      const words = ["--name", cell, "--sandbox", "--cell", cell];
      const { vendor, token } = recordOf(await commandsOn(settings).vendorCreate(...words));
      return new CellMerchant(gateway.address, token!, vendor!);
    };
    const merchants = { cluster: await open("cluster"), plain: await open("plain") };
    const places = { cluster: { url: clusterUrl!, schema }, plain: { url: plainUrl, schema: "plain" } };
    const names = ["cluster", "plain"] as const;
    const loads = {} as Record<(typeof names)[number], ClusterLoad>;
    for (const name of names) {
      for (let count = 0; count < RENEWED; count++) {
        const { databaseId } = await merchants[name].orderSubscription();
        expect(await merchants[name].pay(databaseId)).toBe("SUCCEEDED");
      }
      loads[name] = new ClusterLoad(merchants[name], await createOffer(merchants[name]));
    }
    for (const name of names) loads[name].start(CALLERS);

    // Reads of the plain cell, which only the death of the gateway may end.
    const reads = { served: 0, failed: 0, withoutGateway: 0 };
    const stopping = new AbortController();
    const gatewayLife = { deaths: 0, isDown: false };
    const reading = (async () => {
      for (; !stopping.signal.aborted; await sleep(20)) {
        const { deaths: before, isDown: wasDown } = gatewayLife;
        const status = await merchants.plain
          .rest("GET", "/orders")
          .then(async (answer) => {
            await answer.text();
            return answer.status;
          })
          .catch(() => 0);
        if (wasDown || gatewayLife.isDown || before !== gatewayLife.deaths) reads.withoutGateway++;
        else reads[status === 200 ? "served" : "failed"]++;
      }
    })();

    const away = new Map<string, number[]>(mortals.map(({ name }) => [name, []]));
    for (let death = 0; death < deaths; death++) {
      await loads.cluster.waitForPayments(PAYMENTS_BETWEEN);
      // Makes renewals due, which the worker charges at the time of the kill.
      for (const name of names)
        await merchants[name].send(`mutation { advanceTestClock(input: { by: "P32D" }) { now } }`);
      await sleep((death % 5) * 200);
      const mortal = mortals[death % mortals.length]!;
      const killedAt = Date.now();
      if (mortal.isGateway) Object.assign(gatewayLife, { deaths: gatewayLife.deaths + 1, isDown: true });
      await mortal.kill();
      await mortal.start();
      if (mortal.isGateway) gatewayLife.isDown = false;
      for (const name of names) await loads[name].waitForPayments(1);
      away.get(mortal.name)!.push(Date.now() - killedAt);
    }
    for (const name of names) await loads[name].waitForPayments(PAYMENTS_BETWEEN);
    for (const name of names) await loads[name].stop();
    stopping.abort();
    await reading;

    const figures: string[] = [];
    for (const name of names) {
      const { url, schema: cell } = places[name];
      const session = openSession(url, { connection: { search_path: `"${cell}", public` } });
      // A charge of a worker that died is looked up when its lease has ended by the clock of the vendor.
      let turn = 0;
      await waitUntil(
        "no payment is open and no renewal is claimed",
        async () => {
          if (++turn % 20 === 0)
            await merchants[name].send(`mutation { advanceTestClock(input: { by: "PT2M" }) { now } }`);
          await sleep(250);
          const [left] =
            await session`select (select count(*)::int from payments where state not in ('SUCCEEDED', 'FAILED')) as payments,
            (select count(*)::int from subscriptions where status = 'QUEUEING') as claimed`;
          return left!["payments"] === 0 && left!["claimed"] === 0;
        },
        240_000,
      );
      const stored = new Set((await session`select code from orders`).map(({ code }) => code as string));
      expect(loads[name].orders.filter((code) => !stored.has(code))).toEqual([]);
      const paidIds = await session`select order_id::int as id from payments where state = 'SUCCEEDED'`;
      const paid = new Set(paidIds.map(({ id }) => id as number));
      expect(loads[name].paidOrderIds.filter((id) => !paid.has(id))).toEqual([]);
      expect(await findWrongCharges(session, cell)).toEqual([]);
      figures.push(
        `${name}: ${loads[name].orders.length} orders and ${loads[name].paidOrderIds.length} payments acknowledged, ${paidIds.length - loads[name].paidOrderIds.length} other payments, ${loads[name].failures} requests sent again`,
      );
    }
    expect(reads.failed).toBe(0);
    expect(reads.served).toBeGreaterThan(0);
    const seconds = [...away].map(
      ([name, times]) => `${name} ${times.map((ms) => (ms / 1_000).toFixed(1)).join(", ")}`,
    );
    logMeasurement(
      `${deaths} deaths under load; ${figures.join("; ")}; pages of the plain cell: ${reads.served} served, ${reads.failed} failed, ${reads.withoutGateway} without a gateway; both cells served again after (s) ${seconds.join("; ")}`,
    );
  },
  1_800_000,
);
