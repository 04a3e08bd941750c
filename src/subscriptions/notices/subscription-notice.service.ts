import type { SubscriptionRecord } from "../subscription.repository.ts";
import {
  dueChargeNotices,
  dueTrialNotices,
  dueUsageNotices,
  type SubscriptionNoticeRepository,
} from "./subscription-notice.repository.ts";

/**
 * Says whose customers are to be notified of something ahead, once for each occasion and date. The caller queues the notices
 * in the transaction of the claim.
 */
export class SubscriptionNoticeService {
  constructor(
    private readonly deps: {
      subscriptionNoticeRepository: SubscriptionNoticeRepository;
      now: Date;
    },
  ) {}

  /** Claims notices of charges that are as near as the vendor's settings say. */
  claimCharges(vendorId: number, limit: number): Promise<SubscriptionRecord[]> {
    const { subscriptionNoticeRepository, now } = this.deps;
    const notices = { occasion: "CHARGE", dueRows: dueChargeNotices } as const;
    return subscriptionNoticeRepository.claim(vendorId, notices, now, limit);
  }

  /** Claims notices of the charges of postpaid subscriptions, some days before. */
  claimUsageCharges(vendorId: number, days: number, limit: number): Promise<SubscriptionRecord[]> {
    const { subscriptionNoticeRepository, now } = this.deps;
    const notices = { occasion: "USAGE_CHARGE", dueRows: dueUsageNotices(days) } as const;
    return subscriptionNoticeRepository.claim(vendorId, notices, now, limit);
  }

  /** Claims notices of the ends of trials, some days before. */
  claimTrialEnds(vendorId: number, days: number, limit: number): Promise<SubscriptionRecord[]> {
    const { subscriptionNoticeRepository, now } = this.deps;
    const notices = { occasion: "TRIAL_END", dueRows: dueTrialNotices(days) } as const;
    return subscriptionNoticeRepository.claim(vendorId, notices, now, limit);
  }
}
