import { required } from "../kernel/required-values.ts";
import type { ApiKeyRecord } from "../vendors/api-key.repository.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import {
  defineCommand,
  toRecordOutput,
  toRecordOutputWithToken,
  toTableLines,
  type CommandGroup,
  type CommandOutput,
} from "./command.ts";
import { runInTransaction, type CommandServices } from "./command-database.ts";
import type { ArgumentErrors } from "./argument-errors.ts";

const sharedOptions = {
  vendor: { type: "string", valueHint: "uuid", description: "Vendor of the keys (required)" },
  json: { type: "boolean", description: "Print one JSON object" },
} as const;

/** Runs work for the vendor of `--vendor`, if all arguments are valid. */
async function runForVendor(
  { vendor: vendorOption, json }: { vendor?: string | undefined; json?: boolean | undefined },
  errors: ArgumentErrors,
  work: (vendor: VendorRecord, tools: CommandServices) => Promise<CommandOutput>,
): Promise<void> {
  const uuid = errors.readUuid("vendor", vendorOption);
  if (uuid === undefined) return errors.throwIfAny();
  await runInTransaction(json, async (tools) => {
    const vendor = await tools.read.vendors.byUuid(uuid);
    errors.check(vendor !== undefined, "--vendor: there is no vendor with this uuid.");
    errors.throwIfAny();
    return work(required(vendor, "the vendor"), tools);
  });
}

const toKeyRow = ({ id, name, ending, createdAt, lastUsedAt, revokedAt }: ApiKeyRecord) => ({
  id,
  name,
  ending,
  created: createdAt,
  lastUsed: lastUsedAt,
  revoked: revokedAt,
});

const create = defineCommand(
  { name: "create", description: "Creates a key and prints its token, which is never shown again" },
  {
    ...sharedOptions,
    name: {
      type: "string",
      default: "key",
      valueHint: "text",
      description: "Name that distinguishes the key from others",
    },
  },
  async (args, errors) => {
    const name = errors.readText("name", args.name);
    await runForVendor(args, errors, async (vendor, { write }) => {
      const { key, token } = await write.apiKeys.create(vendor.id, name, vendor.sandbox);
      return toRecordOutputWithToken(
        { vendor: vendor.uuid, key: key.id, name, ending: key.ending, created: key.createdAt },
        token,
      );
    });
  },
);

const revoke = defineCommand(
  { name: "revoke", description: "Revokes a valid key: its token is refused from now on" },
  {
    ...sharedOptions,
    key: { type: "string", valueHint: "id", description: "Id of the key, as the list shows it (required)" },
  },
  async (args, errors) => {
    const id = Number(args.key);
    const isValid = /^[1-9]\d*$/.test(args.key ?? "") && Number.isSafeInteger(id);
    errors.check(isValid, args.key === undefined ? "--key is missing." : "--key must be the id of a key.");
    await runForVendor(args, errors, async (vendor, { write }) => {
      const key = await write.apiKeys.revoke(vendor.id, id);
      return toRecordOutput({
        vendor: vendor.uuid,
        key: id,
        name: key.name,
        ending: key.ending,
        revoked: key.revokedAt,
      });
    });
  },
);

const list = defineCommand(
  { name: "list", description: "Lists the keys, including revoked ones, in columns separated by tabs" },
  sharedOptions,
  async (args, errors) => {
    await runForVendor(args, errors, async (vendor, { read }) => {
      const keys = (await read.keys.allOfVendor(vendor.id)).map(toKeyRow);
      const rows = keys.map((key) => [key.id, key.name, key.ending, key.created, key.lastUsed, key.revoked]);
      const headings = ["id", "name", "ending", "created", "lastUsed", "revoked"];
      return { lines: toTableLines(headings, rows), json: { vendor: vendor.uuid, keys } };
    });
  },
);

/** `recoup keys`: a vendor may have several valid keys, so that a new key is in use before the old one is revoked. */
export const keysCommands: CommandGroup = {
  meta: { name: "keys", description: "Creates, revokes and lists the Secret-Tokens of a vendor." },
  subCommands: { create, revoke, list },
};
