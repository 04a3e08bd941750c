import type { CoverSubscriptionStatus } from "../../schema/vocabulary.ts";

/** The status of a registered subscription: it follows from its cancellation and from whether a cover runs. */
export function subscriptionStatus(canceledAt: Date | null, coverRuns: boolean): CoverSubscriptionStatus {
  if (canceledAt) return "CANCELED";
  return coverRuns ? "UNPAID" : "ACTIVE";
}
