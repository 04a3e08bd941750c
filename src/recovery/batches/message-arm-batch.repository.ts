import { shareRead } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import { MessageArmRepository } from "../message-arms/message-arm.repository.ts";

/** The holdout of messages for work that runs many times at once in one transaction: one read for all. */
export class MessageArmBatchRepository extends MessageArmRepository {
  private readonly reads;

  constructor(handle: Handle) {
    super(handle);
    this.reads = shareRead((vendorId) => super.holdoutPartsOf(vendorId));
  }

  override holdoutPartsOf(vendorId: number): Promise<number> {
    return this.reads(vendorId);
  }
}
