import { events } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";

/** What is told of an event. */
export type NewEvent = Omit<typeof events.$inferInsert, "vendorId" | "id" | "postedAt">;

/** Every question we ask of the events. They are only ever added to. */
export class EventRepository {
  constructor(private readonly db: Handle) {}

  async add(vendorId: number, values: readonly NewEvent[]): Promise<void> {
    if (values.length > 0) await this.db.insert(events).values(values.map((event) => ({ vendorId, ...event })));
  }
}
