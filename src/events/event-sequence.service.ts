import type { EventSequenceRepository } from "./event-sequence.repository.ts";

/** Numbers a vendor's committed events: 1, 2, 3 … without gaps. Readers of the feed see numbered events only. */
export class EventSequenceService {
  constructor(private readonly deps: { eventSequenceRepository: EventSequenceRepository }) {}

  /** Numbers at most `limit` events. @returns how many; 0 also if another worker is numbering them. */
  async numberEvents(vendorId: number, limit: number): Promise<number> {
    const { eventSequenceRepository: sequences } = this.deps;
    return (await sequences.lockSequence(vendorId)) ? sequences.numberEvents(vendorId, limit) : 0;
  }
}
