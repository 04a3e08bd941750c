import { describe, expect, test } from "vitest";
import { readCover, readCoverOrder, readCoverSubscription } from "../support/cover-reads.ts";
import { startGateway } from "../support/test-gateway.ts";
import { expectNoChanges, statusAndBody, expectedUnknownPath } from "../support/rest-assertions.ts";
import { registerCoverOrder, registerCoverFixture, type CoverFixture } from "../support/fixtures/cover-fixture.ts";
import { DAY, HOUR } from "../support/test-clock.ts";

const gateway = await startGateway();
const beginning = gateway.clock.now();

const cancel = (id: number | string) => gateway.sendRest("PUT", `/cover/subscription/${id}/cancel`);
const activate = (id: number | string) => gateway.sendRest("PUT", `/cover/subscription/${id}/active`);
const done = { status: 200, body: { result: true, message: expect.stringMatching(/\.$/) } };

const failing = (shop: CoverFixture) =>
  registerCoverOrder(gateway, shop, { subscriptionId: shop.subscriptionId, paymentFailed: true, errorCode: "51" });
const report = async (shop: CoverFixture, orderId: number) =>
  (await gateway.post("/cover/recovery", { subscriptionId: shop.subscriptionId, orderId, errorCode: "51" })).body;

describe("PUT /cover/subscription/{subscriptionId}/cancel", () => {
  test("answers a result and a message, and nothing else", async () => {
    const { subscriptionId } = await registerCoverFixture(gateway);
    expect(statusAndBody(await cancel(subscriptionId))).toEqual(done);
    expect(await readCoverSubscription(gateway, subscriptionId)).toMatchObject({
      status: "CANCELED",
      canceledAt: beginning.toISOString(),
    });
  });

  test("stops every recovery of the subscription, and no other", async () => {
    const [shop, other] = [await registerCoverFixture(gateway), await registerCoverFixture(gateway)];
    const orders = [await failing(shop), await failing(shop), await failing(shop)];
    const elsewhere = [await failing(other), await registerCoverOrder(gateway, shop, { paymentFailed: true })];
    expect(statusAndBody(await cancel(shop.subscriptionId))).toEqual(done);
    for (const { id } of orders) {
      const seen = await readCoverOrder(gateway, id);
      expect(seen).toMatchObject({
        status: "PAYMENT_FAILURE",
        retryDate: null,
        covers: [{ state: "STOPPED", endReason: "CANCELED" }],
      });
      expect(seen.timeline).toContainEqual({
        type: "COVER_STOPPED",
        actor: "MANAGER",
        facts: { reason: "CANCELED" },
        notify: true,
      });
    }
    for (const { id } of elsewhere)
      expect((await readCoverOrder(gateway, id)).covers).toMatchObject([{ state: "IN_PROGRESS" }]);
  });

  test("leaves recoveries that ended before unchanged", async () => {
    const shop = await registerCoverFixture(gateway);
    const lost = await registerCoverOrder(gateway, shop, {
      subscriptionId: shop.subscriptionId,
      paymentFailed: true,
      errorCode: "41",
    });
    await cancel(shop.subscriptionId);
    expect((await readCoverOrder(gateway, lost.id)).covers).toMatchObject([
      { state: "STOPPED", endReason: "MUST_NOT_RETRY" },
    ]);
  });

  test("repeated, answers true and changes nothing", async () => {
    const shop = await registerCoverFixture(gateway);
    await failing(shop);
    await cancel(shop.subscriptionId);
    gateway.clock.advance(HOUR);
    await expectNoChanges(gateway, async () => expect(statusAndBody(await cancel(shop.subscriptionId))).toEqual(done));
    gateway.clock.setTo(beginning);
  });

  test.each([0, 0.5, 1, 6, 40])("after it, a report %d days on answers the same cover without a date", async (days) => {
    gateway.clock.setTo(beginning);
    const shop = await registerCoverFixture(gateway);
    const { id } = await failing(shop);
    const before = await report(shop, id);
    await cancel(shop.subscriptionId);
    gateway.clock.advance(days * DAY);
    expect(await report(shop, id)).toEqual({ coverId: before.coverId, retryDate: null });
    expect((await readCover(gateway, before.coverId!)).attempts).toHaveLength(1);
    gateway.clock.setTo(beginning);
  });

  test("is the same as a canceledAt in POST /cover/subscription", async () => {
    const shop = await registerCoverFixture(gateway);
    const { id } = await failing(shop);
    expect(await readCoverSubscription(gateway, shop.subscriptionId)).toMatchObject({
      status: "UNPAID",
      canceledAt: null,
    });
    const { status, body } = await sendAgain(shop, { canceledAt: "2026-03-01T00:00:00Z" });
    expect([status, body.status, body.renewalOrders![0]!.retryDate]).toEqual([201, "CANCELED", null]);
    expect((await readCoverOrder(gateway, id)).covers).toMatchObject([{ state: "STOPPED", endReason: "CANCELED" }]);
  });

  test.each([{}, { canceledAt: null }])("is not undone when the subscription is sent again with %j", async (rest) => {
    const shop = await registerCoverFixture(gateway);
    await cancel(shop.subscriptionId);
    const { status, body } = await sendAgain(shop, rest);
    expect([status, body.status, body.canceledAt]).toEqual([201, "CANCELED", beginning.toISOString()]);
  });
});

describe("PUT /cover/subscription/{subscriptionId}/active", () => {
  test("undoes the cancellation and restarts no recovery", async () => {
    const shop = await registerCoverFixture(gateway);
    const { id } = await failing(shop);
    const { coverId } = await report(shop, id);
    await cancel(shop.subscriptionId);
    expect(statusAndBody(await activate(shop.subscriptionId))).toEqual(done);
    expect(await readCoverSubscription(gateway, shop.subscriptionId)).toMatchObject({
      status: "ACTIVE",
      canceledAt: null,
    });
    expect(await readCover(gateway, coverId!)).toMatchObject({ state: "STOPPED", endReason: "CANCELED" });
    expect(await report(shop, id)).toEqual({ coverId, retryDate: null });
  });

  test("lets recoveries of other orders start again", async () => {
    const shop = await registerCoverFixture(gateway);
    const order = await registerCoverOrder(gateway, shop, { subscriptionId: shop.subscriptionId });
    await cancel(shop.subscriptionId);
    expect(await report(shop, order.id)).toMatchObject({ errorCode: "SUBSCRIPTION_CANCELED" });
    await activate(shop.subscriptionId);
    expect((await report(shop, order.id)).retryDate).toBe(new Date(beginning.getTime() + DAY).toISOString());
  });

  test("changes nothing of a running subscription", async () => {
    const shop = await registerCoverFixture(gateway);
    await failing(shop);
    await expectNoChanges(gateway, async () =>
      expect(statusAndBody(await activate(shop.subscriptionId))).toEqual(done),
    );
    expect(await readCoverSubscription(gateway, shop.subscriptionId)).toMatchObject({ status: "UNPAID" });
  });
});

describe.each([
  ["cancel", cancel],
  ["active", activate],
])("the path of %s", (_, call) => {
  test.each([
    "4000000",
    "0",
    "-1",
    "1.5",
    "01",
    "abc",
    "9007199254740991",
    "9007199254740992",
    "99999999999999999999",
    "1e3",
    "%31x",
  ])("answers 400 to the id %s", async (id) =>
    expectNoChanges(gateway, async () =>
      expect(statusAndBody(await call(id))).toEqual(
        expectedUnknownPath(400, "SUBSCRIPTION_NOT_FOUND", "subscriptionId"),
      ),
    ),
  );

  test("answers 400 to an id of six hundred digits", async () => {
    expect(statusAndBody(await call("1".repeat(600)))).toEqual({
      status: 400,
      body: expect.objectContaining({ errorMessage: expect.any(String) }),
    });
  });
});

/** Sends a subscription of a shop once more under its partner id. */
async function sendAgain({ subscriptionId, customerId }: CoverFixture, rest: object) {
  const query = "query Own($id: ID!) { coverSubscription(id: $id) { partnerSubscriptionId } }";
  const { partnerSubscriptionId } = (await gateway.queryData(query, { id: subscriptionId })).coverSubscription!;
  return gateway.post("/cover/subscription", {
    customerId,
    currentPeriodStart: "2026-02-01T00:00:00Z",
    currentPeriodEnd: "2026-03-01T00:00:00Z",
    recurringInterval: "MONTH",
    recurringIntervalCount: 1,
    partnerSubscriptionId,
    replaceIfExists: true,
    ...rest,
  });
}
