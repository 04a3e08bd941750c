import { beforeAll, expect, test } from "vitest";
import type { RawData } from "../support/raw-data.ts";
import type { GraphQLRefusal } from "../support/refusal-values.ts";
import { setTimeout as sleep } from "node:timers/promises";
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
  type FaultFixture,
  type RequestAttempt,
} from "./harness/fault-client.ts";
import { adminSession, createDatabase, openSession } from "./harness/fault-databases.ts";
import { GatewayProcess, TOKEN } from "./harness/gateway-process.ts";
import { timeLimitMs, roundCount } from "./harness/fault-rounds.ts";

/* one idempotency key, sent by many callers at once, with another body, and across the death of the gateway. */

const CROWD = 100;

let url: string;
const SECRETS_KEY = Buffer.alloc(32, "recoup").toString("base64");

const start = () => GatewayProcess.start({ DATABASE_URL: url, SECRETS_KEY });

let gateway: GatewayProcess;
let shop: FaultFixture;

beforeAll(async () => {
  await buildOnce();
  url = await createDatabase();
  gateway = await start();
  shop = await createFaultFixture(gateway.address);
});

const crowd = (entry: Omit<LoggedRequest, "attempts">): Promise<RequestAttempt[]> =>
  Promise.all(Array.from({ length: CROWD }, () => sendRequest(gateway.address, entry)));

/** Sends until the request is accepted, as a careful client does. */
async function finish(entry: Omit<LoggedRequest, "attempts">): Promise<RequestAttempt> {
  let answer: RequestAttempt = {};
  await expect
    .poll(async () => (answer = await sendRequest(gateway.address, entry)).status, { interval: 20 })
    .toBe(201);
  return answer;
}

async function newReport(): Promise<Omit<LoggedRequest, "attempts">> {
  const { id: orderId } = await sendUntilAccepted(gateway.address, "/cover/order", orderBody(shop));
  return keyedRequest("/cover/recovery", { subscriptionId: shop.subscriptionId, orderId, errorCode: "51" });
}

test.each([
  ["registrations", async () => keyedRequest("/cover/customer", customerBody())],
  ["failures", newReport],
])(
  `${CROWD} parallel %s with one key are executed once, and callers that do not get a 409 get the same answer`,
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
    expect(
      await findInconsistencies(openSession(url), [{ ...entry, attempts: answers, acknowledged: replay.body }]),
    ).toEqual([]);
  },
);

test("another body or another path under the same key is refused with 422 and does nothing", async () => {
  const entry = keyedRequest("/cover/customer", customerBody());
  const { body: first } = await finish(entry);
  const other = customerBody();
  const answers = [
    await sendRequest(gateway.address, { ...entry, body: other }),
    await sendRequest(gateway.address, { ...entry, path: "/cover/order", body: orderBody(shop) }),
  ];
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 422, body: { errorCode: "IDEMPOTENCY_KEY_REUSED" } });
  const sql = openSession(url);
  expect(await sql`select from cover_customers where partner_customer_id = ${other.partnerCustomerId}`).toHaveLength(0);
  expect((await finish(entry)).body).toEqual(first);
});

test("a gateway killed in the middle of a request leaves nothing of it, and the repeat after the restart executes it once", async () => {
  const entry = await newReport();
  const { orderId } = entry.body;
  const admin = adminSession(url);
  const holder = await admin.reserve();
  await holder`begin`;
  await holder`select from cover_orders where id = ${orderId} for update`;
  const cut = sendRequest(gateway.address, entry);
  // The request has the key and waits for the order's lock, so it is surely in the middle.
  const waiting = () =>
    admin`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name = 'recoup'`;
  await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
  expect(await sendRequest(gateway.address, entry)).toMatchObject({
    status: 409,
    body: { errorCode: "IDEMPOTENCY_KEY_IN_USE" },
  });
  await gateway.kill();
  expect(await cut).toEqual({});
  gateway = await start();
  await holder`rollback`;
  holder.release();
  const done = await finish(entry);
  expect(done.replayed).toBe(false);
  expect(await sendRequest(gateway.address, entry)).toEqual({ ...done, replayed: true });
  expect(await findInconsistencies(admin, [{ ...entry, attempts: [], acknowledged: done.body }])).toEqual([]);
});

test("a gateway killed while its payment gateway is silent continues the same charge by a repeat, and charges once", async () => {
  const graphql = async (query: string, input: object, key?: string) => {
    const response = await fetch(`${gateway.address}/graphql`, {
      method: "POST",
      headers: { "secret-token": TOKEN, "content-type": "application/json", ...(key && { "idempotency-key": key }) },
      body: JSON.stringify({ query, variables: { input } }),
    });
    return { status: response.status, ...((await response.json()) as { data: RawData; errors?: GraphQLRefusal[] }) };
  };
  const done = async (name: string, input: object, selection: string) => {
    const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
    const { data, errors } = await graphql(
      `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`,
      input,
    );
    expect(errors).toBeUndefined();
    return data[name];
  };
  await done("configurePaymentGateway", { paymentGateway: "HOUSE" }, "account { databaseId }");
  const { customer } = await done(
    "createCustomer",
    { name: "Kim Seo-yeon", email: "seoyeon@example.com", phone: "010-1234-5678" },
    "customer { databaseId }",
  );
  const { product } = await done("createProduct", { name: "Journal", type: "SOFTWARE" }, "product { databaseId code }");
  const plan = { productId: String(product.databaseId), type: "ONE_TIME", price: "18900", plan: { name: "Once" } };
  const { pricePlan } = await done("createPricePlan", plan, "pricePlan { code }");
  const order = async () => {
    const items = [{ productCode: product.code, priceCode: pricePlan.code }];
    return (await done("createOrder", { customerId: String(customer.databaseId), items }, "order { databaseId idKey }"))
      .order;
  };
  const pay = (orderId: number) =>
    graphql(
      "mutation ($input: PayOrderInput!) { payOrder(input: $input) { payment { databaseId state } } }",
      {
        orderId: String(orderId),
        method: "CARD",
        card: { number: "4000000000040024", expiryMonth: 12, expiryYear: 2031 },
      },
      "killed while charging",
    );
  const [mine, other] = [await order(), await order()];
  const sql = openSession(url);
  const charges = () => sql`select from simulated_charges where status = 'APPROVED'`;
  const cut = pay(mine.databaseId).catch(() => "cut");
  await expect.poll(async () => (await charges()).length).toBe(1);
  await gateway.kill();
  expect(await cut).toBe("cut");
  gateway = await start();
  expect(await pay(other.databaseId)).toMatchObject({
    status: 422,
    errors: [{ extensions: { code: "IDEMPOTENCY_KEY_REUSED" } }],
  });
  // Until the gateway's timeout has passed, nobody can know that the first process is gone.
  expect(await pay(mine.databaseId)).toMatchObject({ status: 409 });
  await sql`update payments set look_up_at = created_at where state = 'PENDING'`;
  const finished = await pay(mine.databaseId);
  expect(finished).toMatchObject({ status: 200, data: { payOrder: { payment: { state: "SUCCEEDED" } } } });
  expect(await pay(mine.databaseId)).toEqual(finished);
  expect(await charges()).toHaveLength(1);
});

const times = roundCount(2, 20);

test(
  `${CROWD} parallel requests with one key across the death of the gateway, ${times} times, have one effect in the end`,
  async () => {
    const log: LoggedRequest[] = [];
    for (let round = 0; round < times; round++) {
      const entry: LoggedRequest = {
        ...(round % 2 ? await newReport() : keyedRequest("/cover/customer", customerBody())),
        attempts: [],
      };
      log.push(entry);
      const answers = crowd(entry);
      await sleep(Math.random() * 100);
      await gateway.kill();
      entry.attempts.push(...(await answers));
      gateway = await start();
      entry.acknowledged = (await finish(entry)).body;
      const early = entry.attempts.filter(({ status }) => status === 201);
      expect(early.map(({ body }) => body)).toEqual(early.map(() => entry.acknowledged));
    }
    expect(await findInconsistencies(openSession(url), log)).toEqual([]);
  },
  timeLimitMs(times),
);
