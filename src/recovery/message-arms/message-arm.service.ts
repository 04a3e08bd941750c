import type { MessageArm } from "../../../schema/vocabulary.ts";
import { armOfPayer, payerNumberOf } from "../experiments/arm-assignment.ts";
import { SHARE_PARTS } from "../experiments/recovery-experiment.rules.ts";
import type { MessageArmRepository } from "./message-arm.repository.ts";

/** Makes this draw independent of those of experiments. */
const SALT = "messages about failed renewals";

/** Draws which payers of failed renewals get messages. */
export class MessageArmService {
  constructor(private readonly deps: { messageArmRepository: MessageArmRepository }) {}

  /**
   * The arm of a payer: the same at each failure, and while the holdout grows nobody leaves it. Null where the vendor has no
   * holdout: then there is nothing to compare.
   */
  async drawArm(vendorId: number, customerId: number): Promise<MessageArm | null> {
    const holdoutParts = await this.deps.messageArmRepository.holdoutPartsOf(vendorId);
    if (holdoutParts === 0) return null;
    const { arm } = armOfPayer(payerNumberOf(SALT, `${vendorId} ${customerId}`), [
      { number: 0, shareParts: holdoutParts, arm: "NO_MESSAGES" as const },
      { number: 1, shareParts: SHARE_PARTS - holdoutParts, arm: "MESSAGES" as const },
    ]);
    return arm;
  }
}
