import type { Policy } from "./policy.ts";
import type { CaseDraws, RecoveryCase } from "./recovery-case.ts";

/**
 * The chance by which a case explores under a policy; null where it must not. `key` is the same for all decisions of a cover, so
 * that a case stays as it was drawn.
 */
export function drawsUnder(
  { exploration }: Pick<Policy, "exploration">,
  { amount, currency }: Pick<RecoveryCase, "amount" | "currency">,
  key: string,
): CaseDraws | null {
  if (!exploration || !(exploration.share > 0)) return null;
  const { share, maxAmount } = exploration;
  if (maxAmount && (exploration.currency !== currency || amount.gt(maxAmount))) return null;
  return { key, share };
}
