import { describe, expect, test } from "vitest";
import { readCover, setCoverOrderStatus, readCoverOrder } from "../support/cover-reads.ts";
import { startGateway } from "../support/test-gateway.ts";
import {
  expectNoChanges,
  expectedInvalidFields,
  expectedRefusal,
  statusAndBody,
  expectedUnknownPath,
} from "../support/rest-assertions.ts";
import { registerCoverOrder, registerCoverFixture } from "../support/fixtures/cover-fixture.ts";
import { DAY, HOUR } from "../support/test-clock.ts";

const gateway = await startGateway();
const beginning = gateway.clock.now();
const shop = await registerCoverFixture(gateway);
const bound = { subscriptionId: shop.subscriptionId };
const failed = { ...bound, paymentFailed: true, errorCode: "51" };

const succeed = (id: number | string, query = "") => gateway.sendRest("PATCH", `/cover/order/success/${id}${query}`);
const cancel = (id: number | string) => gateway.sendRest("PATCH", `/cover/order/cancel/${id}`);
const later = () => gateway.clock.setTo(new Date(beginning.getTime() + HOUR));
const laterText = new Date(beginning.getTime() + HOUR).toISOString();

/** An order that was registered at the beginning; the clock is an hour later now. */
async function ordered(rest: object = {}) {
  gateway.clock.setTo(beginning);
  const order = await registerCoverOrder(gateway, shop, rest);
  later();
  return order;
}

const typesOf = async (orderId: number) =>
  (await readCoverOrder(gateway, orderId)).timeline.map(({ type }: { type: string }) => type);

describe("PATCH /cover/order/success/{orderId}", () => {
  test.each([
    ["that failed", failed],
    ["that is new", {}],
  ])("makes an order %s PAID now and answers it whole", async (_, rest) => {
    const order = await ordered(rest);
    expect(statusAndBody(await succeed(order.id))).toEqual({
      status: 200,
      body: { ...order, status: "PAID", paymentDate: laterText, retryDate: null },
    });
  });

  test("retains a paymentDate that was given before", async () => {
    const paymentDate = "2026-02-28T00:00:00.000Z";
    const order = await ordered({ ...failed, paymentDate });
    expect((await succeed(order.id)).body).toMatchObject({ status: "PAID", paymentDate });
  });

  test("ends the recovery as recovered", async () => {
    const order = await ordered(failed);
    await succeed(order.id);
    const { covers } = await readCoverOrder(gateway, order.id);
    expect(covers).toMatchObject([{ state: "RECOVERED", endReason: "PAID" }]);
    expect(await readCover(gateway, covers[0]!.databaseId)).toMatchObject({
      endedAt: laterText,
      retryDate: null,
      subscription: { status: "ACTIVE" },
    });
  });

  test("ends the recovery also of an order that was partially refunded meanwhile", async () => {
    const order = await ordered(failed);
    await registerCoverOrder(gateway, shop, {
      ...bound,
      partnerOrderId: order.partnerOrderId,
      amountReturned: 1,
      replaceIfExists: true,
    });
    expect((await succeed(order.id)).body.retryDate).toBeNull();
    expect((await readCoverOrder(gateway, order.id)).covers).toMatchObject([{ state: "RECOVERED", endReason: "PAID" }]);
  });

  test("repeated, answers the same and changes nothing", async () => {
    const order = await ordered(failed);
    const first = await succeed(order.id);
    gateway.clock.advance(DAY);
    await expectNoChanges(gateway, async () =>
      expect(statusAndBody(await succeed(order.id, "?notify=true"))).toEqual(statusAndBody(first)),
    );
  });

  test.each([
    ["PARTIAL_REFUND", { paymentDate: "2026-02-28T00:00:00Z", amountReturned: 1 }, []],
    ["FULL_REFUND", { paymentDate: "2026-02-28T00:00:00Z", amountReturned: 18_900 }, []],
    ["SHIPPING", { paymentDate: "2026-02-28T00:00:00Z" }, ["PREPARING", "SHIPPING"]],
  ])("leaves an order that is %s unchanged", async (status, rest, moves) => {
    const order = await ordered(rest);
    for (const move of moves) await setCoverOrderStatus(gateway, order.id, move);
    await expectNoChanges(gateway, async () =>
      expect(statusAndBody(await succeed(order.id))).toEqual({ status: 200, body: { ...order, status } }),
    );
  });

  test("after a cancel makes it PAID all the same, with a LATE_PAYMENT in the timeline", async () => {
    const order = await ordered(failed);
    await cancel(order.id);
    expect(await succeed(order.id)).toMatchObject({
      status: 200,
      body: { status: "PAID", paymentDate: laterText, retryDate: null },
    });
    const seen = await readCoverOrder(gateway, order.id);
    expect(seen.covers).toMatchObject([{ state: "STOPPED", endReason: "CANCELED" }]);
    expect(seen.timeline.at(-1)).toMatchObject({
      type: "ORDER_PAID_LATE",
      actor: "MANAGER",
      facts: { from: "CANCELED", to: "PAID" },
    });
  });

  test.each([
    ["", false],
    ["?notify=false", false],
    ["?notify=", false],
    ["?notify=true", true],
  ])("with the query '%s' requests the event: %s", async (query, notify) => {
    const order = await ordered(failed);
    expect((await succeed(order.id, query)).status).toBe(200);
    const { timeline } = await readCoverOrder(gateway, order.id);
    expect(timeline.filter(({ type }: { type: string }) => type === "COVER_RECOVERED")).toMatchObject([
      { notify, facts: { reason: "PAID" } },
    ]);
  });

  test.each(["1", "TRUE", "yes", "true&notify=false"])("refuses notify=%s", async (value) => {
    const order = await ordered(failed);
    await expectNoChanges(gateway, async () =>
      expect(statusAndBody(await succeed(order.id, `?notify=${value}`))).toEqual(
        expectedInvalidFields(["notify", "INVALID_TYPE"]),
      ),
    );
  });

  test("names unknown parameters, and continues", async () => {
    const order = await ordered(failed);
    const answer = await succeed(order.id, "?verbose=1&notify=true&Notify=2");
    expect([answer.status, answer.headers["x-ignored-parameters"]]).toEqual([
      200,
      "verbose, Notify; did-you-mean=notify",
    ]);
    expect((await succeed(order.id)).headers["x-ignored-parameters"]).toBeUndefined();
  });
});

describe("PATCH /cover/order/cancel/{orderId}", () => {
  test.each([
    ["that failed", failed],
    ["that is new", {}],
  ])("makes an order %s CANCELED now and answers it whole", async (_, rest) => {
    const order = await ordered(rest);
    expect(statusAndBody(await cancel(order.id))).toEqual({
      status: 200,
      body: { ...order, status: "CANCELED", canceledDate: laterText, retryDate: null },
    });
    expect(await typesOf(order.id)).toContain("ORDER_CANCELED");
  });

  test("stops the recovery, and a later report answers no date", async () => {
    const order = await ordered(failed);
    await cancel(order.id);
    const { covers } = await readCoverOrder(gateway, order.id);
    expect(covers).toMatchObject([{ state: "STOPPED", endReason: "CANCELED" }]);
    const report = await gateway.post("/cover/recovery", { ...bound, orderId: order.id, errorCode: "51" });
    expect(statusAndBody(report)).toEqual({ status: 201, body: { coverId: covers[0]!.databaseId, retryDate: null } });
  });

  test("repeated, answers the same and changes nothing", async () => {
    const order = await ordered(failed);
    const first = await cancel(order.id);
    gateway.clock.advance(DAY);
    await expectNoChanges(gateway, async () =>
      expect(statusAndBody(await cancel(order.id))).toEqual(statusAndBody(first)),
    );
  });

  test.each([
    ["PAID", {}, []],
    ["PARTIAL_REFUND", { amountReturned: 1 }, []],
    ["FULL_REFUND", { amountReturned: 18_900 }, []],
    ["FULFILLED", {}, ["PREPARING", "SHIPPING", "FULFILLED"]],
  ])("refuses an order that is %s", async (_, rest, moves) => {
    const order = await ordered({ paymentDate: "2026-02-28T00:00:00Z", ...rest });
    for (const move of moves) await setCoverOrderStatus(gateway, order.id, move);
    await expectNoChanges(gateway, async () =>
      expect(statusAndBody(await cancel(order.id))).toEqual(expectedRefusal(400, "ORDER_ALREADY_PAID")),
    );
  });

  test("refuses an order that was recovered", async () => {
    const order = await ordered(failed);
    await succeed(order.id);
    expect(statusAndBody(await cancel(order.id))).toEqual(expectedRefusal(400, "ORDER_ALREADY_PAID"));
  });
});

describe.each([
  ["success", succeed],
  ["cancel", cancel],
])("the path of %s", (_, call) => {
  test.each(["4000000", "0", "-1", "1.5", "01", "abc", "9007199254740992"])("answers 400 to the id %s", (id) =>
    expectNoChanges(gateway, async () =>
      expect(statusAndBody(await call(id))).toEqual(expectedUnknownPath(400, "ORDER_NOT_FOUND", "orderId")),
    ),
  );
});
