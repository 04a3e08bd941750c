import type { GraphQLEnumType } from "graphql";
import { describe, expect, test } from "vitest";
import {
  CustomerStatus,
  DisputeState,
  InvoiceStatus,
  OrderItemStatus,
  PaymentState,
  ProductStatus,
  SubscriptionStatus,
} from "../../../schema/vocabulary.ts";
import { customerStates } from "../../../src/customers/customer.states.ts";
import { invoiceStates } from "../../../src/invoices/invoice.states.ts";
import { buildGatewaySchema } from "../../../src/graphql/schema.ts";
import { Refusal } from "../../../src/kernel/refusals.ts";
import type { StateTable } from "../../../src/kernel/state-table.ts";
import { historyCategoryOf, orderItemStates, serviceItemStates } from "../../../src/orders/order.states.ts";
import { disputeStates, paymentStates, refundStates } from "../../../src/payments/payment.states.ts";
import { productStates, productStatesOf } from "../../../src/products/product.states.ts";
import { subscriptionStates } from "../../../src/subscriptions/subscription.states.ts";

/** Every state that is reachable from the initial states. */
function reachable<S extends string, T extends string>(table: StateTable<S, T>): S[] {
  const found = new Set<S>(
    Object.values<S | undefined>(table.definition.initialStates).filter((state) => state !== undefined),
  );
  for (const state of found)
    for (const trigger of table.legalTriggersFrom(state)) found.add(table.transition(state, trigger));
  return [...found].sort();
}

/** States without a transition. */
const deadEnds = <S extends string, T extends string>(table: StateTable<S, T>): S[] =>
  reachable(table).filter((state) => table.legalTriggersFrom(state).length === 0);

/** The end state of a path such as `SENT payInvoice PAID`. */
function travelled<S extends string, T extends string>(table: StateTable<S, T>, journey: string): string {
  const [start, ...steps] = journey.split(/\s+/);
  const triggers = steps.filter((_, index) => index % 2 === 0) as T[];
  let state = start as S;
  return [start, ...triggers.flatMap((trigger) => [trigger, (state = table.transition(state, trigger))])].join(" ");
}

const lines = (text: string): string[] => text.trim().split(/\n\s*/);

/* For each machine: its states, those that are final or can last, and paths that the contract names. */
function behaves<S extends string, T extends string>(
  table: StateTable<S, T>,
  words: Readonly<Record<S, S>>,
  rest: S[],
  journeys: string,
): void {
  const { initialStates, actors, transitions, noun } = table.definition;

  describe(`the states of the ${noun}`, () => {
    test("are the values of the enum, and each can be reached", () => {
      expect(Object.keys(transitions).sort()).toEqual(Object.values(words).sort());
      expect(reachable(table)).toEqual(Object.values(words).sort());
    });

    test("are left again except the final and lasting ones", () => {
      expect(deadEnds(table)).toEqual([...rest].sort());
    });

    test("have a transition for each trigger", () => {
      const pulled = [initialStates, ...Object.values<object>(transitions)].flatMap((triggers) =>
        Object.keys(triggers),
      );
      expect([...new Set(pulled)].sort()).toEqual(Object.keys(actors).sort());
    });

    test.each(lines(journeys))("%s", (journey) => {
      expect(travelled(table, journey)).toBe(journey.split(/\s+/).join(" "));
    });
  });
}

behaves(
  orderItemStates,
  OrderItemStatus,
  [
    "CANCELLED",
    "CANCELLATION_REFUNDED",
    "FINISHED_SUCCESSFULLY",
    "RETURN_REFUNDED",
    "RETURN_REJECT_DELIVERY_COMPLETED",
    "EXCHANGE_REJECT_DELIVERY_COMPLETED",
  ],
  `
  CREATED payOrder PAID
  CREATED awaitDeposit DEPOSIT_WAITING payOrder PAID
  CREATED cancelOrder CANCELLED
  DEPOSIT_WAITING cancelOrder CANCELLED
  CREATED failPayment PAYMENT_FAILURE payOrder PAID
  DEPOSIT_WAITING failPayment PAYMENT_FAILURE awaitDeposit DEPOSIT_WAITING
  PAYMENT_FAILURE cancelOrder CANCELLED
  PAID prepareDelivery ORDER_DELIVERY_PREPARING sendDelivery ORDER_DELIVERY_ON_THE_WAY completeDelivery ORDER_DELIVERY_COMPLETED
  PAID requestCancellation CANCELLATION_REQUEST denyCancellation CANCELLATION_REQUEST_DENIED prepareDelivery ORDER_DELIVERY_PREPARING
  CANCELLATION_REQUEST acceptCancellation CANCELLATION_REFUNDING refundOrderItems CANCELLATION_REFUNDED
  CANCELLATION_REFUNDING refundOrderItemsInPart CANCELLATION_REFUNDED_PARTIALLY refundOrderItems CANCELLATION_REFUNDED
  CANCELLATION_REQUEST withdrawCancellation CANCELLATION_REQUEST_CANCELLED resumeOrderItem PAID
  ORDER_DELIVERY_PREPARING refundOrderItems CANCELLATION_REFUNDED
  ORDER_DELIVERY_PREPARING refundOrderItemsInPart CANCELLATION_REFUNDED_PARTIALLY
  ORDER_DELIVERY_PREPARING suspendDelivery ORDER_DELIVERY_SUSPENDED cancelDelivery CANCELLATION_REFUNDING
  ORDER_DELIVERY_PREPARING confirmReceipt ORDER_DELIVERY_COMPLETED
  ORDER_DELIVERY_ON_THE_WAY confirmReceipt ORDER_DELIVERY_COMPLETED
  ORDER_DELIVERY_COMPLETED requestReturn RETURN_REQUEST approveReturn RETURN_COLLECTION_PREPARING sendCollection RETURN_COLLECTION_ON_THE_WAY completeCollection RETURN_COLLECTION_COMPLETED
  RETURN_REQUEST withdrawReturn RETURN_REQUEST_CANCELLED resumeOrderItem ORDER_DELIVERY_COMPLETED
  RETURN_COLLECTION_PREPARING rejectReturn RETURN_REQUEST_REJECTED
  RETURN_COLLECTION_ON_THE_WAY rejectReturn RETURN_REQUEST_REJECTED
  RETURN_COLLECTION_COMPLETED rejectReturn RETURN_REJECTED prepareDelivery RETURN_REJECT_DELIVERY_PREPARING sendDelivery RETURN_REJECT_DELIVERY_ON_THE_WAY completeDelivery RETURN_REJECT_DELIVERY_COMPLETED
  RETURN_COLLECTION_COMPLETED acceptReturn RETURN_REFUNDING refundOrderItems RETURN_REFUNDED
  RETURN_COLLECTION_COMPLETED postponeReturn RETURN_PENDING acceptReturn RETURN_REFUNDING refundOrderItemsInPart RETURN_REFUNDED_PARTIALLY
  RETURN_PENDING rejectReturn RETURN_REJECTED
  ORDER_DELIVERY_COMPLETED requestExchange EXCHANGE_REQUEST approveExchange EXCHANGE_COLLECTION_PREPARING sendCollection EXCHANGE_COLLECTION_ON_THE_WAY completeCollection EXCHANGE_COLLECTION_COMPLETED
  EXCHANGE_REQUEST rejectExchange EXCHANGE_REQUEST_REJECTED
  EXCHANGE_REQUEST withdrawExchange EXCHANGE_REQUEST_CANCELLED resumeOrderItem ORDER_DELIVERY_COMPLETED
  EXCHANGE_COLLECTION_PREPARING rejectExchange EXCHANGE_REQUEST_REJECTED
  EXCHANGE_COLLECTION_ON_THE_WAY rejectExchange EXCHANGE_REQUEST_REJECTED
  EXCHANGE_COLLECTION_COMPLETED acceptExchange EXCHANGE_DELIVERY_PREPARING sendDelivery EXCHANGE_DELIVERY_ON_THE_WAY completeDelivery EXCHANGE_DELIVERY_COMPLETED
  EXCHANGE_COLLECTION_COMPLETED rejectExchange EXCHANGE_REJECTED prepareDelivery EXCHANGE_REJECT_DELIVERY_PREPARING sendDelivery EXCHANGE_REJECT_DELIVERY_ON_THE_WAY completeDelivery EXCHANGE_REJECT_DELIVERY_COMPLETED
  EXCHANGE_COLLECTION_COMPLETED postponeExchange EXCHANGE_PENDING acceptExchange EXCHANGE_DELIVERY_PREPARING
  EXCHANGE_PENDING rejectExchange EXCHANGE_REJECTED
  ORDER_DELIVERY_COMPLETED finishDelivery FINISHED_EXCHANGE_AVAILABLE endExchangePeriod FINISHED_RETURN_AVAILABLE endReturnPeriod FINISHED_SUCCESSFULLY
  EXCHANGE_DELIVERY_COMPLETED finishDelivery FINISHED_EXCHANGE_AVAILABLE requestExchange EXCHANGE_REQUEST
  FINISHED_RETURN_AVAILABLE requestReturn RETURN_REQUEST rejectReturn RETURN_REQUEST_REJECTED endReturnPeriod FINISHED_SUCCESSFULLY
  RETURN_REQUEST withdrawReturn RETURN_REQUEST_CANCELLED endExchangePeriod FINISHED_RETURN_AVAILABLE
  EXCHANGE_REQUEST withdrawExchange EXCHANGE_REQUEST_CANCELLED finishDelivery FINISHED_EXCHANGE_AVAILABLE
  EXCHANGE_REQUEST rejectExchange EXCHANGE_REQUEST_REJECTED endExchangePeriod FINISHED_RETURN_AVAILABLE
  `,
);

behaves(
  subscriptionStates,
  SubscriptionStatus,
  ["CANCELED", "EXPIRED"],
  `
  INCOMPLETE confirmPaymentMethod ACTIVE
  ACTIVE claimRenewal QUEUEING failRenewal UNPAID recoverPayment ACTIVE
  ACTIVE claimRenewal QUEUEING completeRenewal ACTIVE
  UNPAID expireAfterRecovery EXPIRED
  UNPAID pauseAfterRecovery PAUSE
  UNPAID cancelAfterRecovery CANCELED
  ACTIVE cancelSubscription CANCELED
  UNPAID cancelSubscription CANCELED
  QUEUEING cancelSubscription CANCELED
  ACTIVE scheduleCancellation PENDING_CANCEL completeCancellation CANCELED
  PENDING_CANCEL activateSubscription ACTIVE
  ACTIVE pauseSubscription PAUSE activateSubscription ACTIVE
  ACTIVE schedulePause PENDING_PAUSE startPause PAUSE endPause ACTIVE
  PENDING_PAUSE activateSubscription ACTIVE
  INCOMPLETE expireSubscription EXPIRED
  PAUSE expireSubscription EXPIRED
  PENDING_CANCEL expireSubscription EXPIRED
  `,
);

behaves(
  invoiceStates,
  InvoiceStatus,
  ["PAID"],
  `
  TEMPORARY reserveInvoice RESERVATION sendInvoice SENT payInvoice PAID
  TEMPORARY sendInvoice SENT passDeadline OVER_DUE payInvoice PAID
  SENT failSending SEND_FAIL sendInvoice SENT
  SEND_FAIL payInvoice PAID
  `,
);

behaves(
  productStates,
  ProductStatus,
  [],
  `
  SALE sellOut OUT_OF_STOCK restockProduct SALE
  SALE unpublishProduct UNSOLD publishProduct SALE
  UNSOLD submitProduct WAITING_APPROVAL approveProduct SALE
  WAITING_APPROVAL rejectProduct REJECTED submitProduct WAITING_APPROVAL
  `,
);

behaves(
  paymentStates,
  PaymentState,
  ["SUCCEEDED"],
  `
  PENDING succeedPayment SUCCEEDED
  PENDING markPaymentUnknown UNKNOWN failPayment FAILED succeedPayment SUCCEEDED
  `,
);

behaves(
  disputeStates,
  DisputeState,
  ["WON"],
  `
  OPEN winDispute WON
  OPEN loseDispute LOST winDispute WON
  `,
);

behaves(
  refundStates,
  PaymentState,
  ["FAILED", "SUCCEEDED"],
  `
  PENDING completeRefund SUCCEEDED
  PENDING markRefundUnknown UNKNOWN refuseRefund FAILED
  `,
);

behaves(customerStates, CustomerStatus, [], `NORMAL makeDormant DORMANT wakeCustomer NORMAL`);

/** The details of a refused transition. */
function refusalOf(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal)
      return { kind: error.kind, code: error.code, message: error.message, ...error.details };
    throw error;
  }
  return undefined;
}

describe("a transition that a state does not have", () => {
  test("is refused, with the operations that are allowed", () => {
    expect(refusalOf(() => orderItemStates.transition("CANCELLATION_REQUEST", "sendDelivery"))).toEqual({
      kind: "invalid",
      code: "ILLEGAL_TRANSITION",
      message:
        "This order item is CANCELLATION_REQUEST, so moveOrderItems(trigger: SEND_DELIVERY) is not possible. Possible now: moveOrderItems(trigger: WITHDRAW_CANCELLATION), moveOrderItems(trigger: DENY_CANCELLATION), moveOrderItems(trigger: ACCEPT_CANCELLATION).",
      legal: [
        "moveOrderItems(trigger: WITHDRAW_CANCELLATION)",
        "moveOrderItems(trigger: DENY_CANCELLATION)",
        "moveOrderItems(trigger: ACCEPT_CANCELLATION)",
      ],
    });
  });

  test("is refused in a final state, with no operation", () => {
    expect(refusalOf(() => subscriptionStates.transition("EXPIRED", "activateSubscription"))).toMatchObject({
      message:
        "This subscription is EXPIRED, so activateSubscription is not possible. No operation is possible from this state.",
      legal: [],
    });
  });

  test("may exist in another state: only an active subscription can be paused", () => {
    const states = Object.values(SubscriptionStatus);
    const pausable = states.filter(
      (state) => !refusalOf(() => subscriptionStates.transition(state, "pauseSubscription")),
    );
    expect(pausable).toEqual(["ACTIVE"]);
  });
});

test("a service line has no delivery, return or exchange, and stays PAID until its cancellation is requested", () => {
  expect(reachable(serviceItemStates).filter((state) => /DELIVERY|RETURN|EXCHANGE|FINISHED/.test(state))).toEqual([]);
  expect(serviceItemStates.legalTriggersFrom("PAID")).toEqual(["requestCancellation"]);
  expect(deadEnds(serviceItemStates)).toEqual(["CANCELLATION_REFUNDED", "CANCELLED"]);
  expect(travelled(serviceItemStates, "CANCELLATION_REQUEST denyCancellation _ requestCancellation _")).toBe(
    "CANCELLATION_REQUEST denyCancellation CANCELLATION_REQUEST_DENIED requestCancellation CANCELLATION_REQUEST",
  );
});

test("a merchant changes lines by one mutation, whose triggers are those of the table", () => {
  const schema = buildGatewaySchema();
  const offered = (schema.getType("OrderItemTrigger") as GraphQLEnumType)
    .getValues()
    .map(({ value }) => value as string);
  const { actors } = orderItemStates.definition;
  const merchants = Object.keys(actors).filter((trigger) => actors[trigger as keyof typeof actors].includes("MANAGER"));
  const elsewhere = ["createOrder", "payOrder", "cancelOrder", "refundOrderItems", "refundOrderItemsInPart"];
  expect(offered.toSorted()).toEqual(merchants.filter((trigger) => !elsewhere.includes(trigger)).toSorted());
  const mutations = schema.getMutationType()!.getFields();
  expect(offered.filter((trigger) => trigger in mutations)).toEqual([]);
});

test("a drafted product goes on sale by approval only, another needs none", () => {
  expect(productStatesOf("DRAFT").legalTriggersFrom("UNSOLD")).toEqual(["submitProduct"]);
  expect(productStatesOf("BOX").legalTriggersFrom("UNSOLD")).toEqual(["publishProduct"]);
});

test.each([
  ["ORDER", /^CREATED$/],
  ["PAYMENT", /^(?:DEPOSIT_WAITING|PAID|PAYMENT_FAILURE)$/],
  ["CANCELLATION", /^CANCELL(?:ED$|ATION_)/],
  ["DELIVERY", /^(?:ORDER_DELIVERY|FINISHED)_/],
  ["RETURN", /^RETURN_/],
  ["EXCHANGE", /^EXCHANGE_/],
])("a history under %s shows the states %s", (category, states) => {
  const told = Object.values(OrderItemStatus).filter((state) => historyCategoryOf(state) === category);
  expect(told).toEqual(Object.values(OrderItemStatus).filter((state) => states.test(state)));
});
