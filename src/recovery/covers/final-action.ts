import type { CoverEventKind, FinalAction } from "../../../schema/vocabulary.ts";
import { readPolicyOfCover } from "../policies/cover.policy.ts";
import type { CoverRecord } from "./cover.repository.ts";

/** What a final action changes of a subscription, and what the timeline tells of it. */
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
 * What a cover's policy has for the subscription: KEEP while it goes on, and where the money came or only the payer can
 * help. Unless it is told, a registered subscription is left to its merchant, and one that is charged here expires.
 */
export function finalActionOf(cover: CoverRecord): FinalAction {
  const hasGivenUp = cover.state === "EXHAUSTED" || cover.endReason === "MUST_NOT_RETRY";
  if (!hasGivenUp) return "KEEP";
  return readPolicyOfCover(cover).finalAction ?? (cover.renewalOrderId === null ? "KEEP" : "EXPIRE");
}
