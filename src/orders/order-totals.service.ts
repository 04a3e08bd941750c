import type { OrderTotalsRepository } from "./order-totals.repository.ts";

/** Keeps the numbers of orders small enough to be summed by every list. */
export class OrderTotalsService {
  constructor(private readonly deps: { orderTotalsRepository: OrderTotalsRepository; realNow: Date }) {}

  /** Adds the oldest changes of a vendor's counts to its counts of days. @returns the number of changes. */
  foldCountChanges(vendorId: number, limit: number): Promise<number> {
    return this.deps.orderTotalsRepository.foldChanges(vendorId, this.deps.realNow, limit);
  }
}
