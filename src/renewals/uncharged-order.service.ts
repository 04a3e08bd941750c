import { faultCodes } from "../payments/gateways/payment.faults.ts";
import type { Deferral, SubscriptionRenewalsService } from "../subscriptions/subscription-renewals.service.ts";
import type { UnchargedOrderRepository } from "./uncharged-order.repository.ts";

/** Finds the orders of subscriptions that are to be charged at once, without a renewal. */
export class UnchargedOrderService {
  constructor(
    private readonly deps: {
      unchargedOrderRepository: UnchargedOrderRepository;
      subscriptionRenewals: SubscriptionRenewalsService;
      now: Date;
    },
  ) {}

  /** Orders of subscriptions that are to be charged at once, or one of them if it is. */
  findUncharged(
    vendorId: number,
    limit: number,
    orderId?: number,
  ): ReturnType<UnchargedOrderRepository["findUncharged"]> {
    return this.deps.unchargedOrderRepository.findUncharged(vendorId, {
      now: this.deps.now,
      faultCodes,
      limit,
      orderId,
    });
  }

  /** Leaves an order that was to be charged at once alone, for want of what its merchant has to bring. */
  deferOrder(vendorId: number, subscriptionId: number, deferral: Deferral): Promise<void> {
    return this.deps.subscriptionRenewals.recordDeferredCharge(vendorId, subscriptionId, deferral);
  }
}
