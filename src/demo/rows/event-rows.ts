import type { Handle } from "../../database/client.ts";
import { toEventType } from "../../events/event.catalogue.ts";
import { EventRepository } from "../../events/event.repository.ts";
import { ApiKeyRepository } from "../../vendors/keys/api-key.repository.ts";
import type { DemoCalendar } from "../calendar.ts";
import { dormantSince, type CustomerDraft } from "../customers.ts";
import type { EventDraft, OrderDraft } from "./order-draft.ts";
import type { SubscriptionDraft } from "./subscription-draft.ts";

/** What the demo's timelines are about. */
interface TimelineSubjects {
  customers: readonly CustomerDraft[];
  orders: readonly OrderDraft[];
  subscriptions: readonly SubscriptionDraft[];
}

/** Saves the timelines of customers, orders and subscriptions. The merchant is not notified of demo data. */
export async function saveEvents(
  handle: Handle,
  vendorId: number,
  { customers, orders, subscriptions }: TimelineSubjects,
  calendar: DemoCalendar,
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
  const customerEvents = customers.flatMap((customer) =>
    eventsOfCustomer(customer, calendar).map((event) =>
      toNewEvent(event, {
        ...{ subject: "CUSTOMER", subjectId: customer.id, customerId: customer.id },
        ...{ orderId: null, subscriptionId: null },
      }),
    ),
  );
  const all = [...customerEvents, ...orderItemEvents, ...subscriptionEvents].sort(
    (a, b) => a.occurredAt.getTime() - b.occurredAt.getTime(),
  );
  await new EventRepository(handle).insertEvents(vendorId, all);
}

/** The subject of a draft's event, and the records whose timelines list it. */
interface EventOwners {
  subject: "CUSTOMER" | "ORDER_ITEM" | "SUBSCRIPTION";
  subjectId: number;
  customerId: number;
  orderId: number | null;
  subscriptionId: number | null;
}

/** How many customers there are for each whose phone number the merchant changed. */
const CHANGED_PHONE_INTERVAL = 8;

/** The registration of a customer, a change of the phone number, and the change to a dormant one. */
function eventsOfCustomer(customer: CustomerDraft, calendar: DemoCalendar): EventDraft[] {
  const { index, createdAt } = customer;
  const dormantAt = dormantSince(customer, calendar);
  const registration: EventDraft = {
    ...{ trigger: "registerCustomer", statusBefore: null, statusAfter: "NORMAL", reason: null },
    ...{ actor: index % 6 === 0 ? "MANAGER" : "CUSTOMER", occurredAt: createdAt },
  };
  const change: EventDraft = {
    ...{ trigger: "updateCustomer", statusBefore: "NORMAL", statusAfter: "NORMAL", reason: null },
    ...{ actor: "MANAGER", occurredAt: createdAt, facts: { changedFields: ["phone"] } },
  };
  const dormancy: EventDraft[] = dormantAt
    ? [
        {
          ...{ trigger: "makeDormant", statusBefore: "NORMAL", statusAfter: "DORMANT", reason: null },
          ...{ actor: "SYSTEM", occurredAt: dormantAt },
        },
      ]
    : [];
  return [registration, ...(index % CHANGED_PHONE_INTERVAL === 0 ? [change] : []), ...dormancy];
}

/** The author of an event by its actor: what the merchant did, the demo's key did. */
const authorsByActor = (keyId: number | null) =>
  ({
    CUSTOMER: { authorKind: "PAYER", authorId: null },
    MANAGER: { authorKind: "KEY", authorId: keyId },
    SYSTEM: { authorKind: "WORKER", authorId: null },
  }) as const;
