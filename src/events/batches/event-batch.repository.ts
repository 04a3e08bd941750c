import { batchWrites } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import { firstOf } from "../../kernel/required-values.ts";
import type { BusinessCount } from "../business-count.repository.ts";
import { EventRepository, type NewEvent } from "../event.repository.ts";

/** Events of work that runs many times at once in one transaction: one statement for the calls of all. */
export class EventBatchRepository extends EventRepository {
  private readonly inserts;
  private readonly counts;
  private readonly recurringCounts;

  constructor(handle: Handle) {
    super(handle);
    this.inserts = batchWrites<readonly NewEvent[]>((vendorId, all) => super.insertEvents(vendorId, all.flat()));
    this.counts = batchWrites<readonly BusinessCount[]>((vendorId, all) =>
      super.addBusinessCounts(vendorId, all.flat()),
    );
    this.recurringCounts = batchWrites<{ subscriptionIds: readonly number[]; at: Date }>((vendorId, all) =>
      super.updateRecurringRevenues(
        vendorId,
        all.flatMap(({ subscriptionIds }) => subscriptionIds),
        // All work of a transaction has its instant.
        firstOf(all).at,
      ),
    );
  }

  override async insertEvents(vendorId: number, values: readonly NewEvent[]): Promise<void> {
    if (values.length > 0) await this.inserts(vendorId, values);
  }

  override addBusinessCounts(vendorId: number, counts: readonly BusinessCount[]): Promise<void> {
    return this.counts(vendorId, counts);
  }

  override updateRecurringRevenues(vendorId: number, subscriptionIds: readonly number[], at: Date): Promise<void> {
    return this.recurringCounts(vendorId, { subscriptionIds, at });
  }
}
