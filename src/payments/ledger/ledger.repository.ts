import { and, eq } from "drizzle-orm";
import { ledgerEntries } from "../../../schema/tables/index.ts";
import type { LedgerAccount } from "../../../schema/vocabulary.ts";
import type { Handle } from "../../database/client.ts";
import { when, within, type Period } from "../../database/conditions.ts";
import { ShapedList } from "../../database/projected-list.ts";
import { ledgerShape } from "./ledger.projection.ts";

/** Which entries are asked for. */
export interface LedgerFilter {
  orderId?: number | null;
  account?: LedgerAccount | null;
  createdAt?: Period | null;
}

type EntryValues = Omit<typeof ledgerEntries.$inferInsert, "id" | "vendorId">;

/** Every question we ask of the ledger. It is only ever added to. */
export class LedgerRepository {
  readonly list: ShapedList<LedgerFilter, "CREATED_AT">;

  constructor(private readonly db: Handle) {
    this.list = new ShapedList(db, {
      shape: ledgerShape,
      sorts: { CREATED_AT: ledgerEntries.createdAt },
      parents: {},
      matching: ({ orderId, account, createdAt }) =>
        and(
          when(orderId, (id) => eq(ledgerEntries.orderId, id)),
          when(account, (word) => eq(ledgerEntries.account, word)),
          within(ledgerEntries.createdAt, createdAt),
        ),
    });
  }

  async add(vendorId: number, entries: readonly EntryValues[]): Promise<void> {
    await this.db.insert(ledgerEntries).values(entries.map((entry) => ({ vendorId, ...entry })));
  }
}
