import { events } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import type { EventDraft, OrderDraft } from "./order-draft.ts";
import { insertRowsAsJson, assignIds } from "./bulk-rows.ts";
import type { SubscriptionDraft } from "./subscription-draft.ts";

/**
 * Saves the timeline of orders and subscriptions. All events are marked as posted: no notifications are sent for demo
 * data.
 */
export async function saveEvents(
  handle: Handle,
  vendorId: number,
  orders: readonly OrderDraft[],
  subscriptions: readonly SubscriptionDraft[],
): Promise<void> {
  const orderItemEvents = orders.flatMap(({ id: orderId, customer, lines }) =>
    lines.flatMap(({ id: subjectId, events }) =>
      events.map((event) => ({
        ...{ vendorId, id: 0, subject: "ORDER_ITEM" as const, subjectId, customerId: customer.id, orderId },
        subscriptionId: null,
        ...toPostedEvent(event),
      })),
    ),
  );
  const subscriptionEvents = subscriptions.flatMap(({ id: subjectId, customer, events }) =>
    events.map(({ order, ...event }) => ({
      ...{ vendorId, id: 0, subject: "SUBSCRIPTION" as const, subjectId, customerId: customer.id },
      ...{ orderId: order?.id ?? null, subscriptionId: subjectId, ...toPostedEvent(event) },
    })),
  );
  const all = [...orderItemEvents, ...subscriptionEvents].sort(
    (a, b) => a.occurredAt.getTime() - b.occurredAt.getTime(),
  );
  await assignIds(handle, events, all);
  await insertRowsAsJson(handle, events, all);
}

const toPostedEvent = (event: EventDraft) => ({ facts: {}, ...event, postedAt: event.occurredAt });
