import type { ApiKeyRecord } from "../vendors/api-key.repository.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import { defineCommand, main, onDatabase, record, recordWithToken, table, type Answer, type Tools } from "./command.ts";
import type { Faults } from "./argument-errors.ts";

const shared = {
  vendor: { type: "string", valueHint: "uuid", description: "Whose keys (required)" },
  json: { type: "boolean", description: "Print one JSON object" },
} as const;

/** Runs work for the vendor that was named, once nothing is wrong with the arguments. */
async function forVendor(
  { vendor: given, json }: { vendor?: string | undefined; json?: boolean | undefined },
  faults: Faults,
  work: (vendor: VendorRecord, tools: Tools) => Promise<Answer>,
): Promise<void> {
  const uuid = faults.uuid("vendor", given);
  if (uuid === undefined) return faults.settle();
  await onDatabase(json, async (tools) => {
    const vendor = await tools.read.vendors.byUuid(uuid);
    faults.unless(vendor !== undefined, "--vendor: there is no vendor with this uuid.");
    faults.settle();
    return work(vendor!, tools);
  });
}

const shown = ({ id, name, ending, createdAt, lastUsedAt, revokedAt }: ApiKeyRecord) => ({
  id,
  name,
  ending,
  created: createdAt,
  lastUsed: lastUsedAt,
  revoked: revokedAt,
});

const create = defineCommand(
  { name: "create", description: "Makes a key and prints its token, which is never shown again" },
  {
    ...shared,
    name: { type: "string", default: "key", valueHint: "text", description: "What tells the key apart from others" },
  },
  async (args, faults) => {
    const name = faults.name("name", args.name);
    await forVendor(args, faults, async (vendor, { write }) => {
      const { key, token } = await write.keys.create(vendor.id, name, vendor.sandbox);
      return recordWithToken(
        { vendor: vendor.uuid, key: key.id, name, ending: key.ending, created: key.createdAt },
        token,
      );
    });
  },
);

const revoke = defineCommand(
  { name: "revoke", description: "Revokes a live key: its token opens nothing from now on" },
  {
    ...shared,
    key: { type: "string", valueHint: "id", description: "Which key, by the number that list shows (required)" },
  },
  async (args, faults) => {
    const id = Number(args.key);
    const fine = /^[1-9]\d*$/.test(args.key ?? "") && Number.isSafeInteger(id);
    faults.unless(fine, args.key === undefined ? "--key is missing." : "--key must be the number of a key.");
    await forVendor(args, faults, async (vendor, { write }) => {
      const key = await write.keys.revoke(vendor.id, id);
      return record({ vendor: vendor.uuid, key: id, name: key.name, ending: key.ending, revoked: key.revokedAt });
    });
  },
);

const list = defineCommand(
  { name: "list", description: "Lists the keys, the revoked ones too, in columns that tabs part" },
  shared,
  async (args, faults) => {
    await forVendor(args, faults, async (vendor, { read }) => {
      const keys = (await read.keys.all(vendor.id)).map(shown);
      const rows = keys.map((key) => [key.id, key.name, key.ending, key.created, key.lastUsed, key.revoked]);
      const headings = ["id", "name", "ending", "created", "lastUsed", "revoked"];
      return { lines: table(headings, rows), json: { vendor: vendor.uuid, keys } };
    });
  },
);

/* `npm run keys`: several keys of a vendor may live side by side, so that a new one can take over before the old one goes. */
await main({
  meta: { name: "npm run keys --", description: "Makes, revokes and lists the Secret-Tokens of a vendor." },
  subCommands: { create, revoke, list },
});
