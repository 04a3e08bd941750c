import type { CoverSubscriptionStatus } from "../../../schema/vocabulary.ts";

/** The facts that determine a subscription's status. */
interface SubscriptionEndFacts {
  canceledAt: Date | null;
  /** The result of a policy's final action. */
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
