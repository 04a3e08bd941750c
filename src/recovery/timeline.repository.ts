import type { Handle } from "../database/client.ts";
import { insertInto } from "../database/drafts.ts";
import { Keyset } from "../database/keyset.ts";
import { coverEvents } from "../../schema/tables/index.ts";

export type CoverEventRecord = typeof coverEvents.$inferSelect;

/** What is told of an event. */
export type NewCoverEvent = Omit<typeof coverEvents.$inferInsert, "vendorId" | "id">;

/** Every question we ask of the timeline. It is only ever added to. */
export class TimelineRepository {
  readonly list: Keyset<CoverEventRecord, object, "OCCURRED_AT", "orderId" | "subscriptionId" | "coverId">;

  constructor(private readonly db: Handle) {
    this.list = new Keyset(db, {
      table: coverEvents,
      sorts: { OCCURRED_AT: { expression: coverEvents.occurredAt, valueOf: (row) => row.occurredAt } },
      parents: {
        orderId: coverEvents.orderId,
        subscriptionId: coverEvents.subscriptionId,
        coverId: coverEvents.coverId,
      },
      matching: () => undefined,
    });
  }

  async add(vendorId: number, events: readonly NewCoverEvent[]): Promise<void> {
    if (events.length === 0) return;
    await insertInto(
      this.db,
      coverEvents,
      events.map((event) => ({ vendorId, ...event })),
    );
  }
}
