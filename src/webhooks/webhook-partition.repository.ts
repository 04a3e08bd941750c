import type { Handle } from "../database/client.ts";
import { MonthPartitions } from "../database/month-partitions.ts";

/** Definitions of the partitions of webhook attempts. They hold the attempts of all vendors. */
export class WebhookPartitionRepository extends MonthPartitions {
  constructor(db: Handle) {
    super(db, "webhook_attempts", "started_at");
  }
}
