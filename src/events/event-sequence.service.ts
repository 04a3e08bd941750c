import { loggedTypes, toLogLine, type EventLogLine } from "./event.log-line.ts";
import type { EventSequenceRepository, NumberedEventRow } from "./event-sequence.repository.ts";

/** Numbers a vendor's committed events: 1, 2, 3 … without gaps. Readers of the feed see numbered events only. */
export class EventSequenceService {
  constructor(private readonly deps: { eventSequenceRepository: EventSequenceRepository }) {}

  /** Numbers at most `limit` events. @returns them; none also if another worker is numbering them. */
  async numberEvents(vendorId: number, limit: number): Promise<NumberedEventRow[]> {
    const { eventSequenceRepository: sequences } = this.deps;
    return (await sequences.lockSequence(vendorId)) ? sequences.numberEvents(vendorId, limit) : [];
  }

  /** The lines for the log of those among numbered events that are about money, retries and deliveries. */
  async logLinesOf(vendorId: number, numbered: readonly NumberedEventRow[]): Promise<EventLogLine[]> {
    const logged = numbered.filter(({ type }) => loggedTypes.has(type));
    if (logged.length === 0) return [];
    const events = await this.deps.eventSequenceRepository.eventsOf(vendorId, logged);
    return events.map(toLogLine);
  }
}
