import type { SubscriptionRecord } from "../subscription.repository.ts";
import type { SubscriptionNoticeRepository } from "./subscription-notice.repository.ts";

/** Says whose customers are to be notified of something ahead, once for each occasion. */
export class SubscriptionNoticeService {
  constructor(
    private readonly deps: {
      subscriptionNoticeRepository: SubscriptionNoticeRepository;
      now: Date;
    },
  ) {}

  /** Claims due notices of the next charge. The caller queues them in the same transaction. */
  claimCharges(vendorId: number, limit: number): Promise<SubscriptionRecord[]> {
    return this.deps.subscriptionNoticeRepository.claimCharges(vendorId, this.deps.now, limit);
  }
}
