import { describe, expect, test } from "vitest";
import { CoverEventKind, CoverOrderStatus, EventType, Language } from "../../../schema/vocabulary.ts";
import { customerStates } from "../../../src/customers/customer.states.ts";
import { eventTypes, toEventType } from "../../../src/events/event.catalogue.ts";
import { eventTitles, eventTitleOf, type EventTrigger } from "../../../src/events/event.titles.ts";
import { pickPublicFacts } from "../../../src/events/event.facts.ts";
import { invoiceStates } from "../../../src/invoices/invoice.states.ts";
import { orderItemStates } from "../../../src/orders/order.states.ts";
import { paymentStates, refundStates } from "../../../src/payments/payment.states.ts";
import { coverEventTypes, toCoverEventType } from "../../../src/recovery/covers/cover-timeline.catalogue.ts";
import { coverEventTitles, renewalCoverTitles } from "../../../src/recovery/covers/cover-timeline.titles.ts";
import { subscriptionStates } from "../../../src/subscriptions/subscription.states.ts";

const machines = {
  CUSTOMER: customerStates,
  INVOICE: invoiceStates,
  ORDER_ITEM: orderItemStates,
  PAYMENT: paymentStates,
  REFUND: refundStates,
  SUBSCRIPTION: subscriptionStates,
} as const;
const triggers = Object.values(machines).flatMap(({ definition }) => Object.keys(definition.actors));
const languages = Object.keys(Language) as Language[];
const storedKinds = Object.keys(CoverEventKind) as CoverEventKind[];

describe("The title of an event", () => {
  test("exists in each language for every trigger and every other type", () => {
    const kinds = new Set([...triggers, ...Object.keys(eventTitles)]);
    for (const kind of kinds)
      for (const language of languages) expect(eventTitleOf(kind, language), `${kind} ${language}`).toMatch(/\S/u);
    for (const kind of storedKinds)
      for (const language of languages) expect(coverEventTitles[kind][language], `${kind} ${language}`).toMatch(/\S/u);
  });

  test("is Korean in Korean, and no name of a trigger", () => {
    for (const { KOREAN, ENGLISH } of [...Object.values(eventTitles), ...Object.values(coverEventTitles)]) {
      expect(KOREAN).toMatch(/\p{Script=Hangul}/u);
      expect(ENGLISH).toMatch(/^[A-Z][a-z]+(?: |$)/);
    }
  });
});

describe("The type of an event", () => {
  test("stands in the catalogue for every trigger, and a title with it", () => {
    expect(Object.keys(eventTypes)).toEqual(expect.arrayContaining(triggers));
    expect(new Set(Object.keys(eventTypes))).toEqual(new Set(Object.keys(eventTitles)));
    expect(new Set(Object.keys(coverEventTypes))).toEqual(new Set(storedKinds));
  });

  test("follows from each transition of each state machine", () => {
    const types: Record<string, string[]> = {};
    for (const [subject, { definition }] of Object.entries(machines)) {
      const births = Object.entries(definition.initialStates).map(([trigger, to]) => [null, trigger, to] as const);
      const moves = Object.entries(definition.transitions).flatMap(([from, row]) =>
        Object.entries(row as Record<string, string>).map(([trigger, to]) => [from, trigger, to] as const),
      );
      for (const [statusBefore, trigger, statusAfter] of [...births, ...moves]) {
        // What is created by `createOrder` is recorded once for the order, and not for its lines.
        const type = toEventType({
          trigger: trigger as EventTrigger,
          statusBefore,
          statusAfter: statusAfter,
          subject: subject as keyof typeof machines,
        });
        expect(EventType, `${subject} ${trigger}`).toHaveProperty(type);
        const triggersOfType = (types[`${subject} ${type}`] ??= []);
        if (!triggersOfType.includes(trigger)) triggersOfType.push(trigger);
      }
    }
    const listed = Object.entries(types).map(([type, by]) => `${type}: ${by.join(" ")}`);
    expect(listed).toMatchInlineSnapshot(`
      [
        "CUSTOMER CUSTOMER_CREATED: registerCustomer",
        "CUSTOMER CUSTOMER_DORMANT: makeDormant",
        "CUSTOMER CUSTOMER_REACTIVATED: wakeCustomer",
        "INVOICE INVOICE_CREATED: draftInvoice",
        "INVOICE INVOICE_SCHEDULED: reserveInvoice",
        "INVOICE INVOICE_SENT: sendInvoice",
        "INVOICE INVOICE_PAID: payInvoice",
        "INVOICE INVOICE_OVERDUE: passDeadline",
        "INVOICE INVOICE_SEND_FAILED: failSending",
        "ORDER_ITEM ORDER_CREATED: createOrder",
        "ORDER_ITEM ORDER_CHANGED: awaitDeposit prepareDelivery requestCancellation withdrawCancellation denyCancellation acceptCancellation resumeOrderItem sendDelivery confirmReceipt suspendDelivery cancelDelivery completeDelivery requestReturn requestExchange finishDelivery endExchangePeriod endReturnPeriod withdrawReturn approveReturn rejectReturn sendCollection completeCollection acceptReturn postponeReturn withdrawExchange approveExchange rejectExchange acceptExchange postponeExchange",
        "ORDER_ITEM ORDER_PAID: payOrder",
        "ORDER_ITEM ORDER_PAYMENT_FAILED: failPayment",
        "ORDER_ITEM ORDER_CANCELED: cancelOrder",
        "ORDER_ITEM ORDER_REFUNDED: refundOrderItems refundOrderItemsInPart",
        "PAYMENT PAYMENT_STARTED: startPayment",
        "PAYMENT PAYMENT_SUCCEEDED: succeedPayment",
        "PAYMENT PAYMENT_FAILED: failPayment",
        "PAYMENT PAYMENT_UNKNOWN: markPaymentUnknown",
        "REFUND REFUND_STARTED: startRefund",
        "REFUND REFUND_SUCCEEDED: completeRefund",
        "REFUND REFUND_FAILED: refuseRefund",
        "REFUND REFUND_UNKNOWN: markRefundUnknown",
        "SUBSCRIPTION SUBSCRIPTION_ACTIVATED: startSubscription confirmPaymentMethod",
        "SUBSCRIPTION SUBSCRIPTION_CREATED: startUnconfirmedSubscription",
        "SUBSCRIPTION SUBSCRIPTION_CANCELED: cancelSubscription cancelAfterRecovery completeCancellation",
        "SUBSCRIPTION SUBSCRIPTION_EXPIRED: expireSubscription expireAfterRecovery",
        "SUBSCRIPTION SUBSCRIPTION_RENEWAL_STARTED: claimRenewal",
        "SUBSCRIPTION SUBSCRIPTION_PAUSED: pauseSubscription pauseAfterRecovery startPause",
        "SUBSCRIPTION SUBSCRIPTION_CHANGED: schedulePause scheduleCancellation activateSubscription",
        "SUBSCRIPTION SUBSCRIPTION_RENEWED: completeRenewal",
        "SUBSCRIPTION SUBSCRIPTION_UNPAID: failRenewal",
        "SUBSCRIPTION SUBSCRIPTION_RECOVERED: recoverPayment",
        "SUBSCRIPTION SUBSCRIPTION_RESUMED: endPause activateSubscription",
      ]
    `);
  });

  test("follows from the trigger where no state machine has it", () => {
    const others = Object.keys(eventTypes).filter((trigger) => !triggers.includes(trigger));
    const event = { subject: "COVER", statusBefore: "IN_PROGRESS" } as const;
    expect(
      others.map(
        (trigger) =>
          `${trigger} ${toEventType({ ...event, trigger: trigger as EventTrigger, statusAfter: "IN_PROGRESS" })}`,
      ),
    ).toMatchInlineSnapshot(`
      [
        "updateCustomer CUSTOMER_UPDATED",
        "eraseCustomer CUSTOMER_ERASED",
        "deliverMessage MESSAGE_SENT",
        "failMessage MESSAGE_FAILED",
        "openDispute PAYMENT_DISPUTED",
        "winDispute PAYMENT_DISPUTED",
        "loseDispute PAYMENT_DISPUTED",
        "exhaustRecovery SUBSCRIPTION_CHANGED",
        "postponeRenewal SUBSCRIPTION_RENEWAL_DEFERRED",
        "receiveUnscheduledPayment SUBSCRIPTION_CHANGED",
        "storePaymentMethod PAYMENT_METHOD_ADDED",
        "announceMethodExpiry PAYMENT_METHOD_EXPIRING",
        "changePaymentMethod PAYMENT_METHOD_UPDATED",
        "orderPaymentMethod SUBSCRIPTION_CHANGED",
        "orderChange SUBSCRIPTION_CHANGED",
        "addItem SUBSCRIPTION_CHANGED",
        "removeItem SUBSCRIPTION_CHANGED",
        "changeQuantity SUBSCRIPTION_CHANGED",
        "changePlan SUBSCRIPTION_CHANGED",
        "schedulePlanChange SUBSCRIPTION_CHANGED",
        "withdrawPlanChange SUBSCRIPTION_CHANGED",
        "changeInterval SUBSCRIPTION_CHANGED",
        "recordUnits SUBSCRIPTION_USAGE_RECORDED",
        "startRecovery COVER_STARTED",
        "failRetry COVER_ATTEMPT_FAILED",
        "moveRetry COVER_RETRY_SCHEDULED",
        "retryWithNewMethod COVER_RETRY_SCHEDULED",
        "promiseRetry COVER_RETRY_SCHEDULED",
        "endRecovery COVER_STOPPED",
      ]
    `);
    const ends = ["RECOVERED", "EXHAUSTED", "STOPPED"].map((statusAfter) =>
      toEventType({ ...event, trigger: "endRecovery", statusAfter }),
    );
    expect(ends).toEqual(["COVER_RECOVERED", "COVER_EXHAUSTED", "COVER_STOPPED"]);
    for (const type of [...ends, "COVER_STARTED", "COVER_ATTEMPT_FAILED", "COVER_RETRY_SCHEDULED"] as EventType[])
      expect(renewalCoverTitles, type).toHaveProperty(type);
  });

  test("follows from what is stored of registered orders and subscriptions", () => {
    expect(storedKinds.map((type) => `${type} ${toCoverEventType(type, {})}`)).toMatchInlineSnapshot(`
      [
        "ORDER_REGISTERED ORDER_CREATED",
        "ORDER_UPDATED ORDER_CHANGED",
        "ORDER_STATUS_CHANGED ORDER_CHANGED",
        "ORDER_PAID ORDER_PAID",
        "ORDER_CANCELED ORDER_CANCELED",
        "LATE_PAYMENT ORDER_PAID_LATE",
        "PAYMENT_METHOD_CHANGED PAYMENT_METHOD_UPDATED",
        "RECOVERY_STARTED COVER_STARTED",
        "RECOVERY_ATTEMPT_FAILED COVER_ATTEMPT_FAILED",
        "RECOVERY_RETRY_MOVED COVER_RETRY_SCHEDULED",
        "RECOVERY_RETRY_DUE COVER_RETRY_DUE",
        "RECOVERY_RECOVERED COVER_RECOVERED",
        "RECOVERY_EXHAUSTED COVER_EXHAUSTED",
        "RECOVERY_STOPPED COVER_STOPPED",
        "SUBSCRIPTION_REGISTERED SUBSCRIPTION_CREATED",
        "SUBSCRIPTION_UPDATED SUBSCRIPTION_CHANGED",
        "SUBSCRIPTION_CANCELED SUBSCRIPTION_CANCELED",
        "SUBSCRIPTION_ACTIVATED SUBSCRIPTION_ACTIVATED",
        "SUBSCRIPTION_PAUSED SUBSCRIPTION_PAUSED",
        "SUBSCRIPTION_EXPIRED SUBSCRIPTION_EXPIRED",
      ]
    `);
    const statuses = Object.keys(CoverOrderStatus).map(
      (to) => [to, toCoverEventType("ORDER_STATUS_CHANGED", { from: "CREATED", to })] as const,
    );
    expect(Object.fromEntries(statuses.filter(([, type]) => type !== "ORDER_CHANGED"))).toEqual({
      PAID: "ORDER_PAID",
      PAYMENT_FAILURE: "ORDER_PAYMENT_FAILED",
      CANCELED: "ORDER_CANCELED",
      FULL_REFUND: "ORDER_REFUNDED",
      PARTIAL_REFUND: "ORDER_REFUNDED",
    });
  });
});

test("An event shows no internal column", () => {
  expect(
    pickPublicFacts({ cycleAnchor: "2026-03-01", chargedCycle: 1, leaseUntil: null, cancelAt: "2026-04-01" }),
  ).toEqual({
    cancelAt: "2026-04-01",
  });
});
