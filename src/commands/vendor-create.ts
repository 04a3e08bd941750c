import { isCurrency } from "../kernel/currencies.ts";
import { isZone } from "../kernel/instants.ts";
import { required } from "../kernel/required-values.ts";
import { defineCommand, toRecordOutputWithToken } from "./command.ts";
import { runForNewVendor } from "./cells/new-vendor-cell.ts";

/** `recoup vendor create`: creates a vendor with its first API key. */
export const vendorCreateCommand = defineCommand(
  {
    name: "create",
    description: "Creates a vendor and prints its uuid and its first Secret-Token, which is never shown again.",
  },
  {
    name: { type: "string", valueHint: "text", description: "Name of the merchant (required)" },
    zone: {
      type: "string",
      default: "Asia/Seoul",
      valueHint: "IANA zone",
      description: "Time zone in which the merchant's days begin",
    },
    currency: {
      type: "string",
      default: "KRW",
      valueHint: "ISO 4217",
      description: "Currency of amounts without a currency",
    },
    country: {
      type: "string",
      default: "KR",
      valueHint: "ISO 3166-1",
      description: "Country, in two upper-case letters",
    },
    parent: {
      type: "string",
      valueHint: "uuid",
      description: "Parent vendor; the new vendor becomes its child, and a sandbox if the parent is one",
    },
    sandbox: { type: "boolean", description: "Create a sandbox: no real money, and a clock that can be advanced" },
    cell: {
      type: "string",
      valueHint: "name",
      description:
        "Cell for the vendor and its later children; home is the home database. Defaults to the parent's cell, or to the one with the most room",
    },
    json: { type: "boolean", description: "Print one JSON object" },
  },
  async ({ name: nameOption, zone, currency, country, parent, sandbox, cell: cellName, json }, errors) => {
    const name = errors.readText("name", nameOption);
    errors.check(isZone(zone), "--zone must be a time zone of the IANA time zone database, such as Asia/Seoul.");
    errors.check(isCurrency(currency), "--currency must be an ISO 4217 code in upper case, such as KRW.");
    errors.check(/^[A-Z]{2}$/.test(country), "--country must be two upper-case letters, such as KR.");
    const parentUuid = parent === undefined ? undefined : errors.readUuid("parent", parent);
    errors.check(
      parent === undefined || cellName === undefined,
      "--cell must be left out with --parent: a family is in one cell.",
    );
    // With a parent, the errors are reported after its look-up. Without one, no database is needed to report them.
    if (parentUuid === undefined) errors.throwIfAny();
    await runForNewVendor(json, { parentUuid, cellName }, async ({ read, write }, cell) => {
      const parentVendor = parentUuid === undefined ? undefined : await read.vendors.byUuid(parentUuid);
      if (parentUuid !== undefined && !parentVendor) errors.add("--parent: there is no vendor with this uuid.");
      const isSandbox = sandbox ?? parentVendor?.sandbox ?? false;
      if (parentVendor && parentVendor.sandbox !== isSandbox)
        errors.add(
          `--sandbox must be the same as for the parent, which is ${parentVendor.sandbox ? "a sandbox" : "live"}.`,
        );
      errors.throwIfAny();
      const vendorSettings = { currency, country, sandbox: isSandbox };
      const id = await write.vendors.createVendor({
        name,
        zoneId: zone,
        ...vendorSettings,
        parentId: parentVendor?.id,
        cell: cell.number,
      });
      const { uuid } = required(await read.vendors.byId(id), "the vendor");
      const { key, token } = await write.apiKeys.create(id, "first", isSandbox);
      return toRecordOutputWithToken(
        {
          vendor: uuid,
          name,
          zone,
          ...vendorSettings,
          parent: parentVendor?.uuid ?? null,
          key: key.id,
          cell: cell.name,
        },
        token,
      );
    });
  },
);
