import { expect, test } from "vitest";
import { toGlobalId } from "../../../src/graphql/record-ids.ts";
import {
  sendMutation,
  errorSummaries,
  runMutation,
  minimalInputs,
  createCoverOrder,
  createCoverFixture,
  type Mutation,
} from "../../support/cover-mutations.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { expectNoChanges } from "../../support/rest-assertions.ts";
import { uniqueName } from "../../support/fixtures/cover-fixture.ts";

const gateway = await startGateway();
const shop = await createCoverFixture(gateway);
const other = await createCoverFixture(gateway);
const NOBODYS = 4_000_000;
const JANUARY = "2026-01-31T23:59:59.999Z";

/** The id of an order of the shop's. */
const orderOf = async (rest: object = {}): Promise<number> => (await createCoverOrder(gateway, shop, rest)).databaseId;

const open = await orderOf({ subscriptionId: null });
const paid = await orderOf({ paymentDate: "2026-02-28T00:00:00Z" });
const refunded = await orderOf({ amountReturned: "18900" });
const canceled = await orderOf({ canceledAt: "2026-02-28T00:00:00Z" });
const running = { partnerOrderId: uniqueName("order"), paymentFailed: true };
await orderOf(running);
const dead = await createCoverFixture(gateway);
const deadOrder = (await createCoverOrder(gateway, dead)).databaseId;
await runMutation(gateway, "cancelCoverSubscription", { subscriptionId: dead.subscriptionId });
const known = { ...minimalInputs.subscription(shop), partnerSubscriptionId: "known" };
await runMutation(gateway, "registerCoverSubscription", known);
const runsElsewhere = await createCoverFixture(gateway);
await createCoverOrder(gateway, runsElsewhere, { paymentFailed: true });
const { coverSubscription: taken } = await gateway.queryRawData(
  `{ coverSubscription(id: ${runsElsewhere.subscriptionId}) { partnerSubscriptionId } }`,
);

/** A value for the named input, in the same form as in the refusal of its scalar. */
const field = (path: string, code: string) => ({
  fields: [expect.objectContaining({ path: `input.${path}`, code, message: expect.stringMatching(/\.$/) })],
});
const notFound = (path: string) => field(path, "NOT_FOUND");
const invalid = (path: string) => field(path, "INVALID_VALUE");
const required = (path: string) => field(path, "REQUIRED");

const price = () => minimalInputs.price(shop);
const order = (rest: object) => minimalInputs.order(shop, rest);
const subscription = (rest: object) => ({ ...minimalInputs.subscription(shop), ...rest });
const line = (priceId: unknown) => ({ quantity: 1, priceId });
const lines = (second: unknown) => order({ items: [line(shop.priceId), line(second)] });

type Refusal = [why: string, input: object, code: string, details?: object];

const INVALID = "INVALID_ARGUMENT";
const customersId = toGlobalId("CoverCustomer", shop.customerId);
const ordersId = toGlobalId("CoverOrder", 1);
const elsewhere = { customerId: other.customerId, initialOrderId: open };
const moved = { partnerSubscriptionId: taken.partnerSubscriptionId, replaceIfExists: true };
const failure = { subscriptionId: dead.subscriptionId, paymentFailed: true };
const { subscriptionId } = shop;

/** The refusals of each mutation. */
const refusals: Partial<Record<Mutation, Refusal[]>> = {
  registerCoverPrice: [
    ["an unknown product", { ...price(), productId: NOBODYS }, "PRODUCT_NOT_FOUND", notFound("productId")],
    ["a customer's id for a product", { ...price(), productId: customersId }, INVALID, invalid("productId")],
    ["a cycle without an interval", { ...price(), isRecurring: true }, INVALID, required("recurringInterval")],
  ],
  registerCoverSubscription: [
    ["an unknown customer", subscription({ customerId: NOBODYS }), "CUSTOMER_NOT_FOUND", notFound("customerId")],
    ["an unknown order", subscription({ initialOrderId: NOBODYS }), "ORDER_NOT_FOUND", notFound("initialOrderId")],
    ["a malformed order", subscription({ initialOrderId: "x" }), INVALID, invalid("initialOrderId")],
    ["the order of another customer", subscription(elsewhere), "SUBSCRIPTION_MISMATCH"],
    ["an end before the start", subscription({ currentPeriodEnd: JANUARY }), INVALID, invalid("currentPeriodEnd")],
    ["a move to another customer while a cover runs", subscription(moved), "COVER_IN_PROGRESS"],
  ],
  registerCoverOrder: [
    ["no lines", order({ items: [] }), INVALID, required("items")],
    ["an unknown customer", order({ customerId: NOBODYS }), "CUSTOMER_NOT_FOUND", notFound("customerId")],
    ["an unknown plan", lines(NOBODYS), "PRICE_NOT_FOUND", notFound("items[1].priceId")],
    ["a malformed plan", lines("x"), INVALID, invalid("items[1].priceId")],
    [
      "an unknown subscription",
      order({ subscriptionId: NOBODYS }),
      "SUBSCRIPTION_NOT_FOUND",
      notFound("subscriptionId"),
    ],
    ["another customer's subscription", order({ subscriptionId: other.subscriptionId }), "SUBSCRIPTION_MISMATCH"],
    ["more returned than paid", order({ amountReturned: "18900.000001" }), INVALID, invalid("amountReturned")],
    ["a failure of a cancelled subscription", minimalInputs.order(dead, failure), "SUBSCRIPTION_CANCELED"],
    [
      "a move while a cover runs",
      { ...minimalInputs.order(other), ...running, replaceIfExists: true },
      "COVER_IN_PROGRESS",
    ],
  ],
  startRecovery: [
    [
      "an unknown subscription",
      { subscriptionId: NOBODYS, orderId: open },
      "SUBSCRIPTION_NOT_FOUND",
      notFound("subscriptionId"),
    ],
    ["an unknown order", { subscriptionId, orderId: NOBODYS }, "ORDER_NOT_FOUND", notFound("orderId")],
    [
      "another customer's subscription",
      { subscriptionId: other.subscriptionId, orderId: open },
      "SUBSCRIPTION_MISMATCH",
    ],
    ["a paid order", { subscriptionId, orderId: paid }, "ORDER_NOT_RECOVERABLE"],
    ["a cancelled order", { subscriptionId, orderId: canceled }, "ORDER_NOT_RECOVERABLE"],
    ["a cancelled subscription", { subscriptionId: dead.subscriptionId, orderId: deadOrder }, "SUBSCRIPTION_CANCELED"],
  ],
  reportCoverOrderPaid: [
    ["an unknown order", { orderId: NOBODYS }, "ORDER_NOT_FOUND"],
    ["a malformed order", { orderId: "1.5" }, INVALID, invalid("orderId")],
  ],
  cancelCoverOrder: [
    ["an unknown order", { orderId: NOBODYS }, "ORDER_NOT_FOUND"],
    ["a paid order", { orderId: paid }, "ORDER_ALREADY_PAID"],
  ],
  setCoverOrderStatus: [
    ["an unknown order", { orderId: NOBODYS, status: "PREPARING" }, "ORDER_NOT_FOUND"],
    ["a move that there is none of", { orderId: open, status: "PAID" }, "ILLEGAL_TRANSITION", { legal: [] }],
    ["a part of unknown size", { orderId: paid, status: "PARTIAL_REFUND" }, INVALID, required("amountReturned")],
  ],
  cancelCoverSubscription: [
    ["an unknown subscription", { subscriptionId: NOBODYS }, "SUBSCRIPTION_NOT_FOUND"],
    ["an order's id", { subscriptionId: ordersId }, INVALID, invalid("subscriptionId")],
  ],
  activateCoverSubscription: [["an unknown subscription", { subscriptionId: NOBODYS }, "SUBSCRIPTION_NOT_FOUND"]],
  reportPaymentMethodChanged: [
    ["an unknown order", { orderId: NOBODYS }, "ORDER_NOT_FOUND"],
    ["an order that never failed", { orderId: open }, "ORDER_NOT_RECOVERABLE"],
  ],
  advanceTestClock: [["a live vendor", { by: "P1D" }, "TEST_CLOCK_UNAVAILABLE"]],
};

const cases = Object.entries(refusals).flatMap(([mutation, rows]) =>
  rows.map(([why, input, code, details]) => [mutation as Mutation, why, input, code, details] as const),
);

test.each(cases)("%s refuses %s, and changes nothing", async (mutation, _why, input, code, details) => {
  const answer = await expectNoChanges(gateway, () => sendMutation(gateway, mutation, input));
  expect(answer).toEqual({
    status: 200,
    data: null,
    errors: [
      {
        message: expect.stringMatching(/^\S.*\.$/),
        path: [mutation],
        locations: [{ line: 1, column: expect.any(Number) }],
        extensions: {
          code,
          traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
          docUrl: expect.stringMatching(`/docs/errors/${code}$`),
          details: expect.objectContaining({ ...details, hint: expect.stringMatching(/\.$/) }),
        },
      },
    ],
  });
});

test.each<[mutation: Mutation, input: object, message: string]>([
  [
    "registerCoverOrder",
    lines(NOBODYS),
    "There is no price plan with the id given as input.items[1].priceId. Received 4000000.",
  ],
  ["cancelCoverOrder", { orderId: "x" }, 'input.orderId must be an id of the type CoverOrder. Received "x".'],
  [
    "registerCoverOrder",
    order({ amountReturned: "18901" }),
    'input.amountReturned must not be more than the amount. Received "18901".',
  ],
  ["cancelCoverOrder", { orderId: paid }, `The order is PAID; refund it instead of cancelling it. Received ${paid}.`],
  [
    "cancelCoverOrder",
    { orderId: refunded },
    `The order is FULL_REFUND; there is nothing to cancel. Received ${refunded}.`,
  ],
])("%s names in its sentence too the path of a wrong value in the input", async (mutation, input, message) => {
  expect((await sendMutation(gateway, mutation, input)).errors![0]!.message).toBe(message);
});

test("a wrong value in a mutation's payload is named by its argument, which is no part of the input", async () => {
  const selection = 'order { covers(after: "x") { nodes { id } } }';
  const answer = await sendMutation(gateway, "registerCoverOrder", order({}), selection);
  expect(errorSummaries(answer)).toEqual(["INVALID_ARGUMENT: after INVALID_VALUE"]);
});

test("the traceId of a refusal is that of the caller's own trace, if one was sent, and is in the log", async () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  const { errors } = await sendMutation(gateway, "cancelCoverOrder", { orderId: NOBODYS }, undefined, { headers });
  expect(errors![0]!.extensions["traceId"]).toBe(traceId);
  expect(gateway.logLines.filter((text) => text.includes(traceId))).toHaveLength(1);
});

test("after a refused mutation the rest of the document does not run, and earlier mutations stay done", async () => {
  const product = (name: string) =>
    `registerCoverProduct(input: { name: "${name}", partnerProductId: "${name}" }) { product { name } }`;
  const { data, errors } = await gateway.sendRawGraphQL(
    `mutation { a: ${product("before")} b: cancelCoverOrder(input: { orderId: ${NOBODYS} }) { order { id } } c: ${product("after")} }`,
  );
  expect([data, errors?.map(({ path }) => path)]).toEqual([null, [["b"]]]);
  const found = await gateway.queryData(
    '{ before: coverProduct(partnerProductId: "before") { name } after: coverProduct(partnerProductId: "after") { name } }',
  );
  expect(found).toEqual({ before: { name: "before" }, after: null });
});
