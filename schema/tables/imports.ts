import { bigint, foreignKey, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { ImportKind } from "../vocabulary.ts";
import { enumCheck, enumValues, instant, vendorReference } from "./columns.ts";
import { vendors } from "./vendors.ts";

/**
 * The merchant's own ids of imported records: an import that is run again finds here what it has created. The row is
 * written in the transaction that creates its record.
 */
export const importedRecords = pgTable(
  "imported_records",
  {
    vendorId: vendorReference(),
    kind: text("kind", { enum: enumValues(ImportKind) }).notNull(),
    partnerId: text("partner_id").notNull(),
    /** The id of the record in the table of its kind. */
    recordId: bigint("record_id", { mode: "number" }).notNull(),
    /** The SHA-256 hash of the values of its row. */
    rowHash: text("row_hash").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "imported_records_pk", columns: [table.vendorId, table.kind, table.partnerId] }),
    foreignKey({ name: "imported_records_vendor_fk", columns: [table.vendorId], foreignColumns: [vendors.id] }),
    enumCheck("imported_records_kind_word", table.kind, ImportKind),
  ],
);
