import { batchListReads } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import {
  OfferRepository,
  type CombinationRecord,
  type Offer,
  type OptionRecord,
  type ProductRecord,
} from "../offer.repository.ts";

/** Offers of work that runs many times at once in one transaction: one statement for the calls of all. */
export class OfferBatchRepository extends OfferRepository {
  private readonly offers;
  private readonly options;
  private readonly combinations;
  private readonly locks;

  constructor(handle: Handle) {
    super(handle);
    this.offers = batchListReads<number, Offer>(
      (vendorId, ids) => super.offersByPlanIds(vendorId, ids),
      ({ plan }) => plan.id,
    );
    this.options = batchListReads<number, OptionRecord>(
      (vendorId, ids) => super.optionsOf(vendorId, ids),
      ({ productId }) => productId,
    );
    this.combinations = batchListReads<number, CombinationRecord>(
      (vendorId, ids) => super.combinationsOf(vendorId, ids),
      ({ productId }) => productId,
    );
    this.locks = batchListReads<number, ProductRecord>(
      (vendorId, ids) => super.lockCounted(vendorId, ids),
      ({ id }) => id,
    );
  }

  override offersByPlanIds(vendorId: number, planIds: readonly number[]): Promise<Offer[]> {
    return this.offers(vendorId, planIds);
  }

  override optionsOf(vendorId: number, productIds: readonly number[]): Promise<OptionRecord[]> {
    return this.options(vendorId, productIds);
  }

  override combinationsOf(vendorId: number, productIds: readonly number[]): Promise<CombinationRecord[]> {
    return this.combinations(vendorId, productIds);
  }

  override lockCounted(vendorId: number, productIds: readonly number[]): Promise<ProductRecord[]> {
    return this.locks(vendorId, productIds);
  }
}
