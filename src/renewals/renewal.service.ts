import { faultCodes } from "../payments/gateways/payment.faults.ts";
import type { Deferral, SubscriptionRenewalsService } from "../subscriptions/subscription-renewals.service.ts";
import type { RenewalRepository } from "./renewal.repository.ts";

/** Finds the orders of subscriptions that are to be charged at once, without a renewal. */
export class RenewalService {
  constructor(
    private readonly renewals: RenewalRepository,
    private readonly subscriptions: SubscriptionRenewalsService,
    private readonly now: Date,
  ) {}

  /** Orders of subscriptions that are to be charged at once, or one of them if it is. */
  findUncharged(vendorId: number, limit: number, orderId?: number): ReturnType<RenewalRepository["findUncharged"]> {
    return this.renewals.findUncharged(vendorId, {
      now: this.now,
      faultCodes,
      limit,
      orderId,
    });
  }

  /** Leaves an order that was to be charged at once alone, for want of what its merchant has to bring. */
  deferOrder(vendorId: number, subscriptionId: number, deferral: Deferral): Promise<void> {
    return this.subscriptions.recordDeferredCharge(vendorId, subscriptionId, deferral);
  }
}
