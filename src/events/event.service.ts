import { toBusinessCount } from "./event.metrics.ts";
import type { EventTrigger } from "./event.titles.ts";
import type { EventRepository, NewEvent } from "./event.repository.ts";

/** A state change to record. Its time is the current one, and its actor defaults to SYSTEM. */
export type EventInput = Omit<NewEvent, "occurredAt" | "actor" | "trigger"> &
  Partial<Pick<NewEvent, "actor">> & { trigger: EventTrigger };

/**
 * Records state changes of the billing side in the transaction that makes them. Each change is one event row. The rows are
 * the timeline, and the outbox of events to post to the merchant.
 */
export class EventService {
  constructor(
    private readonly deps: {
      eventRepository: EventRepository;
      now: Date;
    },
  ) {}

  /** Saves events, and updates the business counts. */
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

  /** Updates the monthly recurring revenue of a subscription that changed without an event. */
  updateRecurringRevenue(vendorId: number, subscriptionId: number): Promise<void> {
    return this.deps.eventRepository.updateRecurringRevenue(vendorId, subscriptionId, this.deps.now);
  }
}
