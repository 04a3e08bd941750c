import { required } from "../kernel/required-values.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import type { ArgumentErrors } from "./argument-errors.ts";
import type { CommandOutput } from "./command.ts";
import { runInTransaction, type CommandServices } from "./command-database.ts";

/** Runs work for the vendor of `--vendor` in one transaction, if all arguments are valid. */
export async function runForVendor(
  { vendor: vendorOption, json }: { vendor?: string | undefined; json?: boolean | undefined },
  errors: ArgumentErrors,
  work: (vendor: VendorRecord, tools: CommandServices) => Promise<CommandOutput>,
): Promise<void> {
  const uuid = errors.readUuid("vendor", vendorOption);
  if (uuid === undefined) return errors.throwIfAny();
  await runInTransaction(
    json,
    async (tools) => {
      const vendor = await tools.read.vendors.byUuid(uuid);
      errors.check(vendor !== undefined, "--vendor: there is no vendor with this uuid.");
      errors.throwIfAny();
      return work(required(vendor, "the vendor"), tools);
    },
    { vendorUuid: uuid },
  );
}
