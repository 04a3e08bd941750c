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

  record(vendorId: number, ...happenings: Happening[]): Promise<void> {
    return this.events.add(
      vendorId,
      happenings.map((happening) => ({ actor: "SYSTEM", ...happening, occurredAt: this.now })),
    );
  }
}
