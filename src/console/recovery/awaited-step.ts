/** What a cover in progress waits for when it has no date for a retry. */
export type AwaitedStep = "report" | "charge" | "advice";

interface CoverWithoutDate {
  renewalOrder: unknown;
  decision: { retryDate: string | null } | null;
}

/** The merchant reports the attempts of registered orders; workers charge renewals. */
export function awaitedStep({ renewalOrder, decision }: CoverWithoutDate): AwaitedStep {
  if (renewalOrder !== null) return "charge";
  return decision?.retryDate ? "report" : "advice";
}
