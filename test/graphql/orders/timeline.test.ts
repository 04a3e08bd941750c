import { beforeEach, describe, expect, test } from "vitest";
import {
  sendMutation,
  runMutation,
  minimalInputs,
  createCoverOrder,
  createCoverFixture,
  type Mutation,
} from "../../support/cover-mutations.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { expectNoChanges } from "../../support/rest-assertions.ts";
import { uniqueName, type CoverFixture } from "../../support/fixtures/cover-fixture.ts";
import { TestPayments } from "../../support/test-payments.ts";

const NOW = "2026-03-01T09:30:00.000Z";
const TOMORROW = "2026-03-02T09:30:00.000Z";
const gateway = await startGateway({ now: NOW });

let shop: CoverFixture;
beforeEach(async () => {
  gateway.clock.setTo(NOW);
  shop = await createCoverFixture(gateway);
});

interface ShownEvent {
  type: string;
  actor: string;
  statusBefore: string | null;
  statusAfter: string | null;
  facts: Record<string, unknown>;
  notify: boolean;
}

/** A timeline in short: the event, its actor, and its facts. */
async function timelineOf(parent: "coverOrder" | "coverSubscription" | "cover", id: number): Promise<string[]> {
  const data: Record<typeof parent, { timeline: { nodes: ShownEvent[] } }> = await gateway.queryRawData(
    `query ($id: ID!) { ${parent}(id: $id) { timeline(first: 100) { nodes { type actor statusBefore statusAfter facts notify occurredAt } } } }`,
    { id },
  );
  return data[parent].timeline.nodes.map(({ type, actor, statusBefore, statusAfter, facts, notify }) => {
    expect([statusBefore, statusAfter]).toEqual([facts["from"] ?? null, facts["to"] ?? null]);
    const known = Object.entries(facts)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => `${key}=${String(value)}`);
    return [actor, type, ...known, ...(notify && type === "COVER_RECOVERED" ? ["notify"] : [])].join(" ");
  });
}

/** The events that an action adds to the timeline of an order. */
async function added(orderId: number, mutation: Mutation, input: object): Promise<string[]> {
  const before = await timelineOf("coverOrder", orderId);
  await runMutation(gateway, mutation, input);
  const after = await timelineOf("coverOrder", orderId);
  expect(after.slice(0, before.length)).toEqual(before);
  return after.slice(before.length);
}

const open = async (rest: object = {}): Promise<number> => (await createCoverOrder(gateway, shop, rest)).databaseId;

describe("the registration of an order", () => {
  test.each([
    ["that waits for its payment", {}, ["MANAGER ORDER_CREATED to=CREATED"]],
    ["that was paid", { paymentDate: NOW }, ["MANAGER ORDER_CREATED to=PAID"]],
    ["that was cancelled", { canceledAt: NOW }, ["MANAGER ORDER_CREATED to=CANCELED"]],
    [
      "whose payment failed",
      { paymentFailed: true, errorCode: "51" },
      [
        "MANAGER ORDER_CREATED to=PAYMENT_FAILURE",
        `SYSTEM COVER_STARTED reasonClass=INSUFFICIENT_FUNDS retryDate=${TOMORROW}`,
      ],
    ],
    [
      "whose payment must not be retried",
      { paymentFailed: true, errorCode: "43" },
      [
        "MANAGER ORDER_CREATED to=PAYMENT_FAILURE",
        "SYSTEM COVER_STARTED reasonClass=NEVER retryDate=null",
        "SYSTEM COVER_STOPPED reason=MUST_NOT_RETRY",
      ],
    ],
  ])("%s is recorded", async (_name, rest, events) => {
    expect(await timelineOf("coverOrder", await open(rest))).toEqual(events);
  });
});

describe("replacing an order", () => {
  const replace = async (first: object, then: object) => {
    const partnerOrderId = uniqueName("order");
    const orderId = await open({ ...first, partnerOrderId });
    const input = minimalInputs.order(shop, { ...then, partnerOrderId, replaceIfExists: true });
    return added(orderId, "registerCoverOrder", input);
  };

  test.each<[string, object, object, string[]]>([
    ["without a change of state", {}, {}, ["MANAGER ORDER_CHANGED"]],
    [
      "by a failure",
      {},
      { paymentFailed: true },
      [
        "MANAGER ORDER_CHANGED",
        "MANAGER ORDER_PAYMENT_FAILED from=CREATED to=PAYMENT_FAILURE",
        `SYSTEM COVER_STARTED reasonClass=UNKNOWN retryDate=${TOMORROW}`,
      ],
    ],
    [
      "by a payment",
      { paymentFailed: true },
      { paymentDate: NOW },
      [
        "MANAGER ORDER_CHANGED",
        "MANAGER ORDER_PAID from=PAYMENT_FAILURE to=PAID",
        "MANAGER COVER_RECOVERED reason=PAID",
      ],
    ],
    [
      "by a cancellation",
      { paymentFailed: true },
      { canceledAt: NOW },
      [
        "MANAGER ORDER_CHANGED",
        "MANAGER ORDER_CANCELED from=PAYMENT_FAILURE to=CANCELED",
        "MANAGER COVER_STOPPED reason=CANCELED",
      ],
    ],
    [
      "by a refund in full",
      { paymentFailed: true },
      { amountReturned: "18900" },
      [
        "MANAGER ORDER_CHANGED",
        "MANAGER ORDER_REFUNDED from=PAYMENT_FAILURE to=FULL_REFUND",
        "MANAGER COVER_STOPPED reason=CANCELED",
      ],
    ],
  ])("%s is recorded, each change of state once", async (_name, first, then, events) => {
    expect(await replace(first, then)).toEqual(events);
  });
});

describe("a recovery", () => {
  const report = (orderId: number, errorCode?: string) => ({ orderId, subscriptionId: shop.subscriptionId, errorCode });

  test("fails the order when it starts, once", async () => {
    const orderId = await open();
    expect(await added(orderId, "startRecovery", report(orderId, "51"))).toEqual([
      "MANAGER ORDER_PAYMENT_FAILED from=CREATED to=PAYMENT_FAILURE",
      `SYSTEM COVER_STARTED reasonClass=INSUFFICIENT_FUNDS retryDate=${TOMORROW}`,
    ]);
  });

  test("records a retry that failed, and none that is a repeat", async () => {
    const orderId = await open({ paymentFailed: true, errorCode: "51" });
    expect(await added(orderId, "startRecovery", report(orderId, "51"))).toEqual([]);
    expect(await added(orderId, "startRecovery", report(orderId, "05"))).toEqual([
      `MANAGER COVER_ATTEMPT_FAILED attempt=2 kind=UNSCHEDULED reasonClass=GENERIC_REFUSAL retryDate=${TOMORROW}`,
    ]);
    gateway.clock.setTo(TOMORROW);
    expect(await added(orderId, "startRecovery", report(orderId, "54"))).toEqual([
      "MANAGER COVER_ATTEMPT_FAILED attempt=3 kind=SCHEDULED reasonClass=FIX_DATA_FIRST retryDate=null",
      "SYSTEM COVER_STOPPED reason=NEEDS_NEW_METHOD",
    ]);
  });

  test("is recorded as exhausted after its last retry", async () => {
    const orderId = await open({ paymentFailed: true });
    gateway.clock.setTo("2026-03-15T09:30:00Z");
    expect(await added(orderId, "startRecovery", report(orderId))).toEqual([
      "MANAGER COVER_ATTEMPT_FAILED attempt=2 kind=SCHEDULED reasonClass=UNKNOWN retryDate=null",
      "SYSTEM COVER_EXHAUSTED reason=NO_TRIES_LEFT",
    ]);
  });

  test.each([
    [undefined, "MANAGER COVER_RECOVERED reason=PAID"],
    [false, "MANAGER COVER_RECOVERED reason=PAID"],
    [true, "MANAGER COVER_RECOVERED reason=PAID notify"],
  ])("that a payment ends, with notify %s, notifies of the end only when requested", async (notify, recovered) => {
    const orderId = await open({ paymentFailed: true });
    expect(await added(orderId, "reportCoverOrderPaid", { orderId, notify })).toEqual([
      "MANAGER ORDER_PAID from=PAYMENT_FAILURE to=PAID",
      recovered,
    ]);
    expect(await added(orderId, "reportCoverOrderPaid", { orderId, notify: true })).toEqual([]);
  });

  test("starts anew when the payer has renewed the method", async () => {
    const orderId = await open({ paymentFailed: true, errorCode: "54" });
    expect(await added(orderId, "reportPaymentMethodChanged", { orderId })).toEqual([
      "CUSTOMER PAYMENT_METHOD_UPDATED",
      `SYSTEM COVER_STARTED reasonClass=null retryDate=${TOMORROW}`,
    ]);
  });
});

test("a cancellation is recorded once, and a payment after it is a late one", async () => {
  const orderId = await open({ paymentFailed: true });
  expect(await added(orderId, "cancelCoverOrder", { orderId })).toEqual([
    "MANAGER ORDER_CANCELED from=PAYMENT_FAILURE to=CANCELED",
    "MANAGER COVER_STOPPED reason=CANCELED",
  ]);
  await expectNoChanges(gateway, () => runMutation(gateway, "cancelCoverOrder", { orderId }));
  gateway.clock.setTo(TOMORROW);
  expect(await added(orderId, "reportCoverOrderPaid", { orderId, notify: true })).toEqual([
    `MANAGER ORDER_PAID_LATE canceledDate=${NOW} from=CANCELED to=PAID`,
  ]);
});

test("a transition by name is recorded once, and not at all when it changes nothing", async () => {
  const orderId = await open({ paymentDate: NOW });
  const move = (status: string) => added(orderId, "setCoverOrderStatus", { orderId, status });
  expect(await move("PREPARING")).toEqual(["MANAGER ORDER_CHANGED from=PAID to=PREPARING"]);
  expect(await move("PREPARING")).toEqual([]);
  expect(await move("CANCEL_REQ")).toEqual(["MANAGER ORDER_CHANGED from=PREPARING to=CANCEL_REQ"]);
});

test("a refused request is not recorded", async () => {
  const orderId = await open({ paymentDate: NOW });
  const before = await timelineOf("coverOrder", orderId);
  expect((await sendMutation(gateway, "cancelCoverOrder", { orderId })).errors).toHaveLength(1);
  expect((await sendMutation(gateway, "setCoverOrderStatus", { orderId, status: "RETURNED" })).errors).toHaveLength(1);
  expect(await timelineOf("coverOrder", orderId)).toEqual(before);
});

describe("the timeline of a subscription", () => {
  const since = async (subscriptionId: number, work: () => Promise<unknown>): Promise<string[]> => {
    const before = await timelineOf("coverSubscription", subscriptionId);
    await work();
    return (await timelineOf("coverSubscription", subscriptionId)).slice(before.length);
  };

  test("shows its own events and those of its orders' covers; a cover's timeline shows the cover's only", async () => {
    const { subscriptionId } = shop;
    const order = await createCoverOrder(gateway, shop, { paymentFailed: true });
    await runMutation(gateway, "cancelCoverSubscription", { subscriptionId });
    await runMutation(gateway, "cancelCoverSubscription", { subscriptionId });
    await runMutation(gateway, "activateCoverSubscription", { subscriptionId });
    const started = `SYSTEM COVER_STARTED reasonClass=UNKNOWN retryDate=${TOMORROW}`;
    const stopped = "MANAGER COVER_STOPPED reason=CANCELED";
    expect(await timelineOf("coverSubscription", subscriptionId)).toEqual([
      "MANAGER SUBSCRIPTION_CREATED",
      "MANAGER ORDER_CREATED to=PAYMENT_FAILURE",
      started,
      "MANAGER SUBSCRIPTION_CANCELED",
      stopped,
      "MANAGER SUBSCRIPTION_ACTIVATED",
    ]);
    expect(await timelineOf("cover", order.cover!.databaseId)).toEqual([started, stopped]);
  });

  test("shows the events of its orders, each at its own time", async () => {
    const orderId = await open();
    const events = await since(shop.subscriptionId, async () => {
      await runMutation(gateway, "cancelCoverOrder", { orderId });
      await runMutation(gateway, "reportCoverOrderPaid", { orderId });
      await runMutation(gateway, "setCoverOrderStatus", { orderId, status: "PREPARING" });
      await runMutation(gateway, "reportCoverOrderPaid", { orderId: await open() });
    });
    expect(events).toEqual([
      "MANAGER ORDER_CANCELED from=CREATED to=CANCELED",
      `MANAGER ORDER_PAID_LATE canceledDate=${NOW} from=CANCELED to=PAID`,
      "MANAGER ORDER_CHANGED from=PAID to=PREPARING",
      "MANAGER ORDER_CREATED to=CREATED",
      "MANAGER ORDER_PAID from=CREATED to=PAID",
    ]);
  });

  test("shows the events of an order from the report that binds it to the subscription, and of no order without one", async () => {
    const { subscriptionId } = shop;
    const [bound, free] = [
      await open({ subscriptionId: undefined }),
      await open({ subscriptionId: undefined, paymentFailed: true }),
    ];
    const events = await since(subscriptionId, async () => {
      await runMutation(gateway, "startRecovery", { orderId: bound, subscriptionId });
      await runMutation(gateway, "reportCoverOrderPaid", { orderId: bound });
      await runMutation(gateway, "reportCoverOrderPaid", { orderId: free });
    });
    expect(events).toEqual([
      "MANAGER ORDER_PAYMENT_FAILED from=CREATED to=PAYMENT_FAILURE",
      `SYSTEM COVER_STARTED reasonClass=UNKNOWN retryDate=${TOMORROW}`,
      "MANAGER ORDER_PAID from=PAYMENT_FAILURE to=PAID",
      "MANAGER COVER_RECOVERED reason=PAID",
    ]);
  });
});

describe("the human-readable text", () => {
  const shown = "title english: title(language: ENGLISH) korean: title(language: KOREAN) subjectName amount currency";

  test("of an order is its title, its amount and the name of its product, newest first on request", async () => {
    const payments = await TestPayments.start(gateway);
    const order = await payments.createOrder("18900");
    await payments.payOrder(order.databaseId);
    const query = (direction: "ASC" | "DESC") =>
      gateway.queryData(
        `query ($id: ID!, $direction: SortDirection) { order(id: $id) { productName timeline(first: 10, direction: $direction) { nodes { ${shown} } } } }`,
        { id: String(order.databaseId), direction },
      );
    const { productName, timeline } = (await query("DESC")).order!;
    const [{ nodes: newest }, { nodes: oldest }] = [timeline, (await query("ASC")).order!.timeline];
    expect(oldest).toEqual([...newest].reverse());
    const money = { subjectName: productName, amount: "18900", currency: "KRW" };
    expect(newest[0]).toEqual({ title: "Order paid", english: "Order paid", korean: "결제 완료", ...money });
    expect(oldest[0]).toMatchObject({ title: "Order created", korean: "주문 생성", ...money });
  });

  test("of a cover is its order, its customer, and the names of the ordered products", async () => {
    const orderId = await open({ paymentFailed: true, errorCode: "51" });
    const read =
      `coverOrder(id: $id) { cover { amount currency payerName timeline(first: 5, direction: DESC) { nodes { ${shown} } } } }` as const;
    const { cover } = (await gateway.queryData(`query ($id: ID!) { ${read} }`, { id: String(orderId) })).coverOrder!;
    expect(cover).toMatchObject({ amount: "18900", currency: "KRW", payerName: "Kim Seo-yeon" });
    expect(cover!.timeline.nodes[0]).toEqual({
      ...{ title: "Recovery started", english: "Recovery started", korean: "결제 복구 시작" },
      ...{ subjectName: "House blend", amount: "18900", currency: "KRW" },
    });
  });
});
