import type { EventAuthor } from "./authors/event-author.ts";
import { toEventType } from "./event.catalogue.ts";
import { toBusinessCount } from "./event.metrics.ts";
import type { EventTrigger } from "./event.titles.ts";
import type { EventRepository, NewEvent } from "./event.repository.ts";

/** A state change to record. Its time is the current one, and its actor defaults to SYSTEM. */
export type EventInput = Omit<NewEvent, "type" | "occurredAt" | "traceId" | "actor" | "trigger"> &
  Partial<Pick<NewEvent, "actor">> & { trigger: EventTrigger };

/** An event in the words of another module, which gives its type. Its time is the current one. */
export type ModuleEvent = Omit<NewEvent, "occurredAt" | "traceId">;

/**
 * Records changes in the transaction that makes them, as rows of the event log. Timelines read them at once. The feed reads
 * them when the sequencer has numbered them.
 */
export class EventService {
  private isNotifying = true;

  constructor(
    private readonly deps: {
      eventRepository: EventRepository;
      now: Date;
      /** The author of the events of this transaction; undefined if none is known. */
      author: EventAuthor | undefined;
      /** The trace in which they are recorded, in W3C form. */
      traceId: string | null;
    },
  ) {}

  /** Keeps the further events of this transaction from webhooks: the merchant already knows what it imports. */
  stopNotifying(): void {
    this.isNotifying = false;
  }

  /** Saves events, and updates the business counts. */
  async recordEvents(vendorId: number, ...inputs: EventInput[]): Promise<void> {
    const newEvents = inputs.map((input) => ({
      actor: "SYSTEM" as const,
      ...this.authorColumns(),
      ...input,
      notify: this.isNotifying && input.notify !== false,
      type: toEventType(input),
      occurredAt: this.deps.now,
      traceId: this.deps.traceId,
    }));
    await this.deps.eventRepository.insertEvents(vendorId, newEvents);
    const counts = newEvents.flatMap((event) => {
      const count = toBusinessCount(event);
      return count ? [{ ...count, at: this.deps.now }] : [];
    });
    if (counts.length > 0) await this.deps.eventRepository.addBusinessCounts(vendorId, counts);
    const changed = newEvents.filter(({ subject }) => subject === "SUBSCRIPTION").map(({ subjectId }) => subjectId);
    if (changed.length > 0)
      await this.deps.eventRepository.updateRecurringRevenues(vendorId, [...new Set(changed)], this.deps.now);
  }

  /** Saves events whose triggers are words of another module. They are not counted. */
  recordModuleEvents(vendorId: number, ...events: ModuleEvent[]): Promise<void> {
    const { now: occurredAt, traceId } = this.deps;
    return this.deps.eventRepository.insertEvents(
      vendorId,
      events.map((event) => ({
        ...this.authorColumns(),
        ...event,
        notify: this.isNotifying && event.notify !== false,
        occurredAt,
        traceId,
      })),
    );
  }

  private authorColumns(): Pick<NewEvent, "authorKind" | "authorId" | "authorSession"> {
    const { author } = this.deps;
    return {
      authorKind: author?.kind ?? null,
      authorId: author?.id ?? null,
      authorSession: author?.sessionId ?? null,
    };
  }

  /** The last time of a change of a registered order after an instant; null if there is none. */
  findLastOccurrence(vendorId: number, coverOrderId: number, trigger: string, after: Date): Promise<Date | null> {
    return this.deps.eventRepository.lastOccurrence(vendorId, coverOrderId, trigger, after);
  }

  /** Updates the monthly recurring revenue of a subscription that changed without an event. */
  updateRecurringRevenue(vendorId: number, subscriptionId: number): Promise<void> {
    return this.deps.eventRepository.updateRecurringRevenues(vendorId, [subscriptionId], this.deps.now);
  }
}
