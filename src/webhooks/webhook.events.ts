import type { ModuleEvent } from "../events/event.service.ts";
import type { EventRecord } from "../events/event.repository.ts";
import type { WebhookDeliveryRecord } from "./webhook-delivery.repository.ts";
import type { WebhookEndpointRecord } from "./webhook-endpoint.repository.ts";

/* Events by which a merchant learns that webhooks fail. Other endpoints of the vendor receive them. */

/**
 * Whether a delivery carries a message about webhooks: its failure is no event, because two endpoints that fail would
 * otherwise report each other without end.
 */
export const isAboutWebhooks = ({ eventType }: Pick<WebhookDeliveryRecord, "eventType">): boolean =>
  eventType.startsWith("webhook");

/** The event that a delivery failed for good. */
export const toDeliveryFailedEvent = ({
  id,
  endpointId,
  eventId,
  eventType,
  attempts,
}: WebhookDeliveryRecord): ModuleEvent => ({
  type: "WEBHOOK_DELIVERY_FAILED",
  subject: "WEBHOOK_DELIVERY",
  subjectId: id,
  trigger: "WEBHOOK_DELIVERY_FAILED",
  statusBefore: "PENDING",
  statusAfter: "FAILED",
  actor: "SYSTEM",
  facts: { endpointId, eventId, eventType, attempt: attempts },
});

/** The event that an endpoint was disabled, other than by the merchant. */
export const toEndpointDisabledEvent = ({
  id,
  disabledReason,
  failingSince,
}: Pick<WebhookEndpointRecord, "id" | "disabledReason" | "failingSince">): ModuleEvent => ({
  type: "WEBHOOK_ENDPOINT_DISABLED",
  subject: "WEBHOOK_ENDPOINT",
  subjectId: id,
  trigger: "WEBHOOK_ENDPOINT_DISABLED",
  statusBefore: "ENABLED",
  statusAfter: "DISABLED",
  actor: "SYSTEM",
  facts: { reason: disabledReason, failingSince },
});

/** The event that a merchant created, changed or deleted an endpoint. Values are left out: a URL can have a password in it. */
export const toEndpointEvent = (
  type: "WEBHOOK_ENDPOINT_CREATED" | "WEBHOOK_ENDPOINT_CHANGED" | "WEBHOOK_ENDPOINT_DELETED",
  trigger: string,
  { id, enabled, deletedAt }: Pick<WebhookEndpointRecord, "id" | "enabled" | "deletedAt">,
  { wasEnabled, changedFields }: { wasEnabled: boolean | null; changedFields?: string[] },
): ModuleEvent => ({
  ...{ type, subject: "WEBHOOK_ENDPOINT", subjectId: id, trigger, actor: "MANAGER" },
  statusBefore: wasEnabled === null ? null : stateOf(wasEnabled),
  statusAfter: deletedAt === null ? stateOf(enabled) : "DELETED",
  facts: changedFields ? { changedFields: changedFields.toSorted() } : {},
  // For the audit log: the merchant's systems set up their own endpoints.
  notify: false,
});

const stateOf = (isEnabled: boolean): string => (isEnabled ? "ENABLED" : "DISABLED");

/** Whether an event reports a failure of an endpoint itself, which is not the place to report it to. */
export const reportsFailureOf = (
  { id }: Pick<WebhookEndpointRecord, "id">,
  { type, subjectId, facts }: EventRecord,
): boolean =>
  (type === "WEBHOOK_ENDPOINT_DISABLED" && subjectId === id) ||
  (type === "WEBHOOK_DELIVERY_FAILED" && facts["endpointId"] === id);
