import { ledgerEntries } from "../../../schema/tables/index.ts";
import { batchWrites } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import { insertRowBatch } from "../../database/row-batches.ts";
import { LedgerRepository, requireBalance } from "../ledger/ledger.repository.ts";

type Entries = Parameters<LedgerRepository["add"]>[1];

/** The ledger of work that runs many times at once in one transaction: one statement for the entries of all. */
export class LedgerBatchRepository extends LedgerRepository {
  private readonly inserts;

  constructor(handle: Handle) {
    super(handle);
    this.inserts = batchWrites<Entries>((vendorId, all) => insertRowBatch(handle, ledgerEntries, vendorId, all.flat()));
  }

  override async add(vendorId: number, entries: Entries): Promise<void> {
    requireBalance(entries);
    return this.inserts(vendorId, entries);
  }
}
