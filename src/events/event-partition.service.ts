import type { EventPartitionRepository, LogMonth } from "./event-partition.repository.ts";

/** Months from the present one that have a partition. */
const MONTHS_AHEAD = 3;

/** Makes the partitions of the event log before their months begin. */
export class EventPartitionService {
  constructor(private readonly deps: { eventPartitionRepository: EventPartitionRepository; realNow: Date }) {}

  /** Makes the next missing partition. @returns 1, or 0 if none is missing. */
  async makeNext(): Promise<number> {
    const { eventPartitionRepository: partitions, realNow } = this.deps;
    const months = Array.from({ length: MONTHS_AHEAD }, (_, ahead) => monthAfter(realNow, ahead));
    const [missing] = await partitions.missingOf(months);
    if (missing) await partitions.addPartition(missing);
    return missing ? 1 : 0;
  }
}

/** The month, in UTC, that is so many after the present one. */
function monthAfter(now: Date, ahead: number): LogMonth {
  const startOf = (month: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, 1));
  const from = startOf(ahead);
  return { name: from.toISOString().slice(0, 7), from, until: startOf(ahead + 1) };
}
