import { batchWrites } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import {
  RecoveryCountRepository,
  type CountChange,
  type CountedCover,
  type CoverChange,
} from "../analytics/recovery-count.repository.ts";

/** Recovery counts of work that runs many times at once in one transaction: one statement for the calls of all. */
export class RecoveryCountBatchRepository extends RecoveryCountRepository {
  private readonly counts;

  constructor(handle: Handle) {
    super(handle);
    this.counts = batchWrites<CoverChange>((vendorId, all) => super.countCovers(vendorId, all));
  }

  override countCover(vendorId: number, cover: CountedCover, change: CountChange): Promise<void> {
    return this.counts(vendorId, { cover, change });
  }
}
