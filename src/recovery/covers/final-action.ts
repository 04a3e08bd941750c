import type { CoverEventKind, FinalAction } from "../../../schema/vocabulary.ts";
import { readPolicyOfCover } from "../policies/cover.policy.ts";
import type { CoverRecord } from "./cover.repository.ts";

/** The change of a subscription by a final action, and its timeline event. */
interface SubscriptionEnd {
  values: { endedAs?: "PAUSE" | "EXPIRED"; canceledAt?: Date };
  event: CoverEventKind;
}

/** The end that a policy has for a subscription. */
export function toSubscriptionEnd(action: Exclude<FinalAction, "KEEP">, now: Date): SubscriptionEnd {
  if (action === "CANCEL") return { values: { canceledAt: now }, event: "SUBSCRIPTION_CANCELED" };
  if (action === "PAUSE") return { values: { endedAs: "PAUSE" }, event: "SUBSCRIPTION_PAUSED" };
  return { values: { endedAs: "EXPIRED" }, event: "SUBSCRIPTION_EXPIRED" };
}

/**
 * The final action of a cover's policy on the subscription. KEEP while the cover runs, after a successful payment, and
 * where only the payer can help. By default a registered subscription is left to its merchant, and a subscription that
 * is charged here expires.
 */
export function finalActionOf(cover: CoverRecord): FinalAction {
  const hasGivenUp = cover.state === "EXHAUSTED" || cover.endReason === "MUST_NOT_RETRY";
  if (!hasGivenUp) return "KEEP";
  return readPolicyOfCover(cover).finalAction ?? (cover.renewalOrderId === null ? "KEEP" : "EXPIRE");
}
