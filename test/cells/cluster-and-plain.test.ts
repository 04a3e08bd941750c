import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { commandsOn, recordOf } from "../commands/command-line.ts";
import { createDatabase, openSession } from "../faults/harness/fault-databases.ts";
import { logMeasurement } from "../faults/harness/fault-rounds.ts";
import { GatewayProcess } from "../faults/harness/gateway-process.ts";
import { waitUntil } from "../faults/harness/wait-until.ts";
import { buildOnce } from "../support/build-once.ts";
import type { RawData } from "../support/raw-data.ts";
import { SECRETS_KEY } from "../support/test-gateway.ts";
import { testCards } from "../support/test-payments.ts";
import { verifyWebhook, WebhookReceiver } from "../support/webhook-receiver.ts";
import { findWrongCharges } from "./cell-books.ts";
import { CellMerchant } from "./cell-merchant.ts";
import { ClusterLoad, createOffer } from "./cluster-load.ts";

/*
 * One gateway and two workers with three cells: two are schemas of the Citus cluster at CITUS_URL, the third is a database of a plain
 * server. A family in each lives through a recovery, a checkout and renewals, and gets webhooks; then a cell of the cluster is moved
 * under the load of all three. CITUS_MOVES is the number of moves.
 */

const clusterUrl = process.env["CITUS_URL"];
const moves = Number(process.env["CITUS_MOVES"] ?? 2);
/** Callers of each cell while a cell is moved. */
const CALLERS = 2;
const PAYMENTS_BETWEEN = 5;
const MOVE_LIMIT_MS = 180_000;

const names = ["first", "second", "plain"] as const;
type Name = (typeof names)[number];

describe.runIf(clusterUrl !== undefined)("two cells of a cluster and one of a plain server", () => {
  const suffix = randomBytes(4).toString("hex");
  const schemas = { first: `first_${suffix}`, second: `second_${suffix}`, plain: "plain" };
  const places = {} as Record<Name, string>;
  const merchants = {} as Record<Name, CellMerchant>;
  const webhookSecrets = {} as Record<Name, string>;
  let settings: Record<string, string>;
  let gateway: GatewayProcess;
  let receiver: WebhookReceiver;

  const advanceClock = (name: Name, by: string) =>
    merchants[name].query("mutation ($by: Duration!) { advanceTestClock(input: { by: $by }) { now } }", { by });

  const cells = (...words: string[]) => commandsOn(settings, MOVE_LIMIT_MS).cells(...words);

  /** Another node of the cluster than the one that has a schema. */
  async function findOtherNode(schema: string): Promise<string> {
    const [node] = await openSession(clusterUrl!)`select nodename || ':' || nodeport as address from pg_dist_node
      where isactive and shouldhaveshards and (nodename, nodeport) not in
        (select nodename, nodeport from citus_shards where table_name::text = ${`${schema}.orders`})`;
    return node!["address"] as string;
  }

  /** Makes the role of a cell on each node, as a database that was dropped has left it: the cell's database has not heard of it. */
  async function leaveRole(schema: string, number: number): Promise<void> {
    const database = new URL(clusterUrl!).pathname.slice(1);
    const hash = createHash("sha256").update(database).digest("hex").slice(0, 8);
    for (const { host, port } of await openSession(
      clusterUrl!,
    )`select nodename as host, nodeport as port from pg_dist_node`) {
      const url = Object.assign(new URL(clusterUrl!), {
        hostname: host as string,
        port: String(port),
        pathname: "postgres",
      });
      await openSession(url.href).unsafe(`create role "recoup_${schema}_${number}_${hash}"`);
    }
  }

  const readRest = async (name: Name, method: string, path: string, body?: object): Promise<RawData> => {
    const response = await merchants[name].rest(method, path, body);
    expect(response.status).toBeLessThan(300);
    return response.json();
  };

  beforeAll(async () => {
    await buildOnce();
    receiver = await WebhookReceiver.start();
    const plainUrl = await createDatabase({ empty: true });
    Object.assign(places, { first: clusterUrl!, second: clusterUrl!, plain: plainUrl });
    settings = { DATABASE_URL: await createDatabase(), SECRETS_KEY: SECRETS_KEY.toString("base64") };
    const environment = { ...settings, DEMO_DATA: "false", WEBHOOK_ALLOW_PRIVATE: "true" };
    gateway = await GatewayProcess.start({ ...environment, ROLE: "gateway" });
    await leaveRole(schemas.second, 2);
    for (const name of names) recordOf(await cells("add", name, "--url", places[name], "--schema", schemas[name]));
    for (const role of ["worker", "worker"]) GatewayProcess.launch({ ...environment, ROLE: role });
    for (const name of names) {
      const words = ["--name", `Beans of ${name}`, "--sandbox", "--cell", name];
      const { vendor, token } = recordOf(await commandsOn(settings).vendorCreate(...words));
      merchants[name] = new CellMerchant(gateway.address, token!, vendor!);
      const endpoint = await merchants[name].query(
        "mutation ($url: String!) { createWebhookEndpoint(input: { url: $url }) { secret } }",
        { url: `${receiver.origin}/${name}` },
      );
      webhookSecrets[name] = endpoint.createWebhookEndpoint.secret;
    }
  }, 300_000);

  describe.each(names)("the family in %s", (name) => {
    test("has a payment that failed elsewhere, whose retries are scheduled until one is paid", async () => {
      const post = (path: string, body: object) => readRest(name, "POST", path, body);
      const customer = await post("/cover/customer", {
        ...{ name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678", partnerCustomerId: "kim" },
      });
      const product = await post("/cover/product", { name: "House blend", partnerProductId: "blend" });
      const price = await post("/cover/price", {
        ...{ name: "Monthly", productId: product.id, price: 18_900, partnerPriceId: "monthly" },
        recurringInterval: "MONTH",
      });
      const subscription = await post("/cover/subscription", {
        customerId: customer.id,
        currentPeriodStart: "2026-02-01T00:00:00Z",
        currentPeriodEnd: "2026-03-01T00:00:00Z",
        ...{ recurringInterval: "MONTH", recurringIntervalCount: 1, partnerSubscriptionId: "kim's" },
      });
      const order = await post("/cover/order", {
        ...{ customerId: customer.id, subscriptionId: subscription.id, amount: 18_900, partnerOrderId: "order-1" },
        items: [{ priceId: price.id, quantity: 1 }],
      });
      const failure = { subscriptionId: subscription.id, orderId: order.id, errorCode: "51" };
      const started = await post("/cover/recovery", failure);
      expect(started).toMatchObject({ coverId: expect.any(Number), retryDate: expect.any(String) });
      // A repeat changes nothing; the failure of the retry brings the next one.
      expect(await post("/cover/recovery", failure)).toEqual(started);
      await advanceClock(name, "P1D");
      const second = await post("/cover/recovery", failure);
      expect(second.coverId).toBe(started.coverId);
      expect(Date.parse(second.retryDate)).toBeGreaterThan(Date.parse(started.retryDate));
      await advanceClock(name, "P2D");
      expect(await readRest(name, "PATCH", `/cover/order/success/${order.id}`)).toMatchObject({
        ...{ status: "PAID", retryDate: null },
      });
    });

    test("has a payer who opens the page of an order and pays there by card", async () => {
      const { code } = await merchants[name].orderSubscription();
      const link = await fetch(`${gateway.address}/api/public/orders/${code}/pay`, { redirect: "manual" });
      expect(link.status).toBe(302);
      const location = link.headers.get("location")!;
      const page = await (await fetch(location)).text();
      const hidden = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
      const fields = hidden.map(([, field, value]) => [field!, value!] as [string, string]);
      const typed = { action: "pay", method: "CARD", number: testCards.approved, expiry: "12/31" };
      const paid = await fetch(location, {
        method: "POST",
        redirect: "manual",
        headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
        body: new URLSearchParams({ ...Object.fromEntries(fields), ...typed }),
      });
      expect(paid.status).toBe(303);
      const { order } = await merchants[name].query(`{ order(code: "${code}") { leftAmount paidAmount } }`);
      expect(order).toEqual({ leftAmount: "18900", paidAmount: "18900" });
    });

    test("has a subscription whose card is declined at the renewal, and whose third retry a worker makes is paid", async () => {
      const { databaseId } = await merchants[name].orderSubscription();
      expect(await merchants[name].pay(databaseId, testCards.recoversOnThirdRetry)).toBe("SUCCEEDED");
      const { order } = await merchants[name].query(`{ order(id: "${databaseId}") { subscriptions { databaseId } } }`);
      const id = order.subscriptions[0].databaseId as number;
      const readSubscription = async () =>
        (
          await merchants[name].query(
            `{ subscription(id: "${id}") { status renewalCount covers(first: 1) { nodes { decision { retryDate } } } } }`,
          )
        ).subscription;
      expect(await readSubscription()).toMatchObject({ status: "ACTIVE", renewalCount: 1 });
      await advanceClock(name, "P31D");
      await waitUntil("the renewal was declined", async () => (await readSubscription()).status === "UNPAID", 90_000);
      /* The clock moves by a day when no retry is due, so that each retry is made at its own date. The decision names the date that a
         worker has still to keep; the cover's own `retryDate` names the one after it as soon as that date has come. */
      for (let day = 0; day < 40 && (await readSubscription()).status === "UNPAID"; day++) {
        const { advanceTestClock } = await advanceClock(name, "P1D");
        await waitUntil(
          "no retry is due",
          async () => {
            const { status, covers } = await readSubscription();
            return status !== "UNPAID" || covers.nodes[0].decision.retryDate > advanceTestClock.now;
          },
          90_000,
        );
      }
      expect(await readSubscription()).toMatchObject({ status: "ACTIVE", renewalCount: 2 });
    }, 300_000);

    test("gets a signed webhook of each kind of event", async () => {
      const wanted = ["cover.started", "order.paid", "subscription.unpaid", "subscription.recovered"];
      const received = () => receiver.received.filter(({ path }) => path === `/${name}`);
      await waitUntil(
        "webhooks came",
        async () => {
          const types = new Set(received().map(({ message }) => message.type));
          return wanted.every((type) => types.has(type));
        },
        120_000,
      );
      for (const webhook of received()) verifyWebhook(webhookSecrets[name], webhook);
    }, 180_000);

    test("has a ledger that balances, and no order that was charged twice", async () => {
      expect(await findWrongCharges(openSession(places[name]), schemas[name])).toEqual([]);
    });
  });

  test("no request of any cell fails while a cell of the cluster is moved to another node", async () => {
    const loads = {} as Record<Name, ClusterLoad>;
    for (const name of names) loads[name] = new ClusterLoad(merchants[name], await createOffer(merchants[name]));
    const reads = { served: 0, failed: 0, slowestMs: 0 };
    const stopping = new AbortController();
    const reading = Promise.all(
      names.map(async (name) => {
        for (; !stopping.signal.aborted; await sleep(20)) {
          const startedAt = performance.now();
          const answer = await merchants[name].rest("GET", "/orders");
          reads[answer.status === 200 ? "served" : "failed"]++;
          await answer.text();
          reads.slowestMs = Math.max(reads.slowestMs, performance.now() - startedAt);
        }
      }),
    );
    for (const name of names) loads[name].start(CALLERS);
    const took: number[] = [];
    for (let move = 0; move < moves; move++) {
      for (const name of names) await loads[name].waitForPayments(PAYMENTS_BETWEEN);
      const { milliseconds } = recordOf(
        await cells("move", "first", "--to-node", await findOtherNode(schemas.first), "--as-url", clusterUrl!),
      );
      took.push(Number(milliseconds));
    }
    for (const name of names) await loads[name].waitForPayments(PAYMENTS_BETWEEN);
    for (const name of names) await loads[name].stop();
    stopping.abort();
    await reading;

    expect(names.map((name) => loads[name].failures)).toEqual([0, 0, 0]);
    expect(reads.failed).toBe(0);
    for (const name of names) {
      const session = openSession(places[name]);
      const stored = await session.unsafe(`select code from "${schemas[name]}".orders`);
      const codes = new Set(stored.map(({ code }) => code as string));
      expect(loads[name].orders.filter((code) => !codes.has(code))).toEqual([]);
      expect(await findWrongCharges(session, schemas[name])).toEqual([]);
    }
    const counts = names.map(
      (name) =>
        `${name} ${loads[name].orders.length} orders and ${loads[name].paidOrderIds.length} payments, the slowest request ${Math.round(loads[name].slowestMs)} ms`,
    );
    logMeasurement(
      `a cell of a cluster moved ${moves} times under load (${took.join(", ")} ms): ${counts.join("; ")}; ${reads.served} pages read, the slowest ${Math.round(reads.slowestMs)} ms; 0 failed`,
    );
  }, 900_000);
});
