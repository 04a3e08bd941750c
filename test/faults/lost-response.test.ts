import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { request } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { buildOnce } from "../support/build-once.ts";
import { findInconsistencies } from "./harness/consistency-checker.ts";
import { onFileEnd } from "./harness/cleanup.ts";
import {
  customerBody,
  keyedRequest,
  createFaultFixture,
  orderBody,
  sendRequest,
  sendUntilAccepted,
  type LoggedRequest,
  type FaultFixture,
} from "./harness/fault-client.ts";
import { createDatabase, openSession } from "./harness/fault-databases.ts";
import { GatewayProcess, TOKEN } from "./harness/gateway-process.ts";
import { timeLimitMs, roundCount } from "./harness/fault-rounds.ts";

/* the gateway did the work, and its caller cannot know. */

let gateway: GatewayProcess;
let url: string;
let shop: FaultFixture;
let throughProxy: string;

beforeAll(async () => {
  await buildOnce();
  url = await createDatabase();
  gateway = await GatewayProcess.start({ DATABASE_URL: url });
  shop = await createFaultFixture(gateway.address);
  throughProxy = await openDroppingProxy(gateway.address);
});

/** A proxy that passes requests on and breaks the connection instead of the answer: by then the work is committed. */
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
  onFileEnd(async () => proxy.close());
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

const requests: [name: string, make: () => Promise<Omit<LoggedRequest, "attempts">>][] = [
  ["a customer", async () => keyedRequest("/cover/customer", customerBody())],
  ["an order", async () => keyedRequest("/cover/order", orderBody(shop))],
  [
    "an order whose payment failed",
    async () => keyedRequest("/cover/order", { ...orderBody(shop), paymentFailed: true, errorCode: "51" }),
  ],
  ["a failed payment", async () => keyedRequest("/cover/recovery", await reportBody())],
];

async function reportBody(): Promise<object> {
  const { id: orderId } = await sendUntilAccepted(gateway.address, "/cover/order", orderBody(shop));
  return { subscriptionId: shop.subscriptionId, orderId, errorCode: "51" };
}

const count = async (table: string): Promise<number> => {
  const sql = openSession(url);
  const [row] = await sql.unsafe(`select count(*)::int as rows from ${table}`);
  await sql.end();
  return row!["rows"];
};

const tables = ["cover_customers", "cover_orders", "covers", "cover_attempts", "event_log", "idempotency_keys"];
const everything = () => Promise.all(tables.map(count));

describe("when the answer is lost after the commit, the repeat", () => {
  test.each(requests)(
    "of %s with the same key gets the first answer and has no effect of its own",
    async (_name, make) => {
      const entry = await make();
      const before = await everything();
      expect(await sendRequest(throughProxy, entry)).toEqual({});
      const after = await everything();
      // The proxy waited for the answer, so the work is done: otherwise this would be an ordinary first request.
      expect(after).not.toEqual(before);
      const repeat = await sendRequest(gateway.address, entry);
      expect(repeat).toMatchObject({ status: 201, replayed: true });
      expect(await sendRequest(gateway.address, entry)).toEqual(repeat);
      expect(await everything()).toEqual(after);
      expect(
        await findInconsistencies(openSession(url), [{ ...entry, attempts: [], acknowledged: repeat.body }]),
      ).toEqual([]);
    },
  );

  test("of a registration without a key is refused with the id of the record that has the partner id", async () => {
    const entry = { method: "POST" as const, path: "/cover/customer", body: customerBody() };
    expect(await sendRequest(throughProxy, entry)).toEqual({});
    const after = await everything();
    const repeat = await sendRequest(gateway.address, entry);
    expect(repeat).toMatchObject({
      status: 400,
      body: { errorCode: "DUPLICATE_PARTNER_ID", details: { id: expect.any(Number) } },
    });
    expect(await everything()).toEqual(after);
  });

  test("of a failed payment without a key finds the same cover and adds no second attempt", async () => {
    const entry = { method: "POST" as const, path: "/cover/recovery", body: await reportBody() };
    expect(await sendRequest(throughProxy, entry)).toEqual({});
    const after = await everything();
    expect(await sendRequest(gateway.address, entry)).toMatchObject({
      status: 201,
      body: { coverId: expect.any(Number) },
    });
    expect(await everything()).toEqual(after);
  });
});

/** Sends a request and hangs up some milliseconds later, whether it was answered or not. */
function sendAndHangUp({ path, body, key }: Omit<LoggedRequest, "attempts">, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const text = JSON.stringify(body);
    const headers = { "secret-token": TOKEN, "content-type": "application/json", "idempotency-key": key };
    const outgoing = request(`${gateway.address}/api/v1${path}`, { method: "POST", headers, agent: false });
    outgoing.on("error", () => undefined).on("close", resolve);
    outgoing.end(text, () => setTimeout(() => outgoing.destroy(), milliseconds));
  });
}

const times = roundCount(20, 300);

test(
  `${times} callers who hang up after sending get one effect each by a repeat`,
  async () => {
    const log: LoggedRequest[] = [];
    for (let round = 0; round < times; round++) {
      const entry: LoggedRequest = { ...(await requests[round % requests.length]![1]()), attempts: [] };
      log.push(entry);
      await sendAndHangUp(entry, round % 10);
      // The repeat is refused while the first request is still running.
      await expect
        .poll(async () => (entry.attempts[0] = await sendRequest(gateway.address, entry)).status, { interval: 10 })
        .toBe(201);
      entry.acknowledged = entry.attempts[0]!.body;
    }
    expect(await findInconsistencies(openSession(url), log)).toEqual([]);
  },
  timeLimitMs(times / 20),
);
