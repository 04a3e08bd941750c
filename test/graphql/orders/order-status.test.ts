import { describe, expect, test } from "vitest";
import { CoverOrderStatus } from "../../../schema/vocabulary.ts";
import { coverOrderTransitions, transitionsOf } from "../../../src/recovery/registry/cover-order.states.ts";
import {
  sendMutation,
  errorSummaries,
  runMutation,
  minimalInputs,
  createCoverOrder,
  createCoverFixture,
} from "../../support/cover-mutations.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { expectNoChanges } from "../../support/rest-assertions.ts";

const NOW = "2026-03-01T09:30:00.000Z";
const gateway = await startGateway({ now: NOW });
const shop = await createCoverFixture(gateway);

const statuses = Object.keys(CoverOrderStatus) as CoverOrderStatus[];

/** The ways to register an order, and the state each one leads to. */
const beginnings: Partial<Record<CoverOrderStatus, object>> = {
  CREATED: {},
  PAYMENT_FAILURE: { paymentFailed: true },
  CANCELED: { canceledAt: NOW },
  PAID: { paymentDate: NOW },
};

/** The shortest path to each state: the registration of the order, and the transitions after it. */
function waysToStates(): Map<CoverOrderStatus, { registered: object; moves: CoverOrderStatus[] }> {
  const known = Object.entries(beginnings) as [CoverOrderStatus, object][];
  const ways = new Map(known.map(([status, registered]) => [status, { registered, moves: [] as CoverOrderStatus[] }]));
  for (const [status, { registered, moves }] of ways)
    for (const next of coverOrderTransitions[status])
      if (!ways.has(next)) ways.set(next, { registered, moves: [...moves, next] });
  return ways;
}

const ways = waysToStates();

const move = (orderId: number, status: CoverOrderStatus) =>
  sendMutation(
    gateway,
    "setCoverOrderStatus",
    { orderId, status, ...(status === "PARTIAL_REFUND" && { amountReturned: "0.5" }) },
    "order { status amountReturned canceledAt paymentDate modifiedAt }",
  );

/** A new order in a state. */
async function orderIn(status: CoverOrderStatus): Promise<number> {
  const { registered, moves } = ways.get(status)!;
  const { databaseId } = (await runMutation(gateway, "registerCoverOrder", minimalInputs.order(shop, registered)))
    .order;
  for (const next of moves) expect((await move(databaseId, next)).errors).toBeUndefined();
  return databaseId;
}

describe("the table of transitions", () => {
  const [refunds, none] = [["PARTIAL_REFUND", "FULL_REFUND"], [] as string[]];

  test("equals the contract's state tables", () => {
    expect(coverOrderTransitions).toEqual({
      CREATED: none,
      PAYMENT_FAILURE: none,
      CANCELED: none,
      PAID: ["PREPARING", "CANCEL_REQ", ...refunds],
      PREPARING: ["SHIPPING", "CANCEL_REQ", ...refunds],
      SHIPPING: ["FULFILLED", ...refunds],
      FULFILLED: ["CHANGE_REQ", "RETURN_REQ", ...refunds],
      CANCEL_REQ: ["CANCELED", "PAID", "PREPARING", ...refunds],
      CHANGE_REQ: ["CHANGE_PROCESS", ...refunds],
      CHANGE_PROCESS: ["CHANGED", ...refunds],
      CHANGED: refunds,
      RETURN_REQ: ["RETURN_PROCESS", ...refunds],
      RETURN_PROCESS: ["RETURNED", ...refunds],
      RETURNED: refunds,
      PARTIAL_REFUND: ["FULL_REFUND"],
      FULL_REFUND: none,
    });
  });

  test("reaches every state", () => {
    expect([...ways.keys()].sort()).toEqual(statuses.toSorted());
  });

  test("leads out of every state except a full refund and those that follow from reports", () => {
    const final = statuses.filter((status) => coverOrderTransitions[status].length === 0);
    expect(final.sort()).toEqual(["CANCELED", "CREATED", "FULL_REFUND", "PAYMENT_FAILURE"]);
  });
});

describe.each(statuses)("an order that is %s", (from) => {
  const { moves } = ways.get(from)!;
  const legal = transitionsOf(from, moves.length > 0 ? (moves.at(-2) ?? "PAID") : null);

  if (legal.length > 0)
    test.each(legal)("becomes %s", async (to) => {
      const { data } = await move(await orderIn(from), to);
      expect(data!.setCoverOrderStatus.order.status).toBe(to);
    });

  test("is unchanged when it is set to its own state", async () => {
    const orderId = await orderIn(from);
    const { data } = await expectNoChanges(gateway, () => move(orderId, from));
    expect(data!.setCoverOrderStatus.order.status).toBe(from);
  });

  test("refuses every other state, and names the allowed ones", async () => {
    const orderId = await orderIn(from);
    for (const to of statuses.filter((status) => status !== from && !legal.includes(status))) {
      const { data, errors } = await expectNoChanges(gateway, () => move(orderId, to));
      const [{ message, extensions }] = errors as [NonNullable<typeof errors>[number]];
      expect([to, data, extensions["code"], extensions["details"]]).toEqual([
        to,
        null,
        "ILLEGAL_TRANSITION",
        expect.objectContaining({ legal }),
      ]);
      const others = legal.length > 0 ? `It can become ${legal.join(", ")}.` : "It can be moved to no other status.";
      expect(message).toBe(`An order that is ${from} cannot become ${to}. ${others} Received ${orderId}.`);
    }
  });
});

describe("a request for cancellation that is refused", () => {
  const requestedIn = async (from: CoverOrderStatus): Promise<number> => {
    const orderId = await orderIn(from);
    expect((await move(orderId, "CANCEL_REQ")).errors).toBeUndefined();
    return orderId;
  };

  test.each([
    ["PAID", "PREPARING"],
    ["PREPARING", "PAID"],
  ] as const)("returns to %s, where it was made, and not to %s", async (from, other) => {
    const orderId = await requestedIn(from);
    const { errors } = await expectNoChanges(gateway, () => move(orderId, other));
    expect(errors![0]!.extensions).toMatchObject({
      code: "ILLEGAL_TRANSITION",
      details: { legal: ["CANCELED", from, "PARTIAL_REFUND", "FULL_REFUND"] },
    });
    expect((await move(orderId, from)).data!.setCoverOrderStatus.order.status).toBe(from);
  });

  test("returns each time to the state where it was made that time", async () => {
    const orderId = await requestedIn("PAID");
    for (const status of ["PAID", "PREPARING", "CANCEL_REQ", "PREPARING"] as const)
      expect((await move(orderId, status)).errors).toBeUndefined();
    expect((await move(orderId, "CANCEL_REQ")).errors).toBeUndefined();
    expect((await move(orderId, "PAID")).errors).toHaveLength(1);
  });

  test("still returns when the order was registered again meanwhile", async () => {
    const partnerOrderId = "requested-then-replaced";
    const input = (rest: object) => minimalInputs.order(shop, { partnerOrderId, paymentDate: NOW, ...rest });
    const { databaseId } = (await runMutation(gateway, "registerCoverOrder", input({}))).order;
    for (const status of ["PREPARING", "CANCEL_REQ"] as const) await move(databaseId, status);
    await runMutation(gateway, "registerCoverOrder", input({ replaceIfExists: true }));
    expect((await move(databaseId, "PREPARING")).errors).toBeUndefined();
  });
});

test.each(["CREATED", "PAYMENT_FAILURE", "CANCELED"] as const)(
  "an order that is %s leaves this state by a payment",
  async (from) => {
    const orderId = await orderIn(from);
    expect(await runMutation(gateway, "reportCoverOrderPaid", { orderId })).toEqual({ order: { status: "PAID" } });
  },
);

test("a cancelled order shows the date of its cancellation, and that of its payment", async () => {
  const orderId = await orderIn("CANCEL_REQ");
  gateway.clock.setTo("2026-03-01T12:00:00Z");
  const { data } = await move(orderId, "CANCELED");
  gateway.clock.setTo(NOW);
  expect(data!.setCoverOrderStatus.order).toEqual({
    status: "CANCELED",
    amountReturned: "0",
    canceledAt: "2026-03-01T12:00:00.000Z",
    paymentDate: NOW,
    modifiedAt: "2026-03-01T12:00:00.000Z",
  });
});

describe("a refund", () => {
  const refund = (orderId: number, status: string, amountReturned?: unknown) =>
    sendMutation(
      gateway,
      "setCoverOrderStatus",
      { orderId, status, amountReturned },
      "order { status amountReturned }",
    );
  const refunded = (status: string, amountReturned: string) => ({
    status: 200,
    data: { setCoverOrderStatus: { order: { status, amountReturned } } },
  });

  test("in full returns the whole amount", async () => {
    expect(await refund(await orderIn("PAID"), "FULL_REFUND")).toEqual(refunded("FULL_REFUND", "18900"));
  });

  test("in part returns the given amount, and the rest when it becomes a full one", async () => {
    const orderId = await orderIn("FULFILLED");
    expect(await refund(orderId, "PARTIAL_REFUND", "18899.999999")).toEqual(refunded("PARTIAL_REFUND", "18899.999999"));
    expect(await refund(orderId, "FULL_REFUND")).toEqual(refunded("FULL_REFUND", "18900"));
  });

  test.each([
    [undefined, "amountReturned REQUIRED"],
    [null, "amountReturned REQUIRED"],
    ["0", "amountReturned INVALID_VALUE"],
    ["18900", "amountReturned INVALID_VALUE"],
    ["18900.000001", "amountReturned INVALID_VALUE"],
  ])("in part of %s is refused", async (amountReturned, fault) => {
    const orderId = await orderIn("PAID");
    const answer = await expectNoChanges(gateway, () => refund(orderId, "PARTIAL_REFUND", amountReturned));
    expect(errorSummaries(answer)).toEqual([`INVALID_ARGUMENT: input.${fault}`]);
  });

  test.each([
    ["PAID", "PREPARING"],
    ["PAID", "PAID"],
    ["PAID", "FULL_REFUND"],
    ["FULL_REFUND", "FULL_REFUND"],
    ["PARTIAL_REFUND", "FULL_REFUND"],
  ] as const)(
    "with an amount is refused when a %s order is set to %s: only a partial refund has an amount",
    async (from, to) => {
      const orderId = await orderIn(from);
      const answer = await expectNoChanges(gateway, () => refund(orderId, to, "18900"));
      expect(errorSummaries(answer)).toEqual(["INVALID_ARGUMENT: input.amountReturned INVALID_VALUE"]);
      expect(answer.errors![0]!.message).toMatch(
        /^input\.amountReturned can be used with PARTIAL_REFUND only\. Received /,
      );
    },
  );

  test("of a further part is not answered as done while the old part is unchanged", async () => {
    const orderId = await orderIn("PAID");
    await refund(orderId, "PARTIAL_REFUND", "100");
    const { data, errors } = await refund(orderId, "PARTIAL_REFUND", "200");
    expect(errors ? "refused" : data!.setCoverOrderStatus.order.amountReturned).not.toBe("100");
  });

  test("in full stops the recovery that a partial refund left running", async () => {
    const own = await createCoverFixture(gateway);
    const partnerOrderId = "refunded-while-recovering";
    const { databaseId: orderId } = await createCoverOrder(gateway, own, { partnerOrderId, paymentFailed: true });
    const part = { partnerOrderId, amountReturned: "100", replaceIfExists: true };
    const selection = "order { status cover { state endReason } }";
    const { order } = await runMutation(gateway, "registerCoverOrder", minimalInputs.order(own, part), selection);
    expect(order).toEqual({ status: "PARTIAL_REFUND", cover: { state: "IN_PROGRESS", endReason: null } });
    const full = await runMutation(gateway, "setCoverOrderStatus", { orderId, status: "FULL_REFUND" }, selection);
    expect(full.order).toEqual({ status: "FULL_REFUND", cover: { state: "STOPPED", endReason: "CANCELED" } });
  });
});
