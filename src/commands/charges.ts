import { PaymentGateway } from "../../schema/vocabulary.ts";
import { wirePayments } from "../payments-wiring.ts";
import { createRepositories } from "../graphql/repositories.ts";
import { systemClock } from "../kernel/clock.ts";
import { invariant } from "../kernel/refusals.ts";
import { lastOf } from "../kernel/required-values.ts";
import { defineCommand, toRecordOutput, type CommandGroup } from "./command.ts";
import { runInTransaction, withDatabase } from "./command-database.ts";

const json = { type: "boolean", description: "Print one JSON object" } as const;
const cell = {
  type: "string",
  valueHint: "name",
  description: "Cell whose database is meant. Defaults to the home database",
} as const;

const status = defineCommand(
  { name: "status", description: "Reports whether the database was restored from a backup since the last charge" },
  { json, cell },
  async (args, errors) => {
    errors.throwIfAny();
    await runInTransaction(
      args.json,
      async ({ write }) => {
        const { savedIdentity, currentIdentity, restoredAt } = await write.backupRestores.status();
        return toRecordOutput({ restored: restoredAt ?? "never", saved: savedIdentity, current: currentIdentity });
      },
      args,
    );
  },
);

const restored = defineCommand(
  {
    name: "restored",
    description:
      "Declares that the database was restored to an earlier state. From then on, each charge is searched at its gateway before it is made. Only required after a copy of files or a snapshot of a disk, because a restored dump is detected",
  },
  { json, cell },
  async (args, errors) => {
    errors.throwIfAny();
    await runInTransaction(
      args.json,
      async ({ write }) => {
        await write.backupRestores.declareRestored();
        const { restoredAt } = await write.backupRestores.status();
        return toRecordOutput({ restored: restoredAt });
      },
      args,
    );
  },
);

const release = defineCommand(
  {
    name: "release",
    description:
      "Allows a vendor's charges through a gateway that cannot be searched. First compare the gateway's records with the orders",
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
    await runInTransaction(
      args.json,
      async ({ read, write }) => {
        const vendor = await read.vendors.byUuid(uuid);
        errors.check(vendor !== undefined, "--vendor: there is no vendor with this uuid.");
        errors.throwIfAny();
        invariant(vendor, "a missing vendor was reported above");
        const hasAccount = await write.gatewayAccounts.release(vendor.id, gateway);
        errors.check(hasAccount, "--gateway: the vendor has no account at this gateway.");
        errors.throwIfAny();
        return toRecordOutput({ vendor: vendor.uuid, gateway, released: true });
      },
      { vendorUuid: uuid },
    );
  },
);

/** The number of vendors that are read at once. */
const PAGE = 100;

const search = defineCommand(
  {
    name: "search",
    description:
      "Searches the gateways for payments of orders that have been unpaid since a restore, and records them. Can be repeated",
  },
  { json, cell },
  async (args, errors) => {
    errors.throwIfAny();
    await withDatabase(
      args.json,
      async (database, vault, { stripeApiUrl, tossApiUrl }) => {
        const { vendors } = createRepositories(database.handle);
        // A search creates no checkout links, so it needs no address.
        const payments = wirePayments({
          ...{ database, clock: systemClock, vault, address: () => "" },
          ...{ stripeApiUrl, tossApiUrl },
        });
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
      },
      args,
    );
  },
);

/** `recoup charges`: after a backup was restored, charges since the backup must not be made again. */
export const chargesCommands: CommandGroup = {
  meta: {
    name: "charges",
    description: "Reports and controls charges after a backup was restored.",
  },
  subCommands: { status, restored, search, release },
};
