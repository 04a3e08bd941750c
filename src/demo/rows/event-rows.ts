import type { Handle } from "../../database/client.ts";
import { toEventType } from "../../events/event.catalogue.ts";
import { EventRepository } from "../../events/event.repository.ts";
import { ApiKeyRepository } from "../../vendors/keys/api-key.repository.ts";
import type { EventDraft, OrderDraft } from "./order-draft.ts";
import type { SubscriptionDraft } from "./subscription-draft.ts";

/** Saves the timeline of orders and subscriptions. The merchant is not notified of demo data. */
export async function saveEvents(
  handle: Handle,
  vendorId: number,
  orders: readonly OrderDraft[],
  subscriptions: readonly SubscriptionDraft[],
): Promise<void> {
  const [key] = await new ApiKeyRepository(handle).allOfVendor(vendorId);
  const authors = authorsByActor(key?.id ?? null);
  const toNewEvent = (event: EventDraft, owners: EventOwners) => ({
    facts: {},
    ...event,
    ...owners,
    ...authors[event.actor],
    type: toEventType({ ...event, ...owners }),
    notify: false,
  });
  const orderItemEvents = orders.flatMap(({ id: orderId, customer, lines }) =>
    lines.flatMap(({ id: subjectId, events }) =>
      events.map((event) =>
        toNewEvent(event, { subject: "ORDER_ITEM", subjectId, customerId: customer.id, orderId, subscriptionId: null }),
      ),
    ),
  );
  const subscriptionEvents = subscriptions.flatMap(({ id: subjectId, customer, events }) =>
    events.map(({ order, ...event }) =>
      toNewEvent(event, {
        ...{ subject: "SUBSCRIPTION", subjectId, customerId: customer.id },
        ...{ orderId: order?.id ?? null, subscriptionId: subjectId },
      }),
    ),
  );
  const all = [...orderItemEvents, ...subscriptionEvents].sort(
    (a, b) => a.occurredAt.getTime() - b.occurredAt.getTime(),
  );
  await new EventRepository(handle).insertEvents(vendorId, all);
}

/** The subject of a draft's event, and the records whose timelines list it. */
interface EventOwners {
  subject: "ORDER_ITEM" | "SUBSCRIPTION";
  subjectId: number;
  customerId: number;
  orderId: number | null;
  subscriptionId: number | null;
}

/** The author of an event by its actor: what the merchant did, the demo's key did. */
const authorsByActor = (keyId: number | null) =>
  ({
    CUSTOMER: { authorKind: "PAYER", authorId: null },
    MANAGER: { authorKind: "KEY", authorId: keyId },
    SYSTEM: { authorKind: "WORKER", authorId: null },
  }) as const;
