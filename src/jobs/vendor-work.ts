import type { FastifyBaseLogger } from "fastify";
import type { ContextFactory } from "../graphql/context.ts";
import { runAsParty } from "../kernel/scheduling/current-party.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import type { DueVendorRepository } from "./due-vendor.repository.ts";

/** The dependencies of everything that serves vendors with due work. */
export interface VendorWorkOptions {
  contexts: ContextFactory;
  dueVendors: DueVendorRepository;
  findVendor: (id: number) => Promise<VendorRecord | undefined>;
  now: () => Date;
  logger: FastifyBaseLogger;
}

/** Runs work for a vendor, and reports its error, so that it does not affect other vendors. @returns the number of steps. */
export async function runForVendor(
  findVendor: VendorWorkOptions["findVendor"],
  vendorId: number,
  work: (vendor: VendorRecord) => Promise<number>,
  onFault: (error: unknown) => void,
): Promise<number> {
  try {
    return await runAsParty({ kind: "WORKER", id: vendorId }, async () => {
      const vendor = await findVendor(vendorId);
      return vendor ? await work(vendor) : 0;
    });
  } catch (error) {
    onFault(error);
    return 0;
  }
}
