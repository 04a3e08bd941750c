import type { CoverSubscriptionStatus } from "../../../schema/vocabulary.ts";

/** What a subscription's status follows from. */
interface SubscriptionEndFacts {
  canceledAt: Date | null;
  /** What the final action of a policy made of it. */
  endedAs: "PAUSE" | "EXPIRED" | null;
}

/** The status of a registered subscription: it follows from how it ended and from whether a cover runs. */
export function coverSubscriptionStatus(
  { canceledAt, endedAs }: SubscriptionEndFacts,
  hasRunningCover: boolean,
): CoverSubscriptionStatus {
  if (canceledAt) return "CANCELED";
  return hasRunningCover ? "UNPAID" : (endedAs ?? "ACTIVE");
}
