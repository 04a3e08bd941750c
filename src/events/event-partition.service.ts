import type { EventPartitionRepository } from "./event-partition.repository.ts";

/** Makes the partitions of the event log before their months begin. */
export class EventPartitionService {
  constructor(private readonly deps: { eventPartitionRepository: EventPartitionRepository; realNow: Date }) {}

  /** Makes the next missing partition. @returns 1, or 0 if none is missing. */
  makeNext(): Promise<number> {
    return this.deps.eventPartitionRepository.makeNext(this.deps.realNow);
  }
}
