import {
  toOrderItemStatusName,
  type EventAuthorKind,
  type EventSubject,
  type EventType,
} from "../../schema/vocabulary.ts";
import { pickPublicFacts } from "./event.facts.ts";
import type { EventRecord } from "./event.repository.ts";

/** The fields of an event that its message shows. */
export type MessageSource = Omit<EventRecord, "vendorId" | "recordedAt" | "traceId" | "traceText">;

/** The longest subjects first: `payment_method.added`, and not `payment.method_added`. */
const TYPE_SUBJECTS = ["PAYMENT_METHOD", "PRICE_PLAN", "WEBHOOK_ENDPOINT", "WEBHOOK_DELIVERY"] as const;

/** The name of a type on the wire: ORDER_PAID is `order.paid`. */
export function toWireName(type: EventType): string {
  const subject = TYPE_SUBJECTS.find((words) => type.startsWith(`${words}_`)) ?? type.slice(0, type.indexOf("_"));
  return `${subject}.${type.slice(subject.length + 1)}`.toLowerCase();
}

/** The id of an event on the wire. It never changes, so that a receiver recognizes a repeated delivery. */
export const toWireId = ({ id }: Pick<EventRecord, "id">): string => `event_${id}`;

/** The id of a subject that is not the vendor's own, such as a published model. The message leaves it out. */
export const NO_ID = 0;

/** The name of the field that has the id of a subject. */
const subjectIdNames: Readonly<Record<EventSubject, string>> = {
  CUSTOMER: "customerId",
  SUBSCRIPTION: "subscriptionId",
  ORDER: "orderId",
  ORDER_ITEM: "orderItemId",
  INVOICE: "invoiceId",
  PAYMENT: "paymentId",
  REFUND: "refundId",
  COVER: "coverId",
  COVER_ORDER: "coverOrderId",
  COVER_SUBSCRIPTION: "coverSubscriptionId",
  PRODUCT: "productId",
  PRICE_PLAN: "pricePlanId",
  PAYMENT_METHOD: "paymentMethodId",
  POLICY: "policyId",
  MODEL: "modelId",
  KEY: "keyId",
  PERSON: "personId",
  WEBHOOK_ENDPOINT: "webhookEndpointId",
  WEBHOOK_DELIVERY: "webhookDeliveryId",
  VENDOR: "vendorId",
};

/** The `data` of an event as receivers get it: ids, states, amounts and codes, without secrets and personal details. */
export function toEventData(event: MessageSource): Record<string, unknown> {
  const { amount, currency, ...facts } = pickPublicFacts(event.facts);
  const { customerId, orderId, subscriptionId, coverOrderId, coverSubscriptionId, coverId } = event;
  const ids = { customerId, orderId, subscriptionId, coverOrderId, coverSubscriptionId, coverId };
  return {
    subject: event.subject,
    ...(event.subjectId !== NO_ID && { [subjectIdNames[event.subject]]: event.subjectId }),
    ...Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null)),
    change: event.trigger,
    statusBefore: event.statusBefore && toOrderItemStatusName(event.statusBefore),
    statusAfter: event.statusAfter && toOrderItemStatusName(event.statusAfter),
    ...(amount !== undefined && { amount, currency }),
    facts,
    actor: event.actor,
    ...(event.authorKind && { author: toWireAuthor(event.authorKind, event) }),
    reason: event.reason,
  };
}

/** The author without a name, which is a personal detail. */
const toWireAuthor = (kind: EventAuthorKind, { authorId: id, authorSession: sessionId }: MessageSource): object => ({
  kind,
  ...(id !== null && { [kind === "PERSON" ? "personId" : "keyId"]: id }),
  ...(sessionId !== null && { sessionId }),
});

/** An event as receivers get it. Feed and webhooks send the same message. */
export const toEventMessage = (event: MessageSource) => ({
  id: toWireId(event),
  type: toWireName(event.type),
  timestamp: event.occurredAt.toISOString(),
  data: toEventData(event),
});
