/** What a cover in progress waits for when it has no date for a retry. */
export type AwaitedStep = "report" | "charge" | "advice";

interface CoverWithoutDate {
  renewalOrder: unknown;
  decision: { retryDate: string | null } | null;
}

/** The date of the decision in force, if it has passed and its attempt is not known yet: the next date depends on it. */
export function passedRetry(cover: CoverWithoutDate, now: string): string | undefined {
  const decided = cover.decision?.retryDate ?? null;
  const isPassed = decided !== null && Date.parse(decided) <= Date.parse(now);
  return isPassed && awaitedStep(cover) !== "advice" ? decided : undefined;
}

/** The merchant reports the attempts of registered orders; workers charge renewals. */
export function awaitedStep({ renewalOrder, decision }: CoverWithoutDate): AwaitedStep {
  if (renewalOrder !== null) return "charge";
  return decision?.retryDate ? "report" : "advice";
}
