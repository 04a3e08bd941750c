import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { ErrorBody } from "../../support/rest-answers.ts";
import { startGateway, type TestResponse } from "../../support/test-gateway.ts";
import { expectedExplanation } from "../../support/rest-assertions.ts";
import { registerCoverOrder, registerCoverFixture } from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway();
const shop = await registerCoverFixture(gateway);
const order = await registerCoverOrder(gateway, shop, { paymentDate: "2026-02-28T00:00:00Z" });
const product = { name: "Filter", partnerProductId: "filter" };
await gateway.post("/cover/product", product);

/** One request for every type of refusal. */
const refusals: Record<string, () => Promise<TestResponse<Partial<ErrorBody>>>> = {
  "an unknown path": () => gateway.sendRawRest("GET", "/nothing"),
  "an unknown method": () => gateway.sendRawRest("GET", "/cover/customer"),
  "no token": () => gateway.post("/cover/customer", {}, { token: null }),
  "an unsupported media type": () =>
    gateway.post("/cover/customer", "x", { headers: { "content-type": "text/plain" } }),
  "a body that is too large": () => gateway.post("/cover/customer", " ".repeat(1_048_577)),
  "malformed JSON": () => gateway.post("/cover/customer", "{"),
  "a body with validation errors": () => gateway.post("/cover/customer", {}),
  "an unknown id in a body": () =>
    gateway.post("/cover/price", { name: "x", productId: 4_000_000, price: 1, partnerPriceId: "x" }),
  "an unknown id in the path": () => gateway.sendRest("PATCH", "/cover/order/cancel/4000000"),
  "a registered partner id": () => gateway.post("/cover/product", product),
  "a state that forbids it": () => gateway.sendRest("PATCH", `/cover/order/cancel/${order.id}`),
  "a path that cannot be decoded": () => gateway.sendRest("PUT", "/cover/subscription/%zz/cancel"),
};

describe("every refusal", () => {
  test.each(Object.entries(refusals))("has the error body of the contract and no other fields: %s", async (_, call) => {
    const { status, headers, body } = await call();
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    const { details, ...rest } = body;
    expect(rest).toEqual({
      errorCode: expect.stringMatching(/^[A-Z]+(_[A-Z]+)*$/),
      errorMessage: expect.stringMatching(/^[A-Za-z].{10,}\.$/),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const { fields: _fields, id: _id, legal: _legal, ...always } = details!;
    expect(always).toEqual(expectedExplanation(body.errorCode!));
  });

  test.each(Object.entries(refusals))("shows the caller's traceId, as the log does: %s", async (_, call) => {
    gateway.logLines.length = 0;
    const { body, status } = await call();
    const logged = gateway.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged).toContainEqual(
      expect.objectContaining({ traceId: body.traceId, status, errorCode: body.errorCode }),
    );
  });
});

test("the caller's trace id is the answered one", async () => {
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const answer = await gateway.post(
    "/cover/customer",
    {},
    { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } },
  );
  expect(answer.body.traceId).toBe(trace);
});

test.each(["00-xyz-00f067aa0ba902b7-01", "", "4bf92f3577b34da6a3ce929d0e0e4736"])(
  "an invalid traceparent %j is replaced by a new trace",
  async (traceparent) => {
    const traces = [1, 2].map(
      async () => (await gateway.post("/cover/customer", {}, { headers: { traceparent } })).body.traceId as string,
    );
    const [first, second] = await Promise.all(traces);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
  },
);

test("a server error is a 500 that shows only its trace, and stores nothing", async () => {
  await gateway.database.handle.execute(sql`alter table event_log rename to event_log_gone`);
  const answer = await gateway.post("/cover/subscription", {
    customerId: shop.customerId,
    currentPeriodStart: "2026-02-01T00:00:00Z",
    currentPeriodEnd: "2026-03-01T00:00:00Z",
    recurringInterval: "MONTH",
    recurringIntervalCount: 1,
    partnerSubscriptionId: "half",
  });
  await gateway.database.handle.execute(sql`alter table event_log_gone rename to event_log`);
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 500,
    body: {
      errorCode: "INTERNAL_ERROR",
      errorMessage: expect.any(String),
      traceId: expect.any(String),
      details: { docUrl: "/docs/errors/INTERNAL_ERROR" },
    },
  });
  expect(JSON.stringify(answer.body)).not.toMatch(/event_log|relation|insert/i);
  const half = await gateway.database.handle.execute(
    sql`select id from cover_subscriptions where partner_subscription_id = 'half'`,
  );
  expect(half).toEqual([]);
});
