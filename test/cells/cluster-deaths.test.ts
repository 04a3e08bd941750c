import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { commandsOn, recordOf } from "../commands/command-line.ts";
import { logMeasurement } from "../faults/harness/fault-rounds.ts";
import { createDatabase, openSession } from "../faults/harness/fault-databases.ts";
import { GatewayProcess } from "../faults/harness/gateway-process.ts";
import { waitUntil } from "../faults/harness/wait-until.ts";
import { buildOnce } from "../support/build-once.ts";
import { SECRETS_KEY } from "../support/test-gateway.ts";
import { CellMerchant } from "./cell-merchant.ts";
import { ClusterLoad, createOffer } from "./cluster-load.ts";
import { ClusterNode } from "./cluster-node.ts";

/*
 * Nodes of a Citus cluster on this machine are killed under load: CITUS_URL is its coordinator, CITUS_NODES has the folders of its nodes, the
 * coordinator's first, and CITUS_PROGRAMS the folder of pg_ctl. CITUS_DEATHS is the number of kills.
 */

const clusterUrl = process.env["CITUS_URL"];
const folders = process.env["CITUS_NODES"]?.split(",") ?? [];
const deaths = Number(process.env["CITUS_DEATHS"] ?? 20);
const isOn = clusterUrl !== undefined && folders.length > 0;

const CALLERS = 3;
const RENEWED = 6;
const PAYMENTS_BETWEEN = 8;

test.runIf(isOn)(
  "a cell loses nothing and charges nobody twice while nodes of its cluster die, and another cell goes on",
  async () => {
    await buildOnce();
    const schema = `deaths_${randomBytes(4).toString("hex")}`;
    const home = await createDatabase();
    const settings = { DATABASE_URL: home, SECRETS_KEY: SECRETS_KEY.toString("base64") };
    const gateway = await GatewayProcess.start({ ...settings, ROLE: "both", PORT: "0" });
    recordOf(await commandsOn(settings).cells("add", "cluster", "--url", clusterUrl!, "--schema", schema));
    recordOf(
      await commandsOn(settings).cells(
        "add",
        "plain",
        "--url",
        await createDatabase({ empty: true }),
        "--schema",
        "plain",
      ),
    );
    const open = async (cell: string) => {
      const { vendor, token } = recordOf(
        await commandsOn(settings).vendorCreate("--name", cell, "--sandbox", "--cell", cell),
      );
      return new CellMerchant(gateway.address, token!, vendor!);
    };
    const [merchant, other] = [await open("cluster"), await open("plain")];
    await other.orderSubscription();
    for (let count = 0; count < RENEWED; count++) {
      const { databaseId } = await merchant.orderSubscription();
      expect(await merchant.pay(databaseId)).toBe("SUCCEEDED");
    }
    const load = new ClusterLoad(merchant, await createOffer(merchant));
    load.start(CALLERS);
    const others = { served: 0, failed: 0 };
    const stopping = new AbortController();
    const serving = (async () => {
      for (; !stopping.signal.aborted; await sleep(20)) {
        const answer = await other.rest("GET", "/orders");
        others[answer.status === 200 ? "served" : "failed"]++;
        await answer.text();
      }
    })();
    const nodes = folders.map((folder) => new ClusterNode(folder, process.env["CITUS_PROGRAMS"] ?? ""));
    const away: number[] = [];
    for (let death = 0; death < deaths; death++) {
      await load.waitForPayments(PAYMENTS_BETWEEN);
      // Makes renewals due, which the worker charges while the node dies.
      await merchant.send(`mutation { advanceTestClock(input: { by: "P32D" }) { now } }`);
      await sleep((death % 5) * 200);
      const node = nodes[death % nodes.length]!;
      const killedAt = Date.now();
      await node.kill();
      await node.start();
      await load.waitForPayments(1);
      away.push(Date.now() - killedAt);
    }
    await load.waitForPayments(PAYMENTS_BETWEEN);
    await load.stop();
    stopping.abort();
    await serving;

    const session = openSession(clusterUrl!, { connection: { search_path: `"${schema}", public` } });
    await waitUntil(
      "no payment is open and no renewal is due",
      async () => {
        const [open_] =
          await session`select (select count(*)::int from payments where state not in ('SUCCEEDED', 'FAILED')) as payments,
          (select count(*)::int from subscriptions where lease_until is not null) as leases`;
        return open_!["payments"] === 0 && open_!["leases"] === 0;
      },
      180_000,
    );
    const stored = new Set((await session`select code from orders`).map(({ code }) => code as string));
    expect(load.orders.filter((code) => !stored.has(code))).toEqual([]);
    const paid = new Set(
      (await session`select order_id::int as id from payments where state = 'SUCCEEDED'`).map(({ id }) => id as number),
    );
    expect(load.paidOrderIds.filter((id) => !paid.has(id))).toEqual([]);
    expect(
      await session`select order_id from ledger_entries group by order_id, payment_id, currency having sum(amount) <> 0`,
    ).toHaveLength(0);
    // Of an order, the books of the payment gateway have one charge, and the ledger has the same amount.
    const twice = await session`select order_reference from simulated_charges where status = 'APPROVED'
      group by order_reference having count(*) > 1`;
    expect(twice).toHaveLength(0);
    const [sums] =
      await session`select (select sum(amount) from simulated_charges where status = 'APPROVED')::text as charged,
      (select sum(amount) from ledger_entries where account = 'CLEARING')::text as booked,
      (select count(*)::int from payments where state = 'SUCCEEDED') as payments`;
    expect(Number(sums!["booked"])).toBe(Number(sums!["charged"]));
    expect(others.failed).toBe(0);
    const renewals = Number(sums!["payments"]) - load.paidOrderIds.length;
    logMeasurement(
      `deaths of cluster nodes: ${deaths} (${nodes.length} nodes in turn), ${load.orders.length} orders and ${load.paidOrderIds.length} payments acknowledged, ${renewals} other payments (renewals), ${load.failures} requests sent again, other cell ${others.served} served and ${others.failed} failed; serving again after ${away.map((ms) => (ms / 1000).toFixed(1)).join(", ")} s`,
    );
  },
  1_800_000,
);
