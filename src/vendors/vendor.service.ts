import { randomUUID } from "node:crypto";
import { invalid, invalidField, invariant, missing } from "../kernel/errors.ts";
import { after } from "../kernel/instants.ts";
import type { NewVendor, OrderTerms, VendorRecord, VendorRepository } from "./vendor.repository.ts";
import type { FinishTimes } from "./vendor-settings.rules.ts";

/** A century: far enough for every test, near enough for every date type. */
const FARTHEST_AHEAD_MS = 100 * 365.25 * 24 * 3600 * 1000;

/** What is told about a vendor when it is opened. */
export type VendorInput = Pick<NewVendor, "name" | "zoneId" | "currency" | "country" | "sandbox" | "parentId">;

/** Opens vendors and moves the clocks of sandboxes. */
export class VendorService {
  constructor(
    private readonly vendors: VendorRepository,
    private readonly now: Date,
  ) {}

  /** Opens a vendor and answers its id. A child is of its parent's kind, follows its clock, and has no children of its own. */
  async open(input: VendorInput): Promise<number> {
    const parent = input.parentId == null ? undefined : await this.vendors.byId(input.parentId);
    if (parent && parent.parentId !== null)
      throw invalidField("parentId", "is a child itself; a child has no children.");
    if (parent && parent.sandbox !== (input.sandbox ?? false))
      throw invalidField("sandbox", "must be what it is for the parent.");
    return this.vendors.add({ ...input, uuid: randomUUID(), createdAt: this.now, modifiedAt: this.now });
  }

  /** The vendor with a uuid: itself or a child of it. @throws a Refusal VENDOR_NOT_FOUND for any other, as for an unknown one. */
  async inFamily(vendor: VendorRecord, uuid: string): Promise<VendorRecord> {
    const found = vendor.uuid === uuid ? vendor : await this.vendors.inFamily(vendor.id, uuid);
    if (!found) throw missing("VENDOR_NOT_FOUND", "There is no vendor with this uuid.");
    return found;
  }

  /** What a vendor's orders and invoices are reckoned by. */
  terms(vendorId: number): Promise<OrderTerms> {
    return this.vendors.orderTerms(vendorId);
  }

  /** When a vendor's goods that arrived become final. */
  finishTimes(vendorId: number): Promise<FinishTimes> {
    return this.vendors.finishTimes(vendorId);
  }

  /**
   * Moves a sandbox's test clock forward, and with it those of its children.
   * @returns how far ahead of the real time the clock is now, in milliseconds.
   */
  async advanceTestClock(vendor: VendorRecord, by: string): Promise<number> {
    if (!vendor.sandbox)
      throw invalid("TEST_CLOCK_UNAVAILABLE", "This is a live vendor; only a sandbox has a test clock.");
    if (vendor.parentId !== null)
      throw invalid("TEST_CLOCK_UNAVAILABLE", "A child vendor follows its parent's clock; move that one.");
    const milliseconds = this.lengthOf(by, vendor.zoneId);
    const aheadMs = await this.vendors.advanceClock(vendor.id, milliseconds, FARTHEST_AHEAD_MS);
    if (aheadMs === undefined) throw invalidField("by", "moves the clock more than a century ahead of the real time.");
    return aheadMs;
  }

  /** A child of the vendor, as one who sells. */
  async child(vendorId: number, childId: number): Promise<{ id: number; country: string }> {
    const child = await this.vendors.byId(childId);
    invariant(child?.parentId === vendorId, "a listing is of a product of the vendor's child");
    return child;
  }

  private lengthOf(duration: string, zoneId: string): number {
    try {
      return after(this.now, duration, zoneId).getTime() - this.now.getTime();
    } catch (error) {
      const reason =
        error instanceof RangeError && /negative/.test(error.message)
          ? error.message
          : "must be an ISO 8601 duration such as P1D.";
      throw invalidField("by", reason);
    }
  }
}
