import { eq } from "drizzle-orm";
import { events } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { when } from "../database/conditions.ts";
import { Keyset } from "../database/keyset.ts";

/** What is told of an event. */
export type NewEvent = Omit<typeof events.$inferInsert, "vendorId" | "id" | "postedAt">;

export type EventRecord = typeof events.$inferSelect;

/** Every question we ask of the events. They are only ever added to. */
export class EventRepository {
  readonly list: Keyset<
    EventRecord,
    { subject?: EventRecord["subject"] },
    "OCCURRED_AT",
    "customerId" | "orderId" | "subscriptionId" | "subjectId"
  >;

  constructor(private readonly db: Handle) {
    this.list = new Keyset(db, {
      table: events,
      sorts: { OCCURRED_AT: { expression: events.occurredAt, valueOf: (row) => row.occurredAt } },
      parents: {
        customerId: events.customerId,
        orderId: events.orderId,
        subscriptionId: events.subscriptionId,
        subjectId: events.subjectId,
      },
      matching: ({ subject }) => when(subject, (word) => eq(events.subject, word)),
    });
  }

  async add(vendorId: number, values: readonly NewEvent[]): Promise<void> {
    if (values.length > 0) await this.db.insert(events).values(values.map((event) => ({ vendorId, ...event })));
  }
}
