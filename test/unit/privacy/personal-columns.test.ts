import { getTableColumns, is } from "drizzle-orm";
import { getTableConfig, PgTable, type PgColumn } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import * as tables from "../../../schema/tables/index.ts";
import { personalTables } from "../../../src/privacy/personal-data.projection.ts";

const time = { at: new Date(0), realAt: new Date(0) };
const person = { vendorId: 1, customerId: 2, payerIds: [3] };

/** The columns that an erasure empties, by their tables; all columns of rows that it deletes. */
const erasedColumns = new Map(
  personalTables.map(({ table, erasure }) => {
    const columns = typeof erasure === "function" ? Object.keys(erasure(time, person)) : [];
    return [getTableConfig(table).name, erasure === "DELETE" ? "ALL" : columns] as const;
  }),
);

/** Texts and JSON documents, whose content no list of words limits. */
const isFreeText = (column: PgColumn): boolean =>
  /^(?:text|jsonb?)(?:\[\])?$/.test(column.getSQLType()) && !(column.enumValues?.length ?? 0) && !column.generated;

const allTables = Object.values(tables).filter((table) => is(table, PgTable)) as PgTable[];

/** The tables whose rows lead to a customer, or to a payer registered for recovery, by foreign keys. */
const tablesOfCustomers = new Set<PgTable>([tables.customers, tables.coverCustomers]);
for (let size = 0; size < tablesOfCustomers.size;) {
  size = tablesOfCustomers.size;
  for (const table of allTables)
    if (getTableConfig(table).foreignKeys.some((key) => tablesOfCustomers.has(key.reference().foreignTable)))
      tablesOfCustomers.add(table);
}

const examined = new Set([...tablesOfCustomers, ...personalTables.map(({ table }) => table)]);
const freeTexts = [...examined].flatMap((table) => {
  const { name } = getTableConfig(table);
  const columns = Object.entries(getTableColumns(table)) as [string, PgColumn][];
  const erased = erasedColumns.get(name) ?? [];
  return columns
    .filter(([key, column]) => isFreeText(column) && erased !== "ALL" && !erased.includes(key))
    .map(([key]) => `${name}.${key}`);
});

/** Texts that an erasure leaves: codes, words, and descriptions of what was sold. */
const kept = `
  cover_attempts adviceCode errorCode errorMessage
  cover_customers country timeZone
  cover_decisions floorRow inputs outcome policyVersion rulebookVersion
  cover_orders idKey
  covers country policy policyVersion zoneId
  customers code region
  disputes currency gatewayReference reason
  event_log authorSession statusAfter statusBefore traceText trigger
  invoices currency invoicePayMethods publishMethods region
  ledger_entries currency
  order_items code currency discountName featuredImageUrl optionLabel orderedPlanName orderedProductName unitChangeHistory usageFormula
  orders allowedPaymentMethods baseCurrency code currency currencyPrice idKey productName region
  past_payments country currency gatewayName tries zoneId
  payments adviceCode currency errorCode errorMessage gatewayReference idempotencyKey subject
  refunds errorCode errorMessage gatewayReference idempotencyKey
  subscription_items code currency optionLabel
  subscriptions code currency
  webhook_attempts error
  webhook_deliveries eventId eventType`
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [table, ...columns] = line.trim().split(" ");
    return columns.map((column) => `${table!}.${column}`);
  });

test("an erasure empties every column of text that can have a customer's data", () => {
  // A new column belongs into src/privacy/personal-data.projection.ts, or into the list above.
  expect(freeTexts.toSorted()).toEqual(kept.toSorted());
});

/** They connect rows, or count them. */
const withoutContent = [
  "cover_order_items",
  "invoice_items",
  "order_states",
  "order_subscriptions",
  "recurring_amounts",
  "refund_items",
  "renewals",
];

test("every table whose rows belong to a customer is exported, unless it only connects or counts rows", () => {
  const exported = new Set<PgTable>(personalTables.map(({ table }) => table));
  const names = [...tablesOfCustomers]
    .filter((table) => !exported.has(table))
    .map((table) => getTableConfig(table).name);
  expect(names.toSorted()).toEqual(withoutContent);
});
