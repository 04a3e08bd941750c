import type { CoverSubscriptionStatus } from "../../../schema/vocabulary.ts";

/** What a subscription's status follows from. */
interface Standing {
  canceledAt: Date | null;
  /** What the final action of a policy made of it. */
  endedAs: "PAUSE" | "EXPIRED" | null;
}

/** The status of a registered subscription: it follows from how it ended and from whether a cover runs. */
export function subscriptionStatus({ canceledAt, endedAs }: Standing, coverRuns: boolean): CoverSubscriptionStatus {
  if (canceledAt) return "CANCELED";
  return coverRuns ? "UNPAID" : (endedAs ?? "ACTIVE");
}
