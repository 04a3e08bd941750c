import { expect, test } from "vitest";
import { startGateway } from "../support/test-gateway.ts";
import { registerCoverOrder, registerCoverFixture } from "../support/fixtures/cover-fixture.ts";

const gateway = await startGateway({ now: "2026-03-01T00:15:00Z" });

test("a failed renewal is retried on schedule and recovered", async () => {
  const shop = await registerCoverFixture(gateway);

  // 1 March, 09:15 in Seoul: the renewal fails for insufficient funds.
  const order = await registerCoverOrder(gateway, shop, { subscriptionId: shop.subscriptionId });
  const failure = { subscriptionId: shop.subscriptionId, orderId: order.id, errorCode: "51", errorMessage: "잔액부족" };
  const started = await gateway.post("/cover/recovery", failure);
  expect(started).toMatchObject({
    status: 201,
    body: { coverId: expect.any(Number), retryDate: "2026-03-02T00:15:00.000Z" },
  });

  // The answer was lost, so the caller sends the report again: nothing changes.
  gateway.clock.setTo("2026-03-01T00:16:00Z");
  expect((await gateway.post("/cover/recovery", failure)).body).toEqual(started.body);

  // 2 March: the first retry fails, three minutes before its date by the caller's clock.
  gateway.clock.setTo("2026-03-02T00:12:00Z");
  expect((await gateway.post("/cover/recovery", failure)).body).toEqual({
    ...started.body,
    retryDate: "2026-03-04T00:15:00.000Z",
  });

  // 4 March: the second retry succeeds.
  gateway.clock.setTo("2026-03-04T00:15:00Z");
  const paid = await gateway.sendRest("PATCH", `/cover/order/success/${order.id}?notify=true`);
  expect(paid).toMatchObject({
    status: 200,
    body: { status: "PAID", paymentDate: "2026-03-04T00:15:00.000Z", retryDate: null },
  });

  // A late report changes nothing: the scenario has ended.
  expect((await gateway.post("/cover/recovery", failure)).body).toEqual({ ...started.body, retryDate: null });
});
