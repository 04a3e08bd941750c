import { countOf } from "./event.metrics.ts";
import type { EventKind } from "./event.titles.ts";
import type { EventRepository, NewEvent } from "./event.repository.ts";

/** A change of a state; the time is filled in, and what is not told is that the system did it by itself. */
export type Happening = Omit<NewEvent, "occurredAt" | "actor" | "happening"> &
  Partial<Pick<NewEvent, "actor">> & { happening: EventKind };

/**
 * Writes what happens on the billing side, in the transaction in which it does: the timeline, and the outbox of what is to
 * be posted. One row for each change of a state.
 */
export class EventService {
  constructor(
    private readonly events: EventRepository,
    private readonly now: Date,
  ) {}

  /** Saves events, and counts those that the figures of the business consist of. */
  async record(vendorId: number, ...happenings: Happening[]): Promise<void> {
    const told = happenings.map((happening) => ({ actor: "SYSTEM" as const, ...happening, occurredAt: this.now }));
    await this.events.add(vendorId, told);
    for (const event of told) {
      const counted = countOf(event);
      if (counted) await this.events.count(vendorId, { ...counted, at: this.now });
    }
    const changed = told.filter(({ subject }) => subject === "SUBSCRIPTION").map(({ subjectId }) => subjectId);
    for (const subscriptionId of new Set(changed)) await this.countRecurring(vendorId, subscriptionId);
  }

  /** Counts what a subscription adds to the monthly recurring revenue, where it changed without an event. */
  countRecurring(vendorId: number, subscriptionId: number): Promise<void> {
    return this.events.countRecurring(vendorId, subscriptionId, this.now);
  }
}
