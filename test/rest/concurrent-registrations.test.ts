import { describe, expect, test } from "vitest";
import { readCover, readCoverOrder, readCoverSubscription } from "../support/cover-reads.ts";
import { startGateway, type TestResponse } from "../support/test-gateway.ts";
import { statusAndBody } from "../support/rest-assertions.ts";
import { minimalOrder, registerCoverOrder, registerCoverFixture } from "../support/fixtures/cover-fixture.ts";
import { DAY } from "../support/test-clock.ts";

const gateway = await startGateway({ connections: 10 });
const beginning = gateway.clock.now();
const dayLater = new Date(beginning.getTime() + DAY).toISOString();

const times = <T>(count: number, call: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));

describe("fifty concurrent requests", () => {
  test("that report one failure: there is one cover, and all get the same answer", async () => {
    const shop = await registerCoverFixture(gateway);
    const order = await registerCoverOrder(gateway, shop);
    const report = {
      subscriptionId: shop.subscriptionId,
      orderId: order.id,
      errorCode: "51",
      errorMessage: "잔액부족",
    };
    const answers = await times(50, () => gateway.post("/cover/recovery", report));
    const coverId = answers[0]!.body.coverId!;
    expect(answers.map(statusAndBody)).toEqual(Array(50).fill({ status: 201, body: { coverId, retryDate: dayLater } }));
    expect((await readCoverOrder(gateway, order.id)).covers).toEqual([
      { databaseId: coverId, state: "IN_PROGRESS", endReason: null },
    ]);
    expect((await readCover(gateway, coverId)).attempts).toHaveLength(1);
  });

  test("that report one failed retry: it is one attempt", async () => {
    const shop = await registerCoverFixture(gateway);
    const order = await registerCoverOrder(gateway, shop);
    const report = { subscriptionId: shop.subscriptionId, orderId: order.id, errorCode: "51" };
    const { coverId } = await gateway.readRestBody("POST", "/cover/recovery", report);
    gateway.clock.setTo(dayLater);
    const answers = await times(50, () => gateway.post("/cover/recovery", report));
    const retryDate = new Date(beginning.getTime() + 3 * DAY).toISOString();
    expect(answers.map(statusAndBody)).toEqual(Array(50).fill({ status: 201, body: { coverId, retryDate } }));
    expect((await readCover(gateway, coverId)).attempts).toHaveLength(2);
    gateway.clock.setTo(beginning);
  });

  test("that register one failed order with replaceIfExists: there is one order and one cover", async () => {
    const shop = await registerCoverFixture(gateway);
    const body = minimalOrder(shop, {
      subscriptionId: shop.subscriptionId,
      paymentFailed: true,
      errorCode: "51",
      replaceIfExists: true,
    });
    const answers = await times(50, () => gateway.post("/cover/order", body));
    expect(answers.map(statusAndBody)).toEqual(Array(50).fill({ status: 201, body: answers[0]!.body }));
    expect(answers[0]!.body).toMatchObject({
      status: "PAYMENT_FAILURE",
      retryDate: dayLater,
      items: [{ quantity: 1 }],
    });
    const { covers } = await readCoverOrder(gateway, answers[0]!.body.id!);
    expect(covers).toMatchObject([{ state: "IN_PROGRESS" }]);
    expect((await readCover(gateway, covers[0]!.databaseId)).attempts).toHaveLength(1);
  });

  test("that cancel one subscription: it is cancelled once", async () => {
    const shop = await registerCoverFixture(gateway);
    await registerCoverOrder(gateway, shop, { subscriptionId: shop.subscriptionId, paymentFailed: true });
    const answers = await times(50, () => gateway.sendRest("PUT", `/cover/subscription/${shop.subscriptionId}/cancel`));
    expect(answers.map(({ status, body }) => [status, body.result])).toEqual(Array(50).fill([200, true]));
    const { timeline } = await readCoverSubscription(gateway, shop.subscriptionId);
    expect(timeline.filter(({ type }: { type: string }) => type === "SUBSCRIPTION_CANCELED")).toHaveLength(1);
    expect(timeline.filter(({ type }: { type: string }) => type === "COVER_STOPPED")).toHaveLength(1);
  });

  test("that report one order as paid: it is paid once", async () => {
    const shop = await registerCoverFixture(gateway);
    const order = await registerCoverOrder(gateway, shop, { paymentFailed: true });
    const answers = await times(50, () => gateway.sendRest("PATCH", `/cover/order/success/${order.id}?notify=true`));
    expect(answers.map(statusAndBody)).toEqual(Array(50).fill({ status: 200, body: answers[0]!.body }));
    const { timeline } = await readCoverOrder(gateway, order.id);
    expect(timeline.filter(({ type, notify }) => type === "COVER_RECOVERED" && notify)).toHaveLength(1);
  });
});

/** Twenty reports and one call that ends the recovery, sent at once; the call has a position among them. */
async function race(
  place: number,
  end: (shop: { subscriptionId: number }, orderId: number) => Promise<TestResponse>,
  due: boolean,
) {
  gateway.clock.setTo(beginning);
  const shop = await registerCoverFixture(gateway);
  const order = await registerCoverOrder(gateway, shop, {
    subscriptionId: shop.subscriptionId,
    paymentFailed: true,
    errorCode: "51",
  });
  if (due) gateway.clock.setTo(dayLater);
  let ended: TestResponse | undefined;
  const late: TestResponse<{ retryDate?: string | null }>[] = [];
  const report = async (index: number) => {
    const body = { subscriptionId: shop.subscriptionId, orderId: order.id, errorCode: `X${index}` };
    // Answers on two connections may overtake each other: only a request that was sent afterwards is surely late.
    const sentLate = ended !== undefined;
    const answer = await (index % 2
      ? gateway.post("/cover/recovery", body)
      : gateway.post("/cover/order", failedAgain(order, shop, index)));
    if (sentLate) late.push(answer);
  };
  const failedAgain = ({ partnerOrderId }: { partnerOrderId: string }, own: typeof shop, index: number) =>
    minimalOrder(own, { partnerOrderId, paymentFailed: true, errorCode: `X${index}`, replaceIfExists: true });
  await times(21, async (index) => {
    if (index === place) ended = await end(shop, order.id);
    else await report(index);
  });
  await report(1);
  await report(2);
  return { ended: ended!, late, cover: (await readCoverOrder(gateway, order.id)).covers };
}

const cancelSubscription = ({ subscriptionId }: { subscriptionId: number }) =>
  gateway.sendRest("PUT", `/cover/subscription/${subscriptionId}/cancel`);
const cancelOrder = (_: unknown, orderId: number) => gateway.sendRest("PATCH", `/cover/order/cancel/${orderId}`);
const payOrder = (_: unknown, orderId: number) => gateway.sendRest("PATCH", `/cover/order/success/${orderId}`);

describe.each([
  ["the subscription's cancellation", cancelSubscription, ["STOPPED", "CANCELED"]],
  ["the order's cancellation", cancelOrder, ["STOPPED", "CANCELED"]],
  ["the payment", payOrder, ["RECOVERED", "PAID"]],
] as const)("%s among twenty reports", (_, end, [state, endReason]) => {
  test.each([
    [0, false],
    [5, false],
    [10, true],
    [15, true],
    [20, true],
  ])("wins at place %d, retries due: %s", async (place, due) => {
    const { ended, late, cover } = await race(place, end, due);
    expect(ended.status).toBe(200);
    expect(late.length).toBeGreaterThanOrEqual(2);
    expect(late.filter(({ status, body }) => status !== 201 || body.retryDate !== null)).toEqual([]);
    expect(cover).toMatchObject([{ state, endReason }]);
  });
});

test("no concurrent requests cause a server error or contradictory records", async () => {
  const shop = await registerCoverFixture(gateway);
  const orders = [
    await registerCoverOrder(gateway, shop),
    await registerCoverOrder(gateway, shop),
    await registerCoverOrder(gateway, shop),
  ];
  const calls: readonly ((order: { id: number; partnerOrderId: string }, index: number) => Promise<TestResponse>)[] = [
    ({ id }, index) =>
      gateway.post("/cover/recovery", { subscriptionId: shop.subscriptionId, orderId: id, errorCode: `X${index}` }),
    ({ partnerOrderId }, index) =>
      gateway.post(
        "/cover/order",
        minimalOrder(shop, { partnerOrderId, paymentFailed: true, errorCode: `Y${index}`, replaceIfExists: true }),
      ),
    ({ partnerOrderId }) =>
      gateway.post(
        "/cover/order",
        minimalOrder(shop, { partnerOrderId, subscriptionId: shop.subscriptionId, replaceIfExists: true }),
      ),
    () => gateway.sendRest("PUT", `/cover/subscription/${shop.subscriptionId}/cancel`),
    () => gateway.sendRest("PUT", `/cover/subscription/${shop.subscriptionId}/active`),
    ({ id }) => gateway.sendRest("PATCH", `/cover/order/success/${id}`),
    ({ id }) => gateway.sendRest("PATCH", `/cover/order/cancel/${id}`),
  ];
  const answers = await times(210, (index) => calls[index % 7]!(orders[index % 3]!, index));
  expect(answers.filter(({ status }) => ![200, 201, 400].includes(status)).map(statusAndBody)).toEqual([]);

  await gateway.sendRest("PUT", `/cover/subscription/${shop.subscriptionId}/cancel`);
  for (const { id } of orders) {
    const { status, covers } = await readCoverOrder(gateway, id);
    expect(["PAID", "CANCELED"]).toContain(status);
    expect(covers.filter(({ state }: { state: string }) => state === "IN_PROGRESS")).toEqual([]);
    expect(covers.length).toBeLessThanOrEqual(1);
  }
});
