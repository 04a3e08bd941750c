import { shareRead } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import { VendorRepository, type VendorBillingTerms } from "../vendor.repository.ts";

/** Vendors of work that runs many times at once in one transaction: one read for all. */
export class VendorBatchRepository extends VendorRepository {
  private readonly terms;

  constructor(handle: Handle) {
    super(handle);
    this.terms = shareRead((vendorId) => super.billingTerms(vendorId));
  }

  override billingTerms(vendorId: number): Promise<VendorBillingTerms> {
    return this.terms(vendorId);
  }
}
