import type { CoverEventType, FinalAction } from "../../schema/vocabulary.ts";

/** What a final action changes of a subscription, and what the timeline tells of it. */
interface SubscriptionEnd {
  values: { endedAs?: "PAUSE" | "EXPIRED"; canceledAt?: Date };
  event: CoverEventType;
}

/** The end that a policy has for a subscription. */
export function endOf(action: Exclude<FinalAction, "KEEP">, now: Date): SubscriptionEnd {
  if (action === "CANCEL") return { values: { canceledAt: now }, event: "SUBSCRIPTION_CANCELED" };
  if (action === "PAUSE") return { values: { endedAs: "PAUSE" }, event: "SUBSCRIPTION_PAUSED" };
  return { values: { endedAs: "EXPIRED" }, event: "SUBSCRIPTION_EXPIRED" };
}
