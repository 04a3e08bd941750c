import type { SubscriptionRepository } from "./subscription.repository.ts";

/** Keeps subscriptions. */
export class SubscriptionService {
  constructor(private readonly subscriptions: SubscriptionRepository) {}

  /** Those of the products of which the customer has a subscription that has not ended. */
  productsOfLive(vendorId: number, customerId: number, productIds: readonly number[]): Promise<Set<number>> {
    return this.subscriptions.productsOfLive(vendorId, customerId, productIds);
  }
}
