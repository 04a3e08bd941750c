import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes, identity, instant, reference, vendorReference } from "./columns.ts";

/** Merchants. A child vendor points at its parent, and takes the time from the vendor at the top. */
export const vendors = pgTable(
  "vendors",
  {
    id: identity().primaryKey(),
    uuid: uuid("uuid").notNull(),
    name: text("name").notNull(),
    parentId: reference("parent_id"),
    /** IANA time zone in which the vendor's days begin. */
    zoneId: text("zone_id").notNull(),
    /** ISO 4217 code of the base currency. */
    currency: text("currency").notNull(),
    /** ISO 3166-1 alpha-2 code. */
    country: text("country").notNull(),
    enabled: boolean("enabled").notNull().default(true),
    sandbox: boolean("sandbox").notNull().default(false),
    /** How far the test clock of a sandbox vendor is ahead of the real one. */
    clockAheadMs: bigint("clock_ahead_ms", { mode: "number" }).notNull().default(0),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table) => [
    uniqueIndex("vendors_uuid").on(table.uuid),
    index("vendors_parent").on(table.parentId, table.id),
    foreignKey({ name: "vendors_parent_fk", columns: [table.parentId], foreignColumns: [table.id] }),
    check(
      "vendors_clock_is_for_sandboxes",
      sql`${table.clockAheadMs} = 0 or (${table.sandbox} and ${table.parentId} is null)`,
    ),
    check("vendors_clock_never_goes_back", sql`${table.clockAheadMs} >= 0`),
  ],
);

/** Secret tokens of a vendor. Only the SHA-256 of a token is kept: 256 random bits need no slower hash. */
export const apiKeys = pgTable(
  "api_keys",
  {
    vendorId: vendorReference(),
    id: identity(),
    name: text("name").notNull(),
    hash: bytes("hash").notNull(),
    /** The last four characters, for a human to tell keys apart. */
    ending: text("ending").notNull(),
    createdAt: instant("created_at").notNull(),
    lastUsedAt: instant("last_used_at"),
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    primaryKey({ name: "api_keys_pk", columns: [table.vendorId, table.id] }),
    uniqueIndex("api_keys_hash").on(table.hash),
    foreignKey({ name: "api_keys_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
  ],
);
