import { isCurrency } from "../kernel/currencies.ts";
import { isZone } from "../kernel/instants.ts";
import { defineCommand, main, onDatabase, recordWithToken } from "./command.ts";

const create = defineCommand(
  {
    name: "npm run vendor:create --",
    description: "Opens a vendor, and prints its uuid and its first Secret-Token, which is never shown again.",
  },
  {
    name: { type: "string", valueHint: "text", description: "What the merchant is called (required)" },
    zone: {
      type: "string",
      default: "Asia/Seoul",
      valueHint: "IANA zone",
      description: "Where the merchant's days begin",
    },
    currency: {
      type: "string",
      default: "KRW",
      valueHint: "ISO 4217",
      description: "Currency of amounts that name none",
    },
    country: { type: "string", default: "KR", valueHint: "ISO 3166-1", description: "Country, in two capitals" },
    parent: {
      type: "string",
      valueHint: "uuid",
      description: "The vendor whose child it is; a child is a sandbox if its parent is",
    },
    sandbox: { type: "boolean", description: "No real money, and a clock that can be moved" },
    json: { type: "boolean", description: "Print one JSON object" },
  },
  async ({ name: given, zone, currency, country, parent, sandbox, json }, faults) => {
    const name = faults.name("name", given);
    faults.unless(isZone(zone), "--zone must be a zone of the IANA time zone database, such as Asia/Seoul.");
    faults.unless(isCurrency(currency), "--currency must be an ISO 4217 code in capitals, such as KRW.");
    faults.unless(/^[A-Z]{2}$/.test(country), "--country must be two capitals, such as KR.");
    const above = parent === undefined ? undefined : faults.uuid("parent", parent);
    // What is wrong already can wait for the parent to be looked up; without one no database is needed to say it.
    if (above === undefined) faults.settle();
    await onDatabase(json, async ({ read, write }) => {
      const upper = above === undefined ? undefined : await read.vendors.byUuid(above);
      if (above !== undefined && !upper) faults.add("--parent: there is no vendor with this uuid.");
      const kind = sandbox ?? upper?.sandbox ?? false;
      if (upper && upper.sandbox !== kind)
        faults.add(`--sandbox: a child is of its parent's kind, and that is ${upper.sandbox ? "a sandbox" : "live"}.`);
      faults.settle();
      const place = { currency, country, sandbox: kind };
      const id = await write.vendors.open({ name, zoneId: zone, ...place, parentId: upper?.id });
      const { uuid } = (await read.vendors.byId(id))!;
      const { key, token } = await write.keys.create(id, "first", kind);
      return recordWithToken({ vendor: uuid, name, zone, ...place, parent: upper?.uuid ?? null, key: key.id }, token);
    });
  },
);

/* `npm run vendor:create`: opens a vendor together with its first key. */
await main(create);
