import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { request } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { build } from "../support/build-once.ts";
import { check } from "./harness/consistency-checker.ts";
import { finallyDo } from "./harness/cleanup.ts";
import { customerBody, keyed, openShop, orderBody, send, take, type Entry, type Shop } from "./harness/fault-client.ts";
import { makeDatabase, session } from "./harness/fault-databases.ts";
import { GatewayProcess, TOKEN } from "./harness/gateway-process.ts";
import { limit, rounds } from "./harness/fault-rounds.ts";

/* the gateway did the work, and its caller cannot know. */

let gateway: GatewayProcess;
let url: string;
let shop: Shop;
let throughProxy: string;

beforeAll(async () => {
  await build();
  url = await makeDatabase();
  gateway = await GatewayProcess.start({ DATABASE_URL: url });
  shop = await openShop(gateway.address);
  throughProxy = await openDroppingProxy(gateway.address);
});

/** A proxy that lets requests pass and breaks the connection in place of the answer: by then the work is committed. */
async function openDroppingProxy(address: string): Promise<string> {
  const { hostname, port } = new URL(address);
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream);
    upstream.once("data", () => client.destroy());
    for (const socket of [client, upstream]) {
      socket.on("error", () => undefined);
      socket.on("close", () => [client, upstream].forEach((each) => each.destroy()));
    }
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  finallyDo(async () => proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

const requests: [name: string, make: () => Promise<Omit<Entry, "tries">>][] = [
  ["a customer", async () => keyed("/cover/customer", customerBody())],
  ["an order", async () => keyed("/cover/order", orderBody(shop))],
  [
    "an order whose payment failed",
    async () => keyed("/cover/order", { ...orderBody(shop), paymentFailed: true, errorCode: "51" }),
  ],
  ["a failed payment", async () => keyed("/cover/recovery", await reportBody())],
];

async function reportBody(): Promise<object> {
  const { id: orderId } = await take(gateway.address, "/cover/order", orderBody(shop));
  return { subscriptionId: shop.subscriptionId, orderId, errorCode: "51" };
}

const count = async (table: string): Promise<number> => {
  const sql = session(url);
  const [row] = await sql.unsafe(`select count(*)::int as rows from ${table}`);
  await sql.end();
  return row!["rows"];
};

const tables = ["cover_customers", "cover_orders", "covers", "cover_attempts", "cover_events", "idempotency_keys"];
const everything = () => Promise.all(tables.map(count));

describe("the answer is lost after the commit, and the repeat", () => {
  test.each(requests)(
    "of %s with the same key is given the first answer and has no effect of its own",
    async (_name, make) => {
      const entry = await make();
      const before = await everything();
      expect(await send(throughProxy, entry)).toEqual({});
      const after = await everything();
      // The proxy waited for the answer, so the work is done: else this would be an ordinary first request.
      expect(after).not.toEqual(before);
      const repeat = await send(gateway.address, entry);
      expect(repeat).toMatchObject({ status: 201, replayed: true });
      expect(await send(gateway.address, entry)).toEqual(repeat);
      expect(await everything()).toEqual(after);
      expect(await check(session(url), [{ ...entry, tries: [], acknowledged: repeat.body }])).toEqual([]);
    },
  );

  test("of a registration without a key is told which record has the partner id", async () => {
    const entry = { method: "POST" as const, path: "/cover/customer", body: customerBody() };
    expect(await send(throughProxy, entry)).toEqual({});
    const after = await everything();
    const repeat = await send(gateway.address, entry);
    expect(repeat).toMatchObject({
      status: 400,
      body: { errorCode: "DUPLICATE_PARTNER_ID", details: { id: expect.any(Number) } },
    });
    expect(await everything()).toEqual(after);
  });

  test("of a failed payment without a key is the same cover and no second attempt", async () => {
    const entry = { method: "POST" as const, path: "/cover/recovery", body: await reportBody() };
    expect(await send(throughProxy, entry)).toEqual({});
    const after = await everything();
    expect(await send(gateway.address, entry)).toMatchObject({ status: 201, body: { coverId: expect.any(Number) } });
    expect(await everything()).toEqual(after);
  });
});

/** Sends a request and hangs up some milliseconds later, whatever has become of it. */
function sendAndHangUp({ path, body, key }: Omit<Entry, "tries">, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const text = JSON.stringify(body);
    const headers = { "secret-token": TOKEN, "content-type": "application/json", "idempotency-key": key };
    const outgoing = request(`${gateway.address}/api/v1${path}`, { method: "POST", headers, agent: false });
    outgoing.on("error", () => undefined).on("close", resolve);
    outgoing.end(text, () => setTimeout(() => outgoing.destroy(), milliseconds));
  });
}

const times = rounds(20, 300);

test(
  `${times} callers who hang up after sending get one effect each by a repeat`,
  async () => {
    const log: Entry[] = [];
    for (let round = 0; round < times; round++) {
      const entry: Entry = { ...(await requests[round % requests.length]![1]()), tries: [] };
      log.push(entry);
      await sendAndHangUp(entry, round % 10);
      // While the first is still at work the repeat is told so.
      await expect
        .poll(async () => (entry.tries[0] = await send(gateway.address, entry)).status, { interval: 10 })
        .toBe(201);
      entry.acknowledged = entry.tries[0]!.body;
    }
    expect(await check(session(url), log)).toEqual([]);
  },
  limit(times / 20),
);
