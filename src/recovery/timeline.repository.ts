import { and, desc, eq, gt } from "drizzle-orm";
import type { Handle } from "../database/client.ts";
import { insertInto } from "../database/drafts.ts";
import { Keyset } from "../database/keyset.ts";
import { coverEvents } from "../../schema/tables/index.ts";
import type { CoverEventType } from "../../schema/vocabulary.ts";

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

  /** When something last happened to an order after an instant; null where it did not. */
  async lastOf(vendorId: number, orderId: number, type: CoverEventType, after: Date): Promise<Date | null> {
    const [last] = await this.db
      .select({ occurredAt: coverEvents.occurredAt })
      .from(coverEvents)
      .where(
        and(
          eq(coverEvents.vendorId, vendorId),
          eq(coverEvents.orderId, orderId),
          eq(coverEvents.type, type),
          gt(coverEvents.occurredAt, after),
        ),
      )
      .orderBy(desc(coverEvents.occurredAt))
      .limit(1);
    return last?.occurredAt ?? null;
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
