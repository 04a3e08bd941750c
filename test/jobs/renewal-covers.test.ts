import { beforeEach, describe, expect, test } from "vitest";
import { createServices } from "../../src/graphql/services.ts";
import { toGlobalId } from "../../src/graphql/record-ids.ts";
import { queryRows } from "../hostile/query-rows.ts";
import type { DocumentText, Selected, SelectionOf } from "../support/answers.ts";
import { errorSummaries } from "../support/cover-mutations.ts";
import { createTestChild } from "../support/fixtures/child-vendors.ts";
import { startGateway, type RequestOptions } from "../support/test-gateway.ts";
import { everyMonth } from "../support/test-catalogue.ts";
import { DAY } from "../support/test-clock.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

const NOW = "2026-01-31T03:00:00.000Z";
const gateway = await startGateway({ now: NOW });
const worker = createWorker(gateway);

let own: RequestOptions;
let vendorId: number;
let payments: TestPayments;
beforeEach(async () => {
  gateway.clock.setTo(NOW);
  const vendor = await gateway.openVendor();
  [own, vendorId] = [{ token: vendor.token }, vendor.id];
  payments = await TestPayments.start(gateway, own);
});

const ask = <Q extends DocumentText>(query: Q, variables: object = {}, options = own) =>
  gateway.queryData(query, variables as Record<string, unknown>, options);

/** Lets the worker make so many retries of an order's cover, each at its date. */
async function tries(count: number, orderId: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    gateway.clock.setTo((await coverOf(orderId, "retryDate")).retryDate!);
    await runUntilIdle(worker);
  }
}

/** A subscription whose first renewal was due just now, and the order that charges it. */
async function renewed(card: string): Promise<{ id: number; orderId: number }> {
  const { databaseId } = await payments.createOrder("10000", { plan: { type: "FLAT", recurring: everyMonth } });
  await payments.payOrder(databaseId, card);
  const { subscriptions } = await payments.readOrder(databaseId, "subscriptions { databaseId }");
  const id = subscriptions[0]!.databaseId;
  const due = Date.parse((await subscription(id, "nextPaymentDate")).nextPaymentDate!);
  gateway.clock.setTo(new Date(due).toISOString());
  await runUntilIdle(worker);
  const { latestOrders } = await subscription(id, "latestOrders { databaseId }");
  return { id, orderId: latestOrders[0]!.databaseId };
}

const subscription = async <S extends SelectionOf<"Subscription">>(
  id: number,
  selection: S,
): Promise<Selected<"Subscription", S>> => {
  const query = `query ($id: ID!) { subscription(id: $id) { ${selection} } }`;
  return (await gateway.queryRawData(query, { id: String(id) }, own)).subscription;
};

const DECISIONS = "decisions(first: 20) { nodes { databaseId retryDate endReason reasonClass } }";
const COVER = `databaseId state endReason retryDate order { id } subscription { id } renewalOrder { databaseId amount }
  renewalSubscription { databaseId status } attempts { nodes { number kind errorCode initiator reasonClass } }
  timeline(first: 20) { nodes { type actor statusBefore statusAfter facts notify } } ${DECISIONS}` as const;

const coverOf = async <S extends SelectionOf<"Cover"> = typeof COVER>(
  orderId: number,
  selection?: S,
): Promise<Selected<"Cover", S>> => {
  const query = `query ($id: ID!) { order(id: $id) { covers { nodes { ${selection ?? COVER} } } } }`;
  const { order } = await gateway.queryRawData(query, { id: String(orderId) }, own);
  expect(order.covers.nodes).toHaveLength(1);
  return order.covers.nodes[0];
};

/** The decline of all later charges of declined cards; its message has no meaning either. */
const declineWith = (code: string) =>
  queryRows(
    gateway,
    `update simulated_methods set behaviour = (behaviour::jsonb || '{"code": "${code}", "message": "E-77"}')::text where behaviour like '%DECLINE_LATER%'`,
  );

/** Activates a policy. */
async function inForce(terms: object): Promise<void> {
  const { policy } = await payments.runMutation("proposeRecoveryPolicy", { terms }, "policy { databaseId }");
  await payments.runMutation(
    "activateRecoveryPolicy",
    { policyId: String(policy.databaseId) },
    "policy { databaseId }",
  );
}

describe("a cover of a renewal", () => {
  test("has its renewal, attempts, decisions and events, and is listed by its order and subscription", async () => {
    const { id, orderId } = await renewed(testCards.neverAgain);
    const cover = await coverOf(orderId);
    expect(cover).toMatchObject({
      state: "IN_PROGRESS",
      endReason: null,
      order: null,
      subscription: null,
      renewalOrder: { databaseId: orderId, amount: "10000" },
      renewalSubscription: { databaseId: id, status: "UNPAID" },
      attempts: { nodes: [{ number: 1, kind: "FIRST_FAILURE", initiator: "MERCHANT", errorCode: "51" }] },
    });
    expect(Date.parse(cover.retryDate!) - gateway.clock.now().getTime()).toBe(DAY);
    // Without its order it could never be recovered.
    const cancelled = await payments.sendMutation("cancelOrder", { orderId: String(orderId) }, "order { databaseId }");
    expect(errorSummaries(cancelled)).toEqual(["ILLEGAL_TRANSITION"]);
    await tries(5, orderId);
    const ended = await coverOf(orderId);
    expect(ended).toMatchObject({
      databaseId: cover.databaseId,
      state: "EXHAUSTED",
      endReason: "NO_TRIES_LEFT",
      retryDate: null,
      renewalSubscription: { status: "EXPIRED" },
    });
    expect(ended.attempts.nodes.map(({ kind }) => kind)).toEqual(["FIRST_FAILURE", ...Array(5).fill("SCHEDULED")]);
    const { nodes } = ended.timeline;
    expect(nodes.map(({ type }) => type)).toEqual([
      "COVER_STARTED",
      ...Array(5).fill("COVER_ATTEMPT_FAILED"),
      "COVER_EXHAUSTED",
    ]);
    expect(nodes[1]).toMatchObject({ actor: "SYSTEM", notify: true, facts: { attempt: 2, kind: "SCHEDULED" } });
    expect(nodes.at(-1)).toMatchObject({ statusBefore: "IN_PROGRESS", statusAfter: "EXHAUSTED" });
    expect(nodes.at(-1)!.facts).toEqual({ reason: "NO_TRIES_LEFT" });
    const shown = await subscription(id, "covers { totalCount nodes { databaseId } } timeline { nodes { subject } }");
    expect(shown.covers).toEqual({ totalCount: 1, nodes: [{ databaseId: cover.databaseId }] });
    expect(shown.timeline.nodes.filter(({ subject }) => subject === "COVER")).toHaveLength(7);
  });

  test("is found by its id, as a node, and in the list of covers by its order and subscription", async () => {
    const { id, orderId } = await renewed(testCards.neverAgain);
    const { databaseId } = await coverOf(orderId, "databaseId");
    const found = { databaseId };
    const data = await ask(
      `query ($cover: ID!, $node: ID!, $order: ID!, $subscription: ID!) {
        cover(id: $cover) { databaseId } node(id: $node) { ... on Cover { databaseId } }
        all: covers { nodes { databaseId } }
        byOrder: covers(filter: { renewalOrderId: $order }) { totalCount nodes { databaseId } }
        bySubscription: covers(filter: { renewalSubscriptionId: $subscription }) { nodes { databaseId } }
        registered: covers(filter: { orderId: $order }) { nodes { databaseId } }
      }`,
      {
        cover: String(databaseId),
        node: toGlobalId("Cover", databaseId),
        order: String(orderId),
        subscription: toGlobalId("Subscription", id),
      },
    );
    expect(data).toEqual({
      cover: found,
      node: found,
      all: { nodes: [found] },
      byOrder: { totalCount: 1, nodes: [found] },
      bySubscription: { nodes: [found] },
      registered: { nodes: [] },
    });
  });

  test("is not found by another vendor, which gets the answer for an unknown id", async () => {
    const { id, orderId } = await renewed(testCards.neverAgain);
    const { databaseId, decisions } = await coverOf(orderId, `databaseId ${DECISIONS}`);
    const stranger = { token: (await gateway.openVendor()).token };
    const query = `query ($cover: ID!, $order: ID!, $subscription: ID!, $decision: ID!) {
      cover(id: $cover) { id } replayDecision(id: $decision) { isReproduced }
      covers { totalCount } byOrder: covers(filter: { renewalOrderId: $order }) { nodes { id } }
      bySubscription: covers(filter: { renewalSubscriptionId: $subscription }) { nodes { id } } }`;
    const answer = await ask(
      query,
      {
        cover: String(databaseId),
        order: String(orderId),
        subscription: String(id),
        decision: String(decisions.nodes[0]!.databaseId),
      },
      stranger,
    );
    expect(answer).toEqual({
      cover: null,
      replayDecision: null,
      covers: { totalCount: 0 },
      byOrder: { nodes: [] },
      bySubscription: { nodes: [] },
    });
  });

  test("is read with one statement for each edge, whatever the number of covers", async () => {
    const edges = [
      ["renewalOrder", "amount items { status }"],
      ["renewalSubscription", "status price { code }"],
      ["timeline", "nodes { type }"],
      ["decision", "explanation"],
      ["attempts", "totalCount"],
    ] as const;
    const below = edges.map(([edge, selection]) => `${edge} { ${selection} }`).join(" ");
    const query = `{ covers { nodes { ${below} } } subscriptions { nodes { covers { nodes { state } } } }
      orders { nodes { covers { totalCount } } } }`;
    const statementsOf = async () => {
      gateway.statements.length = 0;
      const { covers } = await gateway.queryRawData(query, {}, own);
      expect(covers.nodes.at(-1).renewalOrder.items).toHaveLength(1);
      expect(covers.nodes.at(-1).renewalSubscription.price.code).toBeTruthy();
      return gateway.statements.filter(({ text }) => !text.includes("api_keys")).length;
    };
    await renewed(testCards.neverAgain);
    expect(await statementsOf()).toBe(1 + edges.length + 2 * 2);
    await renewed(testCards.neverAgain);
    await renewed(testCards.neverAgain);
    expect(await statementsOf()).toBe(1 + edges.length + 2 * 2);
  });

  test("stores decisions that a replay reproduces", async () => {
    const { orderId } = await renewed(testCards.neverAgain);
    await tries(5, orderId);
    const { decisions } = await coverOf(orderId, DECISIONS);
    expect(decisions.nodes).toHaveLength(6);
    expect(decisions.nodes.at(-1)).toMatchObject({ retryDate: null, endReason: "NO_TRIES_LEFT" });
    for (const { databaseId, retryDate, endReason } of decisions.nodes) {
      const { replayDecision } = await ask(
        "query ($id: ID!) { replayDecision(id: $id) { isReproduced differences retryDate endReason } }",
        { id: String(databaseId) },
      );
      expect(replayDecision).toEqual({ isReproduced: true, differences: [], retryDate, endReason });
    }
  });

  test("is counted like every other cover", async () => {
    const analytics = async () =>
      (
        await ask(
          `{ recoveryAnalytics { total { cases amount recovered recoveredAmount lost open } byReason { reasonClass cases } byGateway { paymentGateway }
            byAttempt { attempt recovered } } }`,
        )
      ).recoveryAnalytics;
    const { orderId } = await renewed(testCards.recoversOnThirdRetry);
    const started = { cases: 1, amount: "10000", recovered: 0, recoveredAmount: "0", lost: 0, open: 1 };
    expect(await analytics()).toMatchObject({
      total: started,
      byReason: [{ reasonClass: "INSUFFICIENT_FUNDS", cases: 1 }],
      byGateway: [{ paymentGateway: "HOUSE" }],
    });
    await tries(3, orderId);
    expect((await coverOf(orderId, "state")).state).toBe("RECOVERED");
    expect(await analytics()).toMatchObject({
      total: { ...started, recovered: 1, recoveredAmount: "10000", open: 0 },
      byAttempt: [{ attempt: 3, recovered: 1 }],
    });
    await renewed(testCards.lostLater);
    expect((await analytics()).total).toMatchObject({ cases: 2, recovered: 1, lost: 1, open: 0 });
  });
});

describe("a vendor's own policy", () => {
  const oneTry = { plan: { kind: "LADDER", offsetsInDays: [2] } };

  test.each([
    [undefined, "EXPIRED"],
    ["EXPIRE", "EXPIRED"],
    ["PAUSE", "PAUSE"],
    ["CANCEL", "CANCELED"],
    ["KEEP", "UNPAID"],
  ])("applies to its covers, and its final action %s makes the subscription %s", async (finalAction, status) => {
    await inForce({ ...oneTry, finalAction });
    const { id, orderId } = await renewed(testCards.neverAgain);
    const { policy, retryDate } = await coverOf(orderId, "retryDate policy { version finalAction }");
    expect(policy).toMatchObject({ version: expect.stringMatching(/^policy-/), finalAction: finalAction ?? null });
    expect(Date.parse(retryDate!) - gateway.clock.now().getTime()).toBe(2 * DAY);
    await tries(1, orderId);
    expect(await coverOf(orderId, "state endReason")).toEqual({ state: "EXHAUSTED", endReason: "NO_TRIES_LEFT" });
    expect((await subscription(id, "status")).status).toBe(status);
  });

  test("still applies to covers in progress when another policy replaces it", async () => {
    const { orderId } = await renewed(testCards.neverAgain);
    await inForce(oneTry);
    await tries(1, orderId);
    const { policy, attempts } = await coverOf(orderId, "policy { version } attempts { totalCount }");
    expect(policy).toEqual({ version: "ladder-1-3-5-10-14" });
    expect(attempts).toEqual({ totalCount: 2 });
  });
});

describe("a report on the order of a renewal", () => {
  test("is refused as a report on an unknown order", async () => {
    const { id, orderId } = await renewed(testCards.neverAgain);
    const report = async (order: number, subscriptionId: number) => [
      errorSummaries(
        await payments.sendMutation(
          "startRecovery",
          { orderId: String(order), subscriptionId: String(subscriptionId) },
          "cover { id }",
        ),
      ),
      errorSummaries(
        await payments.sendMutation("reportPaymentMethodChanged", { orderId: String(order) }, "cover { id }"),
      ),
      errorSummaries(await payments.sendMutation("reportCoverOrderPaid", { orderId: String(order) }, "order { id }")),
      errorSummaries(await payments.sendMutation("cancelCoverOrder", { orderId: String(order) }, "order { id }")),
      errorSummaries(
        await payments.sendMutation(
          "cancelCoverSubscription",
          { subscriptionId: String(subscriptionId) },
          "subscription { id }",
        ),
      ),
      await byRest("POST", "/cover/recovery", { orderId: order, subscriptionId }),
      await byRest("PATCH", `/cover/order/success/${order}`),
      await byRest("PATCH", `/cover/order/cancel/${order}`),
      await byRest("PUT", `/cover/subscription/${subscriptionId}/cancel`),
    ];
    expect(await report(orderId, id)).toEqual(await report(999_999, 999_999));
    expect((await coverOf(orderId, "state")).state).toBe("IN_PROGRESS");
  });

  const byRest = async (method: "POST" | "PATCH" | "PUT", path: string, body: object = {}) => {
    const answer = await gateway.sendRawRest(method, path, body, own);
    return { status: answer.status, code: answer.body.code };
  };
});

describe("a decline code that only the merchant can map", () => {
  const failing = async (): Promise<{ id: number; orderId: number }> => {
    const { databaseId } = await payments.createOrder("10000", { plan: { type: "FLAT", recurring: everyMonth } });
    await payments.payOrder(databaseId, testCards.neverAgain);
    await declineWith("Q7");
    const { subscriptions } = await payments.readOrder(databaseId, "subscriptions { databaseId nextPaymentDate }");
    const { databaseId: id, nextPaymentDate } = subscriptions[0]!;
    gateway.clock.setTo(new Date(nextPaymentDate!).toISOString());
    await runUntilIdle(worker);
    const { latestOrders } = await subscription(id, "latestOrders { databaseId }");
    return { id, orderId: latestOrders[0]!.databaseId };
  };
  const map = (reasonClass: string) =>
    payments.runMutation("mapDeclineCode", { paymentGateway: "HOUSE", errorCode: "Q7", reasonClass }, "errorCode");

  test("is UNKNOWN for renewals, which are retried", async () => {
    const { id, orderId } = await failing();
    expect(await coverOf(orderId)).toMatchObject({
      state: "IN_PROGRESS",
      attempts: { nodes: [{ errorCode: "Q7", reasonClass: "UNKNOWN" }] },
    });
    expect((await subscription(id, "status")).status).toBe("UNPAID");
    const { unmappedDeclines } = await ask("{ unmappedDeclines { paymentGateway errorCode declines } }");
    expect(unmappedDeclines).toEqual([{ paymentGateway: "HOUSE", errorCode: "Q7", declines: 1 }]);
  });

  test("ends the recovery of a renewal at once when it is mapped to NEVER", async () => {
    await map("NEVER");
    const { id, orderId } = await failing();
    expect(await coverOf(orderId)).toMatchObject({
      state: "STOPPED",
      endReason: "MUST_NOT_RETRY",
      attempts: { nodes: [{ errorCode: "Q7", reasonClass: "NEVER" }] },
    });
    expect((await subscription(id, "status")).status).toBe("EXPIRED");
  });

  test("is classified by its mapping when a retry is declined with it", async () => {
    const { id, orderId } = await failing();
    await map("FIX_DATA_FIRST");
    await tries(1, orderId);
    expect(await coverOf(orderId)).toMatchObject({
      state: "STOPPED",
      endReason: "NEEDS_NEW_METHOD",
      attempts: { nodes: [{ reasonClass: "UNKNOWN" }, { errorCode: "Q7", reasonClass: "FIX_DATA_FIRST" }] },
    });
    expect((await subscription(id, "status")).status).toBe("UNPAID");
  });
});

describe("a cover with nothing left to be recovered ends in the request", () => {
  const endOf = (orderId: number) => coverOf(orderId, "state endReason retryDate timeline(last: 1) { nodes { type } }");

  test("in which the payer pays", async () => {
    const { orderId } = await renewed(testCards.neverAgain);
    await payments.payOrder(orderId);
    expect(await endOf(orderId)).toEqual({
      ...{ state: "RECOVERED", endReason: "PAID", retryDate: null },
      timeline: { nodes: [{ type: "COVER_RECOVERED" }] },
    });
  });

  test("in which the subscription is cancelled", async () => {
    const { id, orderId } = await renewed(testCards.neverAgain);
    const input = { subscriptionId: String(id), when: "NOW" };
    await payments.runMutation("cancelSubscription", input, "subscription { status }");
    expect(await endOf(orderId)).toEqual({
      ...{ state: "STOPPED", endReason: "CANCELED", retryDate: null },
      timeline: { nodes: [{ type: "COVER_STOPPED" }] },
    });
  });

  test("in which the payer pays while a worker makes the retry", async () => {
    const renewals: Awaited<ReturnType<typeof renewed>>[] = [];
    for (let count = 0; count < 4; count++) {
      gateway.clock.setTo(NOW);
      renewals.push(await renewed(testCards.neverAgain));
    }
    gateway.clock.setTo((await coverOf(renewals[0]!.orderId, "retryDate")).retryDate!);
    await Promise.all([runUntilIdle(worker), ...renewals.map(({ orderId }) => payments.sendPayOrder(orderId))]);
    for (const { id, orderId } of renewals) {
      // An attempt of the payer may be refused while the worker's is under way.
      if ((await subscription(id, "status")).status === "UNPAID") await payments.payOrder(orderId);
      expect(await endOf(orderId)).toMatchObject({ state: "RECOVERED", endReason: "PAID" });
      expect(await subscription(id, "status")).toEqual({ status: "ACTIVE" });
    }
  });
});

test("a retry is confirmed only for the current date of its cover", async () => {
  const { id: subscriptionId, orderId } = await renewed(testCards.recoversOnThirdRetry);
  const confirm = (retryAt: Date) =>
    gateway.database.transaction(async (handle) => {
      const { renewalCovers, orderRecords } = createServices(handle, gateway.clock.now());
      const order = await orderRecords.byId(vendorId, orderId);
      const vendor = { id: vendorId, zoneId: "Asia/Seoul", country: "KR", currency: "KRW" };
      const instrument = { paymentGateway: null, paymentMethod: null, methodId: null };
      return renewalCovers.confirmRetry(vendor, order, { subscriptionId, ...instrument, retryAt });
    });
  const first = new Date((await coverOf(orderId, "retryDate")).retryDate!);
  gateway.clock.setTo(first.toISOString());
  expect(await confirm(first)).toBe(true);
  expect(await confirm(new Date(first.getTime() - DAY))).toBe(false);
  await tries(1, orderId);
  expect(await confirm(first)).toBe(false);
});

describe("a renewal that fails during an experiment", () => {
  const LADDER = { kind: "LADDER", offsetsInDays: [7, 14] };
  const ARM = "retryDate state policy { version } experimentArm { number isHoldout experiment { databaseId } }";
  const startExperiment = async (): Promise<{ id: number; policyId: number }> => {
    const { policy } = await payments.runMutation(
      "proposeRecoveryPolicy",
      { terms: { plan: LADDER } },
      "policy { databaseId }",
    );
    const arms = [{ policyId: String(policy.databaseId), share: "0.5" }];
    const { experiment } = await payments.runMutation(
      "startRecoveryExperiment",
      { arms, holdout: { share: "0.5" } },
      "experiment { databaseId }",
    );
    return { id: experiment.databaseId, policyId: policy.databaseId };
  };
  const armOfCover = (orderId: number) => coverOf(orderId, ARM);
  const casesOf = async (id: number, options = own): Promise<number[][]> =>
    (
      await gateway.queryData(
        "query ($id: ID!) { recoveryExperiment(id: $id) { arms { results { cases recovered lost } } } }",
        { id },
        options,
      )
    ).recoveryExperiment!.arms.map(({ results }) => [results.cases, results.recovered, results.lost]);

  test("is run by the arm of its payer, which further renewals of the payer get too, and is counted there", async () => {
    const { id, policyId } = await startExperiment();
    const first = await armOfCover((await renewed(testCards.neverAgain)).orderId);
    const { number, isHoldout } = first.experimentArm!;
    expect(first.experimentArm).toEqual({ number, isHoldout: number === 0, experiment: { databaseId: id } });
    expect(first.policy.version).toBe(isHoldout ? "ladder-1-3-5-10-14" : `policy-${policyId}`);
    expect(Date.parse(first.retryDate!) - gateway.clock.now().getTime()).toBe(isHoldout ? DAY : 7 * DAY);
    const { orderId } = await renewed(testCards.neverAgain);
    expect((await armOfCover(orderId)).experimentArm).toEqual(first.experimentArm);
    // Until the second cover is given up, after the first.
    await tries(isHoldout ? 5 : 2, orderId);
    expect((await armOfCover(orderId)).state).toBe("EXHAUSTED");
    const counts = (await casesOf(id))[number];
    expect(counts).toEqual([2, 0, 2]);
  });

  test("of a child without an own policy is in its parent's experiment, which the child cannot read", async () => {
    const { id } = await startExperiment();
    const parent = own;
    own = { token: (await createTestChild(gateway, {}, parent)).token };
    payments = await TestPayments.start(gateway, own);
    const { experimentArm } = await armOfCover((await renewed(testCards.neverAgain)).orderId);
    expect(experimentArm).toMatchObject({ isHoldout: experimentArm!.number === 0, experiment: null });
    expect((await casesOf(id, parent))[experimentArm!.number]).toEqual([1, 0, 0]);
  });
});

test("a decision says that the retry is being made when its date has come", async () => {
  const { orderId } = await renewed(testCards.neverAgain);
  gateway.clock.setTo((await coverOf(orderId, "retryDate")).retryDate!);
  const { decision } = await coverOf(
    orderId,
    "decision { en: explanation(language: ENGLISH) ko: explanation(language: KOREAN) }",
  );
  expect(decision).toEqual({
    en: "The attempt of Sunday, 1 March 2026 at 12:00 (Asia/Seoul) is due, and is being made.",
    ko: "2026년 3월 1일(일) 12:00(Asia/Seoul)의 시도를 진행하고 있습니다.",
  });
});
