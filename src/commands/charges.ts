import { PaymentGateway } from "../../schema/vocabulary.ts";
import { wirePayments } from "../payments-wiring.ts";
import { createRepositories } from "../graphql/repositories.ts";
import { systemClock } from "../kernel/clock.ts";
import { invariant } from "../kernel/refusals.ts";
import { lastOf } from "../kernel/required-values.ts";
import { defineCommand, runProgram, runInTransaction, toRecordOutput, withDatabase } from "./command.ts";

const json = { type: "boolean", description: "Print one JSON object" } as const;

const status = defineCommand(
  { name: "status", description: "Reports whether the database is the one with which charges were made last" },
  { json },
  async (args, errors) => {
    errors.throwIfAny();
    await runInTransaction(args.json, async ({ write }) => {
      const { savedIdentity, currentIdentity, restoredAt } = await write.backupRestores.status();
      return toRecordOutput({ restored: restoredAt ?? "never", saved: savedIdentity, current: currentIdentity });
    });
  },
);

const restored = defineCommand(
  {
    name: "restored",
    description:
      "Declares that the database was restored to an earlier state: charges are then searched at their gateways before they are made. Required only for copies of files and snapshots of disks; a restored dump is detected",
  },
  { json },
  async (args, errors) => {
    errors.throwIfAny();
    await runInTransaction(args.json, async ({ write }) => {
      await write.backupRestores.declareRestored();
      const { restoredAt } = await write.backupRestores.status();
      return toRecordOutput({ restored: restoredAt });
    });
  },
);

const release = defineCommand(
  {
    name: "release",
    description:
      "Allows charges of a vendor through a gateway that cannot be searched, after you have compared its books with the orders",
  },
  {
    json,
    vendor: { type: "string", valueHint: "uuid", description: "Vendor of the account (required)" },
    gateway: { type: "string", valueHint: "word", description: "Payment gateway, such as HOUSE (required)" },
  },
  async (args, errors) => {
    const uuid = errors.readUuid("vendor", args.vendor);
    const gateway = Object.values(PaymentGateway).find((word) => word === args.gateway);
    errors.check(
      gateway !== undefined,
      args.gateway === undefined ? "--gateway is missing." : "--gateway must be a payment gateway, such as HOUSE.",
    );
    if (uuid === undefined || gateway === undefined) return errors.throwIfAny();
    await runInTransaction(args.json, async ({ read, write }) => {
      const vendor = await read.vendors.byUuid(uuid);
      errors.check(vendor !== undefined, "--vendor: there is no vendor with this uuid.");
      errors.throwIfAny();
      invariant(vendor, "else the faults are settled by now");
      const isThere = await write.gatewayAccounts.release(vendor.id, gateway);
      errors.check(isThere, "--gateway: the vendor has no account at this gateway.");
      errors.throwIfAny();
      return toRecordOutput({ vendor: vendor.uuid, gateway, released: true });
    });
  },
);

/** How many vendors are read at once. */
const PAGE = 100;

const search = defineCommand(
  {
    name: "search",
    description:
      "Searches the gateways for payments of orders that have been unpaid since a restore, and records them. Can be repeated",
  },
  { json },
  async (args, errors) => {
    errors.throwIfAny();
    await withDatabase(args.json, async (database, vault) => {
      const { vendors } = createRepositories(database.handle);
      // Nothing that is searched gets a link to the checkout.
      const payments = wirePayments({ database, clock: systemClock, vault, address: () => "" });
      const counts = { vendors: 0, searched: 0, recorded: 0 };
      for (
        let page = await vendors.pageAfterId(0, PAGE);
        page.length > 0;
        page = await vendors.pageAfterId(lastOf(page).id, PAGE)
      )
        for (const vendor of page) {
          const { searched, recorded } = await payments.searchUnpaid(vendor);
          counts.vendors++;
          counts.searched += searched;
          counts.recorded += recorded;
        }
      return toRecordOutput(counts);
    });
  },
);

/* `npm run charges`: after a restore from a backup, no charge since the backup may be made again. */
await runProgram({
  meta: {
    name: "npm run charges --",
    description: "Reports and controls charges after a backup was restored.",
  },
  subCommands: { status, restored, search, release },
});
