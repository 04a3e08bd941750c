import { constraintRefusalOf } from "../../src/database/database-errors.ts";
import { buildGatewaySchema } from "../../src/graphql/schema.ts";
import { createServices } from "../../src/graphql/services.ts";
import { ImportRun } from "../../src/import/import-run.ts";
import type { FileKind } from "../../src/import/import.rows.ts";
import type { RowRefusal } from "../../src/import/import.refusal.ts";
import { readRows } from "../../src/import/row-reader.ts";
import { rowTypesOf } from "../../src/import/row-types.ts";
import { Refusal } from "../../src/kernel/refusals.ts";
import { SecretVault } from "../../src/kernel/secrets/secret-vault.ts";
import { SECRETS_KEY, type TestGateway } from "./test-gateway.ts";

/** Imports rows at the time of a gateway's clock, as `recoup import` does with a file. @returns why rows were refused. */
export async function importRows(
  { database, clock, vendor }: Pick<TestGateway, "database" | "clock"> & { vendor: { id: number } },
  switchOver: string,
  rowsByKind: Partial<Record<FileKind, readonly object[]>>,
): Promise<string[]> {
  const refusals: RowRefusal[] = [];
  const schema = buildGatewaySchema();
  const run = new ImportRun({
    transaction: database.transaction,
    createServices: (handle) => createServices(handle, clock.now(), { vault: new SecretVault([SECRETS_KEY]) }),
    vendor: { id: vendor.id, parentId: null, currency: "KRW" },
    toRefusal: (error) => (error instanceof Refusal ? error : constraintRefusalOf(error)),
    switchOver: new Date(switchOver),
    onRefusal: async (refusal) => void refusals.push(refusal),
  });
  const types = rowTypesOf(schema);
  for (const kind of ["CUSTOMER", "PRODUCT", "PRICE_PLAN", "PAYMENT_METHOD", "SUBSCRIPTION", "PAST_TRY"] as const) {
    const lines = (rowsByKind[kind] ?? []).map((row) => `${JSON.stringify(row)}\n`);
    const bytes = (async function* () {
      yield Buffer.from(lines.join(""));
    })();
    await run.importFile({ kind, name: kind, rows: readRows(bytes, "JSON_LINES", types[kind], schema) });
  }
  return refusals.map(({ partnerId, code, field }) => [partnerId, code, field].join(" "));
}
