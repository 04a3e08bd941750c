import { PersonRole } from "../../schema/vocabulary.ts";
import { isMailAddress } from "../notifications/senders/mail.address.ts";
import { readConfig } from "../config.ts";
import { operatorCaller } from "../vendors/people/caller.ts";
import type { PersonRecord } from "../vendors/people/person.repository.ts";
import type { ArgumentErrors } from "./argument-errors.ts";
import { defineCommand, toRecordOutput, toTableLines, type CommandGroup } from "./command.ts";
import { runForVendor } from "./vendor-command.ts";

const sharedOptions = {
  vendor: { type: "string", valueHint: "uuid", description: "Vendor of the people (required)" },
  json: { type: "boolean", description: "Print one JSON object" },
} as const;

const personOptions = {
  ...sharedOptions,
  email: { type: "string", valueHint: "address", description: "E-mail address of the person (required)" },
} as const;

const ROLES = Object.keys(PersonRole).join(", ");

const roleOptions = {
  ...personOptions,
  role: { type: "string", valueHint: "role", description: `What the person may do: ${ROLES} (required)` },
} as const;

function readEmail(email: string | undefined, errors: ArgumentErrors): string {
  const isValid = email !== undefined && isMailAddress(email);
  errors.check(isValid, email === undefined ? "--email is missing." : "--email must be an e-mail address.");
  return email ?? "";
}

function readRole(text: string | undefined, errors: ArgumentErrors): PersonRole {
  const role = Object.values(PersonRole).find((word) => word === text?.toUpperCase());
  errors.check(role !== undefined, text === undefined ? "--role is missing." : `--role must be one of ${ROLES}.`);
  return role ?? "READ_ONLY";
}

const toRow = ({ username, role, enabled, emailVerified, createdAt }: PersonRecord) => ({
  email: username,
  role,
  enabled,
  emailVerified,
  created: createdAt,
});

const add = defineCommand(
  { name: "add", description: "Adds a person, and prints a link to set the password, which is never shown again" },
  roleOptions,
  async (args, errors) => {
    const email = readEmail(args.email, errors);
    const role = readRole(args.role, errors);
    const { publicUrl, host, port } = readConfig(process.env);
    await runForVendor(args, errors, async (vendor, { write }) => {
      const { person, token } = await write.people.add(vendor.id, email, role);
      const link = `${publicUrl ?? `http://${host}:${port}`}/invitation#${token}`;
      return toRecordOutput({ vendor: vendor.uuid, ...toRow(person), link });
    });
  },
);

const setRole = defineCommand(
  { name: "set-role", description: "Changes what a person may do" },
  roleOptions,
  async (args, errors) => {
    const email = readEmail(args.email, errors);
    const role = readRole(args.role, errors);
    await runForVendor(args, errors, async (vendor, { write }) =>
      toRecordOutput({
        vendor: vendor.uuid,
        ...toRow(await write.people.changeRole(vendor.id, { email }, role, operatorCaller)),
      }),
    );
  },
);

const remove = defineCommand(
  { name: "remove", description: "Removes a person: the sessions end, and the password is forgotten" },
  personOptions,
  async (args, errors) => {
    const email = readEmail(args.email, errors);
    await runForVendor(args, errors, async (vendor, { write }) =>
      toRecordOutput({
        vendor: vendor.uuid,
        ...toRow(await write.people.remove(vendor.id, { email }, operatorCaller)),
      }),
    );
  },
);

const list = defineCommand(
  { name: "list", description: "Lists the people, including removed ones, in columns separated by tabs" },
  sharedOptions,
  async (args, errors) => {
    await runForVendor(args, errors, async (vendor, { read }) => {
      const people = (await read.people.all(vendor.id)).map(toRow);
      const rows = people.map(({ email, role, enabled, emailVerified, created }) => [
        email,
        role,
        enabled,
        emailVerified,
        created,
      ]);
      const headings = ["email", "role", "enabled", "emailVerified", "created"];
      return { lines: toTableLines(headings, rows), json: { vendor: vendor.uuid, people } };
    });
  },
);

/** `recoup people`: the people who sign in to the console for a vendor. */
export const peopleCommands: CommandGroup = {
  meta: { name: "people", description: "Adds, changes, removes and lists the people of a vendor." },
  subCommands: { add, "set-role": setRole, remove, list },
};
