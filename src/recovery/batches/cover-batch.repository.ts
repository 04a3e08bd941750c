import { coverAttempts, coverDecisions, covers } from "../../../schema/tables/index.ts";
import { batchCalls, batchWrites } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import { insertRowBatch } from "../../database/row-batches.ts";
import { getOrThrow, required } from "../../kernel/required-values.ts";
import { CoverRepository, type CoverRecord } from "../covers/cover.repository.ts";

type CoverValues = Parameters<CoverRepository["add"]>[1];
type AttemptValues = Parameters<CoverRepository["addAttempt"]>[1];
type DecisionValues = Parameters<CoverRepository["addDecision"]>[1];

/** Covers of work that runs many times at once in one transaction: one statement for the calls of all. */
export class CoverBatchRepository extends CoverRepository {
  private readonly inserts;
  private readonly attemptInserts;
  private readonly decisionInserts;

  constructor(handle: Handle) {
    super(handle);
    this.inserts = batchCalls<CoverValues, CoverRecord>(async (vendorId, all) => {
      const inserted = await insertRowBatch(handle, covers, vendorId, all, [covers.id]);
      const added = await super.byIds(
        vendorId,
        inserted.map(({ id }) => Number(id)),
      );
      const byOrder = new Map(added.map((cover) => [cover.renewalOrderId, cover]));
      return all.map(({ renewalOrderId }) => getOrThrow(byOrder, required(renewalOrderId, "renewalOrderId")));
    });
    this.attemptInserts = batchWrites<AttemptValues>((vendorId, all) =>
      insertRowBatch(handle, coverAttempts, vendorId, all),
    );
    this.decisionInserts = batchWrites<DecisionValues>((vendorId, all) =>
      insertRowBatch(handle, coverDecisions, vendorId, all),
    );
  }

  /** Covers of renewals are added together: each order gets one cover at a time. */
  override add(vendorId: number, values: CoverValues): Promise<CoverRecord> {
    return values.renewalOrderId == null ? super.add(vendorId, values) : this.inserts(vendorId, values);
  }

  override addAttempt(vendorId: number, values: AttemptValues): Promise<void> {
    return this.attemptInserts(vendorId, values);
  }

  override addDecision(vendorId: number, values: DecisionValues): Promise<void> {
    return this.decisionInserts(vendorId, values);
  }
}
