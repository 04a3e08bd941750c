import { randomUUID } from "node:crypto";
import { invalidField, invariant, notFound } from "../kernel/refusals.ts";
import type { NewVendor, VendorBillingTerms, VendorRecord, VendorRepository } from "./vendor.repository.ts";
import type { FinishTimes } from "./vendor-settings.rules.ts";

/** The input for a new vendor. */
export type VendorInput = Pick<NewVendor, "name" | "zoneId" | "currency" | "country" | "sandbox" | "parentId">;

/** Creates vendors, and answers what other modules ask about one. */
export class VendorService {
  constructor(
    private readonly deps: {
      vendorRepository: VendorRepository;
      now: Date;
    },
  ) {}

  /** Opens a vendor and answers its id. A child is of its parent's kind, follows its clock, and has no children of its own. */
  async createVendor(input: VendorInput): Promise<number> {
    const parent = input.parentId == null ? undefined : await this.deps.vendorRepository.byId(input.parentId);
    if (parent && parent.parentId !== null)
      throw invalidField("parentId", "belongs to a child vendor; a child has no children.");
    if (parent && parent.sandbox !== (input.sandbox ?? false))
      throw invalidField("sandbox", "must be the same as for the parent.");
    return this.deps.vendorRepository.add({
      ...input,
      uuid: randomUUID(),
      createdAt: this.deps.now,
      modifiedAt: this.deps.now,
    });
  }

  /** The vendor with a uuid: itself or a child of it. @throws a Refusal VENDOR_NOT_FOUND for any other, as for an unknown one. */
  async requireSelfOrChild(vendor: VendorRecord, uuid: string): Promise<VendorRecord> {
    const found = vendor.uuid === uuid ? vendor : await this.deps.vendorRepository.findSelfOrChild(vendor.id, uuid);
    if (!found) throw notFound("VENDOR_NOT_FOUND", "There is no vendor with this uuid.");
    return found;
  }

  /** The pricing settings of a vendor's orders and invoices. */
  billingTerms(vendorId: number): Promise<VendorBillingTerms> {
    return this.deps.vendorRepository.billingTerms(vendorId);
  }

  /** When a vendor's goods that arrived become final. */
  finishTimes(vendorId: number): Promise<FinishTimes> {
    return this.deps.vendorRepository.finishTimes(vendorId);
  }

  /** A child of the vendor, as one who sells. */
  async requireChild(vendorId: number, childId: number): Promise<{ id: number; country: string }> {
    const child = await this.deps.vendorRepository.byId(childId);
    invariant(child?.parentId === vendorId, "a listing is of a product of the vendor's child");
    return child;
  }
}
