import type { NewCoverEvent, CoverTimelineRepository } from "./cover-timeline.repository.ts";

/** An event to record; the time and, by default, the actor SYSTEM are filled in. */
export type CoverEventEntry = Omit<NewCoverEvent, "occurredAt" | "actor" | "facts"> &
  Partial<Pick<NewCoverEvent, "actor" | "facts">>;

/** Writes the timeline. A merchant's token acts for its managers; what the engine concludes is the system's doing. */
export class CoverTimelineService {
  constructor(
    private readonly deps: {
      coverTimelineRepository: CoverTimelineRepository;
      now: Date;
    },
  ) {}

  /** The last renewal of the payment method by an order's payer after an instant; null if there is none. */
  methodChangedAt(vendorId: number, orderId: number, after: Date): Promise<Date | null> {
    return this.deps.coverTimelineRepository.lastOccurrence(vendorId, orderId, "PAYMENT_METHOD_CHANGED", after);
  }

  recordEvents(vendorId: number, ...entries: CoverEventEntry[]): Promise<void> {
    return this.deps.coverTimelineRepository.add(
      vendorId,
      entries.map((entry) => ({ actor: "MANAGER", facts: {}, ...entry, occurredAt: this.deps.now })),
    );
  }
}
