import type { ImportKind } from "../../schema/vocabulary.ts";
import { getOrThrow } from "../kernel/required-values.ts";
import { rowProblem, UnusableRow } from "./import.refusal.ts";
import type { RowReference } from "./import.references.ts";
import type { KnownRecord } from "./imported-record.repository.ts";

const keyOf = ({ kind, partnerId }: Pick<KnownRecord, "kind" | "partnerId">): string => `${kind} ${partnerId}`;

/**
 * The imported records that the rows of a batch are or refer to, by the merchant's ids: those of earlier batches, which are read
 * for all rows at once, and those of the rows above.
 */
export class KnownRecords {
  private readonly records = new Map<string, KnownRecord>();

  add(...records: readonly KnownRecord[]): void {
    for (const record of records) this.records.set(keyOf(record), record);
  }

  find(kind: ImportKind, partnerId: string): KnownRecord | undefined {
    return this.records.get(keyOf({ kind, partnerId }));
  }

  /** The id of a record that is known. */
  idOf(kind: ImportKind, partnerId: string): number {
    return getOrThrow(this.records, keyOf({ kind, partnerId })).recordId;
  }

  /** @throws UnusableRow that names each reference to a record that was not imported. */
  requireAll(references: readonly RowReference[]): void {
    const missing = references.filter(({ kind, partnerId }) => !this.find(kind, partnerId));
    if (missing.length > 0)
      throw new UnusableRow(
        missing.map(({ kind, path }) =>
          rowProblem("PARENT_NOT_IMPORTED", path, `No ${nouns[kind]} was imported with the id in \`${path}\`.`),
        ),
      );
  }
}

const nouns: Readonly<Record<ImportKind, string>> = {
  CUSTOMER: "customer",
  PRODUCT: "product",
  PRICE_PLAN: "price plan",
  PAYMENT_METHOD: "payment method",
  SUBSCRIPTION: "subscription",
};
