import type { RecordedCase, RecordedChoice } from "../engine/recorded-case.ts";
import { longestDurationMs } from "../engine/policy.ts";
import type { LoggedCase, LoggedStep } from "./logged-case.ts";

/** Why recorded cases are not part of a backtest. */
export interface SkippedCases {
  /** Their window is not over: those that are recovered early would be too many. */
  running: number;
  /** The result of a retry was never reported, or its choice is not known. */
  unreported: number;
}

export const noneSkipped = (): SkippedCases => ({ running: 0, unreported: 0 });

/**
 * A recorded case as the choices of its policy with their results; undefined if it is skipped, which is counted. A case is skipped by
 * its age and not by its end, because cases end early where they are recovered.
 */
export function toLoggedCase(
  recorded: RecordedCase,
  currency: string,
  now: Date,
  skipped: SkippedCases,
): LoggedCase | undefined {
  const { facts, policy, payer, end, startedAt } = recorded;
  if (now.getTime() < startedAt.getTime() + longestDurationMs(policy)) {
    skipped.running++;
    return undefined;
  }
  // In shadow mode no choice was followed.
  const steps = recorded.shadow ? undefined : stepsOf(recorded);
  if (!steps || !end) {
    skipped.unreported++;
    return undefined;
  }
  return { payer, amount: facts.currency === currency ? facts.amount.toNumber() : null, policy, steps };
}

function stepsOf({ retries, lastChoice, end }: RecordedCase): LoggedStep[] | undefined {
  const steps: LoggedStep[] = [];
  for (const { choice, approved } of retries) {
    if (!choice?.chosen) return undefined;
    steps.push(toStep(choice, approved));
  }
  const isPaid = end?.reason === "PAID";
  if (!lastChoice || steps.at(-1)?.approved) return steps;
  const isDecidedEnd = end?.reason === "NO_TRIES_LEFT" || end?.reason === "WINDOW_OVER";
  if (lastChoice.chosen === null) return isDecidedEnd ? [...steps, toStep(lastChoice, false)] : steps;
  // Paid after the date of an attempt without a reported failure: by that attempt, however late the report was.
  if (isPaid && end.at >= lastChoice.chosen && retries.at(-1)?.choice !== lastChoice)
    steps.push(toStep(lastChoice, true));
  return steps;
}

const toStep = ({ facts, madeAt, chosen, draw }: RecordedChoice, approved: boolean): LoggedStep => ({
  ...{ facts, madeAt, chosen, draw, approved },
});
