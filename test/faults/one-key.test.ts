import { beforeAll, expect, test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "../support/build.ts";
import { check } from "./harness/checker.ts";
import {
  customerBody,
  keyed,
  openShop,
  orderBody,
  send,
  take,
  type Entry,
  type Shop,
  type Try,
} from "./harness/client.ts";
import { adminSession, makeDatabase, session } from "./harness/databases.ts";
import { GatewayProcess } from "./harness/gateway-process.ts";
import { limit, rounds } from "./harness/rounds.ts";

/* one idempotency key, sent by many at once, with another body, and over the death of the gateway. */

const CROWD = 100;

let url: string;
let gateway: GatewayProcess;
let shop: Shop;

beforeAll(async () => {
  await build();
  url = await makeDatabase();
  gateway = await GatewayProcess.start({ DATABASE_URL: url });
  shop = await openShop(gateway.address);
});

const crowd = (entry: Omit<Entry, "tries">): Promise<Try[]> =>
  Promise.all(Array.from({ length: CROWD }, () => send(gateway.address, entry)));

/** Sends until the request is taken, as a careful client does. */
async function finish(entry: Omit<Entry, "tries">): Promise<Try> {
  let answer: Try = {};
  await expect.poll(async () => (answer = await send(gateway.address, entry)).status, { interval: 20 }).toBe(201);
  return answer;
}

async function newReport(): Promise<Omit<Entry, "tries">> {
  const { id: orderId } = await take(gateway.address, "/cover/order", orderBody(shop));
  return keyed("/cover/recovery", { subscriptionId: shop.subscriptionId, orderId, errorCode: "51" });
}

test.each([
  ["registrations", async () => keyed("/cover/customer", customerBody())],
  ["failures", newReport],
])(
  `${CROWD} parallel %s with one key are executed once, and who is not told to wait is told the same`,
  async (_name, make) => {
    const entry = await make();
    const answers = await crowd(entry);
    const taken = answers.filter(({ status }) => status === 201);
    const told = answers.filter(({ status }) => status !== 201);
    expect(taken.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(told.map(({ status, body }) => [status, body?.errorCode])).toEqual(
      told.map(() => [409, "IDEMPOTENCY_KEY_IN_USE"]),
    );
    const replay = await finish(entry);
    expect(replay.replayed).toBe(true);
    expect(taken.map(({ body }) => body)).toEqual(taken.map(() => replay.body));
    expect(await check(session(url), [{ ...entry, tries: answers, acknowledged: replay.body }])).toEqual([]);
  },
);

test("another body or another path under the same key is refused with 422 and does nothing", async () => {
  const entry = keyed("/cover/customer", customerBody());
  const { body: first } = await finish(entry);
  const other = customerBody();
  const answers = [
    await send(gateway.address, { ...entry, body: other }),
    await send(gateway.address, { ...entry, path: "/cover/order", body: orderBody(shop) }),
  ];
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 422, body: { errorCode: "IDEMPOTENCY_KEY_REUSED" } });
  const sql = session(url);
  expect(await sql`select from cover_customers where partner_customer_id = ${other.partnerCustomerId}`).toHaveLength(0);
  expect((await finish(entry)).body).toEqual(first);
});

test("a gateway killed in the middle of a request leaves nothing of it, and the repeat after the restart does it once", async () => {
  const entry = await newReport();
  const { orderId } = entry.body;
  const admin = adminSession(url);
  const holder = await admin.reserve();
  await holder`begin`;
  await holder`select from cover_orders where id = ${orderId} for update`;
  const cut = send(gateway.address, entry);
  // It has the key, and waits for the order: it is surely in the middle.
  const waiting = () =>
    admin`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name = 'recoup'`;
  await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
  expect(await send(gateway.address, entry)).toMatchObject({
    status: 409,
    body: { errorCode: "IDEMPOTENCY_KEY_IN_USE" },
  });
  await gateway.kill();
  expect(await cut).toEqual({});
  gateway = await GatewayProcess.start({ DATABASE_URL: url });
  await holder`rollback`;
  holder.release();
  const done = await finish(entry);
  expect(done.replayed).toBe(false);
  expect(await send(gateway.address, entry)).toEqual({ ...done, replayed: true });
  expect(await check(admin, [{ ...entry, tries: [], acknowledged: done.body }])).toEqual([]);
});

const times = rounds(2, 20);

test(
  `${CROWD} parallel requests with one key over the death of the gateway, ${times} times, have one effect in the end`,
  async () => {
    const log: Entry[] = [];
    for (let round = 0; round < times; round++) {
      const entry: Entry = { ...(round % 2 ? await newReport() : keyed("/cover/customer", customerBody())), tries: [] };
      log.push(entry);
      const answers = crowd(entry);
      await sleep(Math.random() * 100);
      await gateway.kill();
      entry.tries.push(...(await answers));
      gateway = await GatewayProcess.start({ DATABASE_URL: url });
      entry.acknowledged = (await finish(entry)).body;
      const early = entry.tries.filter(({ status }) => status === 201);
      expect(early.map(({ body }) => body)).toEqual(early.map(() => entry.acknowledged));
    }
    expect(await check(session(url), log)).toEqual([]);
  },
  limit(times),
);
