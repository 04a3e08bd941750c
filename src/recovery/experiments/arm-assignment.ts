import { createHash } from "node:crypto";
import { lastOf } from "../../kernel/required-values.ts";
import { SHARE_PARTS } from "./recovery-experiment.rules.ts";

/** Payers are numbers of so many bits: few enough to be exact, and enough to be practically unique. */
const PAYER_BITS = 48;

/** An arm and its part of all payers, in ten-thousandths. */
export interface SharedArm {
  number: number;
  shareParts: number;
}

/**
 * The number of a payer in an experiment, drawn by a salted hash: the same whenever the payer fails to pay, different in another
 * experiment, and no way back to the payer.
 */
export const payerNumberOf = (salt: string, payerKey: string): number =>
  createHash("sha256")
    .update(`${salt} ${payerKey}`)
    .digest()
    .readUIntBE(0, PAYER_BITS / 8);

/** The arm that a payer's number falls into. Arms are in the order of their numbers, and their shares make up the whole. */
export function armOfPayer<Arm extends SharedArm>(payerNumber: number, arms: readonly Arm[]): Arm {
  const part = (payerNumber / 2 ** PAYER_BITS) * SHARE_PARTS;
  let passed = 0;
  return arms.find(({ shareParts }) => part < (passed += shareParts)) ?? lastOf(arms);
}
