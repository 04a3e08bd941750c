import type { Handle } from "../database/client.ts";
import { MonthPartitions } from "../database/month-partitions.ts";

/** Definitions of the event log's partitions. They hold the events of all vendors. */
export class EventPartitionRepository extends MonthPartitions {
  constructor(db: Handle) {
    super(db, "event_log", "recorded_at");
  }
}
