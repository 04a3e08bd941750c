import { retentionMs } from "../kernel/retention.ts";
import type { WebhookPartitionRepository } from "./webhook-partition.repository.ts";
import { DELIVERY_WINDOW_MS } from "./webhook.schedule.ts";

/** Makes the partitions of webhook attempts before their months begin, and drops those of months that are no longer kept. */
export class WebhookPartitionService {
  constructor(private readonly deps: { webhookPartitionRepository: WebhookPartitionRepository; realNow: Date }) {}

  /**
   * Makes the next missing partition, or else drops one. A delivery ends within three days of its first attempt, so that its
   * attempts are dropped after the delivery itself. @returns 1, or 0 if nothing is left to do.
   */
  async changeNext(): Promise<number> {
    const { webhookPartitionRepository: partitions, realNow } = this.deps;
    const isMade = await partitions.makeNext(realNow);
    if (isMade) return isMade;
    return partitions.dropNextBefore(
      new Date(realNow.getTime() - retentionMs("webhookDeliveries") - DELIVERY_WINDOW_MS),
    );
  }
}
