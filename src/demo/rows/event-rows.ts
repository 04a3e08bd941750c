import { events } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import type { Happening, OrderDraft } from "./order-draft.ts";
import { fill, number } from "./bulk-rows.ts";
import type { SubscriptionDraft } from "./subscription-draft.ts";

/** Keeps the timeline of orders and subscriptions. All of it is long posted: nobody is told of what never happened. */
export async function keepEvents(
  handle: Handle,
  vendorId: number,
  orders: readonly OrderDraft[],
  subscriptions: readonly SubscriptionDraft[],
): Promise<void> {
  const ofLines = orders.flatMap(({ id: orderId, person, lines }) =>
    lines.flatMap(({ id: subjectId, happenings }) =>
      happenings.map((happening) => ({
        ...{ vendorId, id: 0, subject: "ORDER_ITEM" as const, subjectId, customerId: person.id, orderId },
        subscriptionId: null,
        ...told(happening),
      })),
    ),
  );
  const ofSubscriptions = subscriptions.flatMap(({ id: subjectId, person, happenings }) =>
    happenings.map(({ order, ...happening }) => ({
      ...{ vendorId, id: 0, subject: "SUBSCRIPTION" as const, subjectId, customerId: person.id },
      ...{ orderId: order?.id ?? null, subscriptionId: subjectId, ...told(happening) },
    })),
  );
  const all = [...ofLines, ...ofSubscriptions].sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime());
  await number(handle, events, all);
  await fill(handle, events, all);
}

const told = (happening: Happening) => ({ facts: {}, ...happening, postedAt: happening.occurredAt });
