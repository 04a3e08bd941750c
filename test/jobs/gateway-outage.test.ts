import { beforeEach, expect, test } from "vitest";
import { DueVendorRepository } from "../../src/jobs/due-vendor.repository.ts";
import { dueWork } from "../../src/jobs/due-work.ts";
import { queryRows } from "../hostile/query-rows.ts";
import type { Selected, SelectionOf } from "../support/answers.ts";
import { startGateway, type RequestOptions } from "../support/test-gateway.ts";
import { everyMonth } from "../support/test-catalogue.ts";
import { DAY, HOUR, MINUTE } from "../support/test-clock.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

/* A payment gateway that is down while renewals, retries and last charges are due: no card was declined. */

const NOW = "2026-01-31T03:00:00.000Z";
const guard = { timeoutMs: 2_000, faultThreshold: 2, initialOpenMs: 10 * MINUTE, maxOpenMs: HOUR };
const gateway = await startGateway({ now: NOW, guard });
const worker = createWorker(gateway);

let own: RequestOptions;
let payments: TestPayments;
let vendorId: number;
beforeEach(async () => {
  gateway.clock.setTo(NOW);
  // Workers skip the vendors of earlier tests.
  await queryRows(gateway, "update vendors set enabled = false");
  const vendor = await gateway.openVendor();
  [own, vendorId] = [{ token: vendor.token }, vendor.id];
  payments = await TestPayments.start(gateway, own);
});

const read = async <S extends SelectionOf<"Subscription">>(
  id: number,
  selection: S,
): Promise<Selected<"Subscription", S>> => {
  const query = `query ($id: ID!) { subscription(id: $id) { ${selection} } }`;
  return (await gateway.queryRawData(query, { id: String(id) }, own)).subscription;
};

async function subscribe(card: string = testCards.approved, plan: object = { type: "FLAT", recurring: everyMonth }) {
  const { databaseId } = await payments.createOrder("10000", { plan });
  await payments.payOrder(databaseId, card);
  const { subscriptions } = await payments.readOrder(databaseId, "subscriptions { databaseId }");
  return subscriptions[0]!.databaseId;
}

/** Sets the result of all later charges of the vendor's stored cards. */
const gatewayIs = (behaviour: string, vendor = vendorId) =>
  queryRows(
    gateway,
    `update simulated_methods set behaviour = jsonb_set(behaviour::jsonb, '{behaviour}', '"${behaviour}"')::text where vendor_id = ${vendor}`,
  );

/** Goes to the day that a renewal is due, and runs the worker. */
async function due(id: number): Promise<void> {
  gateway.clock.setTo(new Date((await read(id, "nextPaymentDate")).nextPaymentDate!).toISOString());
  await runUntilIdle(worker);
}

/** Lets time pass in small steps, and runs the worker at each. */
async function passes(time: number, step: number): Promise<void> {
  for (let passed = 0; passed < time; passed += step) {
    gateway.clock.advance(step);
    await runUntilIdle(worker);
  }
}

const STANDING = `status covers { nodes { state retryDate attempts { totalCount } } }
  latestOrders { databaseId idKey type amount paidAmount } timeline(last: 100) { nodes { subject trigger reason } }`;

const toldOf = ({ timeline }: { timeline: { nodes: { subject: string; trigger: string }[] } }): string[] =>
  timeline.nodes.filter(({ subject }) => subject === "SUBSCRIPTION").map(({ trigger }) => trigger);

const attempts = async (orderId: number): Promise<string[]> =>
  (
    await queryRows<{ code: string }>(
      gateway,
      `select coalesce(error_code, state) as code from payments where order_id = ${orderId} order by id`,
    )
  ).map(({ code }) => code);

test.each([
  ["fails before it charges", "FAIL", 4],
  ["neither charges nor answers", "SILENT", 2],
])(
  "a renewal is deferred when its gateway %s, and is charged once when the gateway is back",
  async (_, behaviour, max) => {
    const id = await subscribe();
    await gatewayIs(behaviour);
    await due(id);
    for (let count = 1; count < max; count++) await passes(2 ** count * MINUTE, MINUTE);
    const away = await read(id, STANDING);
    expect(away).toMatchObject({ status: "QUEUEING", covers: { nodes: [] } });
    expect(toldOf(away).filter((word) => word === "postponeRenewal")).toHaveLength(1);
    const [renewal] = away.latestOrders;
    expect(await attempts(renewal!.databaseId)).toContain("NOT_CHARGED");
    expect(await payments.countApprovedCharges(renewal!.idKey)).toBe(0);

    await gatewayIs("APPROVE");
    await passes(2 * HOUR, 20 * MINUTE);
    const back = await read(id, STANDING);
    expect(back).toMatchObject({ status: "ACTIVE", covers: { nodes: [] } });
    expect(back.latestOrders).toHaveLength(2);
    expect(await payments.countApprovedCharges(renewal!.idKey)).toBe(1);
    expect(toldOf(back)).not.toContain("failRenewal");
  },
);

test("a renewal is deferred when it becomes due while the circuit breaker is open", async () => {
  const id = await subscribe();
  const order = await payments.createOrder("5000");
  gateway.clock.setTo(new Date((await read(id, "nextPaymentDate")).nextPaymentDate!).toISOString());
  await payments.payOrder(order.databaseId, testCards.down);
  await runUntilIdle(worker);
  const away = await read(id, STANDING);
  expect(away).toMatchObject({ status: "QUEUEING", covers: { nodes: [] } });
  expect(await attempts(away.latestOrders[0]!.databaseId)).toEqual(["GATEWAY_UNAVAILABLE"]);
  await passes(30 * MINUTE, 2 * MINUTE);
  expect((await read(id, STANDING)).status).toBe("ACTIVE");
  expect(await payments.countApprovedCharges(away.latestOrders[0]!.idKey)).toBe(1);
});

test("a gateway that is down for days makes no subscription UNPAID, and is called at most once an hour", async () => {
  const id = await subscribe();
  await gatewayIs("FAIL");
  await due(id);
  await passes(16 * MINUTE, MINUTE);
  await passes(2 * DAY, 30 * MINUTE);
  const away = await read(id, STANDING);
  expect(away).toMatchObject({ status: "QUEUEING", covers: { nodes: [] } });
  const [renewal] = away.latestOrders;
  const tried = await attempts(renewal!.databaseId);
  expect(tried.length).toBeGreaterThan(40);
  expect(tried.length).toBeLessThan(8 + 2 * 24);
  await gatewayIs("APPROVE");
  await passes(2 * HOUR, 20 * MINUTE);
  expect((await read(id, STANDING)).status).toBe("ACTIVE");
  expect(await payments.countApprovedCharges(renewal!.idKey)).toBe(1);
});

test("a charge with an unknown outcome is looked up, and not repeated", async () => {
  const id = await subscribe();
  await gatewayIs("DOWN_AFTER_CHARGE");
  await due(id);
  const unknown = await read(id, STANDING);
  expect(unknown).toMatchObject({ status: "QUEUEING", covers: { nodes: [] } });
  expect(await attempts(unknown.latestOrders[0]!.databaseId)).toEqual(["UNKNOWN"]);
  await passes(HOUR, 5 * MINUTE);
  const known = await read(id, STANDING);
  expect(known.status).toBe("ACTIVE");
  expect(await attempts(known.latestOrders[0]!.databaseId)).toEqual(["SUCCEEDED"]);
  expect(await payments.countApprovedCharges(known.latestOrders[0]!.idKey)).toBe(1);
});

test("a retry is deferred when the gateway is away, and does not count as a retry of its cover", async () => {
  const id = await subscribe(testCards.neverAgain);
  await due(id);
  const failed = await read(id, STANDING);
  expect(failed).toMatchObject({ status: "UNPAID", covers: { nodes: [{ attempts: { totalCount: 1 } }] } });
  await gatewayIs("FAIL");
  await passes(2 * DAY, 2 * HOUR);
  const away = await read(id, STANDING);
  expect(away.status).toBe("UNPAID");
  expect(away.covers.nodes).toMatchObject([{ state: "IN_PROGRESS", attempts: { totalCount: 1 } }]);
  expect(toldOf(away).filter((word) => word === "postponeRenewal")).toHaveLength(1);
  await gatewayIs("APPROVE");
  await passes(2 * HOUR, HOUR);
  const back = await read(id, STANDING);
  expect(back).toMatchObject({
    status: "ACTIVE",
    covers: { nodes: [{ state: "RECOVERED", attempts: { totalCount: 1 } }] },
  });
  expect(await payments.countApprovedCharges(back.latestOrders[0]!.idKey)).toBe(1);
});

test("the last charge of a postpaid subscription is made when the gateway is back", async () => {
  const claim = { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" };
  const additionalBilling = { type: "USAGE_BASED_WITH_RANGE", ranges: [{ price: "10" }] };
  const id = await subscribe(testCards.approved, {
    type: "USAGE_BASED",
    recurring: everyMonth,
    claim,
    additionalBilling,
  });
  await gatewayIs("FAIL");
  await passes(10 * DAY, DAY);
  const input = { subscriptionId: String(id), when: "NOW" };
  await payments.runMutation("cancelSubscription", input, "subscription { status }");
  await passes(6 * HOUR, 20 * MINUTE);
  const [last] = (await read(id, STANDING)).latestOrders;
  const tried = await attempts(last!.databaseId);
  expect(tried.length).toBeGreaterThan(3);
  expect(tried.length).toBeLessThan(15);
  await gatewayIs("APPROVE");
  await passes(2 * HOUR, 20 * MINUTE);
  expect((await read(id, STANDING)).latestOrders[0]).toMatchObject({
    databaseId: last!.databaseId,
    paidAmount: last!.amount,
  });
  expect(await payments.countApprovedCharges(last!.idKey)).toBe(1);
});

test("renewals do not fail when the vendor has no gateway, and are charged when it has one again", async () => {
  const id = await subscribe();
  const configure = (enabled: boolean) =>
    payments.runMutation("configurePaymentGateway", { paymentGateway: "HOUSE", enabled }, "account { databaseId }");
  await configure(false);
  await due(id);
  const away = await read(id, STANDING);
  expect(away).toMatchObject({ status: "QUEUEING", covers: { nodes: [] } });
  expect(away.timeline.nodes.find(({ trigger }) => trigger === "postponeRenewal")!.reason).toMatch(
    /no payment gateway/,
  );
  await configure(true);
  await passes(2 * HOUR, HOUR);
  expect((await read(id, STANDING)).status).toBe("ACTIVE");
});

test("immediate orders are not attempted repeatedly when the vendor has no gateway", async () => {
  const claim = { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" };
  const additionalBilling = { type: "USAGE_BASED_WITH_RANGE", ranges: [{ price: "10" }] };
  const id = await subscribe(testCards.approved, {
    type: "USAGE_BASED",
    recurring: everyMonth,
    claim,
    additionalBilling,
  });
  const configure = (enabled: boolean) =>
    payments.runMutation("configurePaymentGateway", { paymentGateway: "HOUSE", enabled }, "account { databaseId }");
  await passes(10 * DAY, DAY);
  await configure(false);
  await payments.runMutation(
    "cancelSubscription",
    { subscriptionId: String(id), when: "NOW" },
    "subscription { status }",
  );
  await passes(90 * MINUTE, 5 * MINUTE);
  const told = toldOf(await read(id, STANDING)).filter((word) => word === "postponeRenewal");
  expect(told).toHaveLength(2);
  const work = new DueVendorRepository(gateway.database.handle);
  expect(await work.vendorsWithDueWork(gateway.clock.now(), Object.values(dueWork))).not.toContain(vendorId);
  await configure(true);
  await passes(HOUR, 20 * MINUTE);
  const [last] = (await read(id, STANDING)).latestOrders;
  expect(last!.paidAmount).toBe(last!.amount);
  expect(await payments.countApprovedCharges(last!.idKey)).toBe(1);
});

test("a vendor does not delay another vendor's renewals when its gateway does not answer", async () => {
  const silent = await subscribe();
  const silentVendor = vendorId;
  own = { token: (await gateway.openVendor()).token };
  payments = await TestPayments.start(gateway, own);
  const others: number[] = [];
  for (let count = 0; count < 25; count++) others.push(await subscribe());
  await gatewayIs("SILENT", silentVendor);
  gateway.clock.setTo(new Date((await read(others.at(-1)!, "nextPaymentDate")).nextPaymentDate!).toISOString());
  await worker.runTurn();
  const standing = await queryRows<{ id: number; status: string }>(
    gateway,
    `select id::int as id, status from subscriptions where id in (${[silent, ...others].join(", ")}) order by id`,
  );
  expect(standing.map(({ status }) => status)).toEqual(["QUEUEING", ...others.map(() => "ACTIVE")]);
});

test("a stored method that cannot be decrypted does not hold up the vendor's other renewals", async () => {
  const broken = await subscribe();
  await queryRows(gateway, `update payment_methods set token = '\\x00' where vendor_id = ${vendorId}`);
  gateway.clock.advance(DAY);
  const other = await subscribe("5555555555554444");
  await due(broken);
  await due(other);
  expect((await read(broken, "status")).status).toBe("QUEUEING");
  expect((await read(other, "status")).status).toBe("ACTIVE");
  const charged = `select from payments where vendor_id = ${vendorId} and state = 'SUCCEEDED'`;
  expect(await queryRows(gateway, charged)).toHaveLength(3);
});
