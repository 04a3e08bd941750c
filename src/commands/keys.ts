import { KeyScope } from "../../schema/vocabulary.ts";
import { systemClock } from "../kernel/clock.ts";
import type { ApiKeyRecord } from "../vendors/keys/api-key.repository.ts";
import { defineCommand, toRecordOutput, toRecordOutputWithToken, toTableLines, type CommandGroup } from "./command.ts";
import type { ArgumentErrors } from "./argument-errors.ts";
import { runForVendor } from "./vendor-command.ts";

const sharedOptions = {
  vendor: { type: "string", valueHint: "uuid", description: "Vendor of the keys (required)" },
  json: { type: "boolean", description: "Print one JSON object" },
} as const;

const SCOPES = Object.keys(KeyScope).join(",");

/** ADMIN includes SESSIONS. */
const ALL_PERMISSIONS = "READ,WRITE,RECOVERY,ADMIN";

const DAY_MS = 86_400_000;

/** Reads scopes with commas between them. */
function readScopes(text: string, errors: ArgumentErrors): KeyScope[] {
  const words = text.split(",").map((word) => word.trim().toUpperCase());
  const scopes = Object.values(KeyScope).filter((scope) => words.includes(scope));
  const isValid = words.every((word) => Object.hasOwn(KeyScope, word));
  errors.check(isValid, `--scopes must be words of ${SCOPES}, with commas between.`);
  return scopes;
}

/** Reads a number of days from now; null if there is none. */
function readExpiry(days: string | undefined, errors: ArgumentErrors): Date | null {
  if (days === undefined) return null;
  const isValid = /^[1-9]\d{0,3}$/.test(days);
  errors.check(isValid, "--days must be a whole number from 1 to 9999.");
  return isValid ? new Date(systemClock.now().getTime() + Number(days) * DAY_MS) : null;
}

const toKeyRow = ({ id, name, ending, createdAt, lastUsedAt, revokedAt, scopes, expiresAt }: ApiKeyRecord) => ({
  id,
  name,
  ending,
  created: createdAt,
  lastUsed: lastUsedAt,
  revoked: revokedAt,
  scopes: scopes.join(","),
  expires: expiresAt,
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
    scopes: {
      type: "string",
      default: ALL_PERMISSIONS,
      valueHint: "words",
      description: "What the key may be used for, with commas between; the default is everything",
    },
    days: { type: "string", valueHint: "number", description: "Days after which the key is refused; never by default" },
  },
  async (args, errors) => {
    const name = errors.readText("name", args.name);
    const scopes = readScopes(args.scopes, errors);
    const expiresAt = readExpiry(args.days, errors);
    await runForVendor(args, errors, async (vendor, { write }) => {
      const { key, token } = await write.apiKeys.create(vendor.id, name, vendor.sandbox, { scopes, expiresAt });
      return toRecordOutputWithToken(
        {
          ...{ vendor: vendor.uuid, key: key.id, name, ending: key.ending, created: key.createdAt },
          ...{ scopes: key.scopes.join(","), expires: key.expiresAt },
        },
        token,
      );
    });
  },
);

const revoke = defineCommand(
  { name: "revoke", description: "Revokes a valid key: each gateway refuses its token within a second" },
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
      const rows = keys.map((key) => [
        key.id,
        key.name,
        key.ending,
        key.created,
        key.lastUsed,
        key.revoked,
        key.scopes,
        key.expires,
      ]);
      const headings = ["id", "name", "ending", "created", "lastUsed", "revoked", "scopes", "expires"];
      return { lines: toTableLines(headings, rows), json: { vendor: vendor.uuid, keys } };
    });
  },
);

/** `recoup keys`: a vendor may have several valid keys, so that a new key is in use before the old one is revoked. */
export const keysCommands: CommandGroup = {
  meta: { name: "keys", description: "Creates, revokes and lists the Secret-Tokens of a vendor." },
  subCommands: { create, revoke, list },
};
