import { shareRead } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import { RecoveryExperimentRepository, type PolicyLevel } from "../experiments/recovery-experiment.repository.ts";

/** Policies in force for work that runs many times at once in one transaction: one read for all. */
export class RecoveryExperimentBatchRepository extends RecoveryExperimentRepository {
  private readonly reads;

  constructor(handle: Handle) {
    super(handle);
    this.reads = shareRead((vendorId) => super.findPolicyLevels(vendorId));
  }

  override findPolicyLevels(vendorId: number): Promise<PolicyLevel[]> {
    return this.reads(vendorId);
  }
}
