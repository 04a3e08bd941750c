import { toBusinessCount } from "./event.metrics.ts";
import type { EventTrigger } from "./event.titles.ts";
import type { EventRepository, NewEvent } from "./event.repository.ts";

/** A state change to record; the time is filled in, and the actor defaults to SYSTEM. */
export type EventInput = Omit<NewEvent, "occurredAt" | "actor" | "trigger"> &
  Partial<Pick<NewEvent, "actor">> & { trigger: EventTrigger };

/**
 * Writes what happens on the billing side, in the transaction in which it does: the timeline, and the outbox of what is to
 * be posted. One row for each change of a state.
 */
export class EventService {
  constructor(
    private readonly deps: {
      eventRepository: EventRepository;
      now: Date;
    },
  ) {}

  /** Saves events, and counts those that the figures of the business consist of. */
  async recordEvents(vendorId: number, ...inputs: EventInput[]): Promise<void> {
    const newEvents = inputs.map((input) => ({ actor: "SYSTEM" as const, ...input, occurredAt: this.deps.now }));
    await this.deps.eventRepository.insertEvents(vendorId, newEvents);
    for (const event of newEvents) {
      const count = toBusinessCount(event);
      if (count) await this.deps.eventRepository.addBusinessCount(vendorId, { ...count, at: this.deps.now });
    }
    const changed = newEvents.filter(({ subject }) => subject === "SUBSCRIPTION").map(({ subjectId }) => subjectId);
    for (const subscriptionId of new Set(changed)) await this.updateRecurringRevenue(vendorId, subscriptionId);
  }

  /** Counts what a subscription adds to the monthly recurring revenue, where it changed without an event. */
  updateRecurringRevenue(vendorId: number, subscriptionId: number): Promise<void> {
    return this.deps.eventRepository.updateRecurringRevenue(vendorId, subscriptionId, this.deps.now);
  }
}
