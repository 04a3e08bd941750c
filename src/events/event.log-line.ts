import type { EventType } from "../../schema/vocabulary.ts";
import { pickPublicFacts } from "./event.facts.ts";
import { toWireId, toWireName } from "./event.message.ts";
import type { EventRecord } from "./event.repository.ts";

/** What an operator reads of an event in the log: names, ids, states and amounts. No text that somebody wrote. */
export interface EventLogLine {
  event: string;
  eventId: string;
  vendorId: number;
  subject: string;
  subjectId: number;
  statusAfter: string | null;
  [name: string]: unknown;
}

/** The types that have a line in the log: charges, refunds, retries, recoveries, and deliveries that failed or ended. */
export const loggedTypes: ReadonlySet<EventType> = new Set<EventType>([
  "PAYMENT_SUCCEEDED",
  "PAYMENT_FAILED",
  "PAYMENT_UNKNOWN",
  "PAYMENT_DISPUTED",
  "REFUND_SUCCEEDED",
  "REFUND_FAILED",
  "REFUND_UNKNOWN",
  "SUBSCRIPTION_RENEWED",
  "SUBSCRIPTION_RENEWAL_DEFERRED",
  "SUBSCRIPTION_UNPAID",
  "SUBSCRIPTION_RECOVERED",
  "COVER_STARTED",
  "COVER_RETRY_SCHEDULED",
  "COVER_RETRY_DUE",
  "COVER_ATTEMPT_FAILED",
  "COVER_RECOVERED",
  "COVER_EXHAUSTED",
  "COVER_STOPPED",
  "MODEL_TRAINED",
  "MODEL_FALLBACK",
  "MESSAGE_SENT",
  "MESSAGE_FAILED",
  "WEBHOOK_DELIVERY_FAILED",
  "WEBHOOK_ENDPOINT_DISABLED",
]);

/** The line of an event for the log. */
export function toLogLine(event: EventRecord): EventLogLine {
  const { customerId, orderId, subscriptionId, coverOrderId, coverSubscriptionId, coverId } = event;
  const ids = { customerId, orderId, subscriptionId, coverOrderId, coverSubscriptionId, coverId };
  const { amount, currency } = pickPublicFacts(event.facts);
  const traceId = event.traceId ?? event.traceText;
  return {
    event: toWireName(event.type),
    eventId: toWireId(event),
    vendorId: event.vendorId,
    subject: event.subject,
    subjectId: event.subjectId,
    statusAfter: event.statusAfter,
    ...(traceId !== null && { traceId }),
    ...Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null)),
    ...(amount !== undefined && { amount, currency }),
  };
}
