import { cellOfVendor, HOME_CELL, newVendorUuid } from "../kernel/cell-numbers.ts";
import { invalidField, invariant, notFound } from "../kernel/refusals.ts";
import type { NewVendor, VendorBillingTerms, VendorRecord, VendorRepository } from "./vendor.repository.ts";
import type { FinishTimes } from "./vendor-settings.rules.ts";

/** The input for a new vendor. */
export type VendorInput = Pick<NewVendor, "name" | "zoneId" | "currency" | "country" | "sandbox" | "parentId"> & {
  /** The cell that the services write to, for a vendor without a parent. Defaults to the home database. */
  cell?: number;
};

/** Creates vendors, and reads the vendor data that other modules need. */
export class VendorService {
  constructor(
    private readonly deps: {
      vendorRepository: VendorRepository;
      now: Date;
    },
  ) {}

  /** Creates a vendor and returns its id. A child is a sandbox if its parent is one, and has no children. */
  async createVendor({ cell = HOME_CELL, ...input }: VendorInput): Promise<number> {
    const parent = input.parentId == null ? undefined : await this.deps.vendorRepository.byId(input.parentId);
    if (parent && parent.parentId !== null)
      throw invalidField("parentId", "belongs to a child vendor; a child has no children.");
    if (parent && parent.sandbox !== (input.sandbox ?? false))
      throw invalidField("sandbox", "must be the same as for the parent.");
    const ownCell = parent ? cellOfVendor(parent.id) : cell;
    const id = await this.deps.vendorRepository.add({
      ...input,
      uuid: newVendorUuid(ownCell),
      createdAt: this.deps.now,
      modifiedAt: this.deps.now,
    });
    invariant(cellOfVendor(id) === ownCell, "a cell numbers its vendors from its own first id");
    return id;
  }

  /** Finds the vendor itself or one of its children by uuid. @throws a Refusal VENDOR_NOT_FOUND for any other uuid. */
  async requireSelfOrChild(vendor: VendorRecord, uuid: string): Promise<VendorRecord> {
    const found = vendor.uuid === uuid ? vendor : await this.deps.vendorRepository.findSelfOrChild(vendor.id, uuid);
    if (!found) throw notFound("VENDOR_NOT_FOUND", "There is no vendor with this uuid.");
    return found;
  }

  /** The pricing settings of a vendor's orders and invoices. */
  billingTerms(vendorId: number): Promise<VendorBillingTerms> {
    return this.deps.vendorRepository.billingTerms(vendorId);
  }

  /** The hours after which a vendor's delivered goods become final. */
  finishTimes(vendorId: number): Promise<FinishTimes> {
    return this.deps.vendorRepository.finishTimes(vendorId);
  }

  /** The child vendor that sells a listed product. */
  async requireChild(vendorId: number, childId: number): Promise<{ id: number; country: string }> {
    const child = await this.deps.vendorRepository.byId(childId);
    invariant(child?.parentId === vendorId, "a listed product belongs to a child of the vendor");
    return child;
  }
}
