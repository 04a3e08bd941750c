import { isDeepStrictEqual } from "node:util";
import { invalid } from "../kernel/errors.ts";
import type { CoverDecisionRecord } from "./cover.repository.ts";
import type { Decision } from "./engine/decision.ts";
import { decideAgain, written } from "./engine/record.ts";

/** A decision that was taken once more. */
export interface Replay extends Pick<Decision, "retryAt" | "endReason"> {
  decision: CoverDecisionRecord;
  follows: boolean;
  /** The parts in which it differs from what was stored; none proves the decision. */
  differences: string[];
}

/**
 * Takes a stored decision once more, from what is stored alone.
 * @throws a Refusal where the engine of today has not got what the decision was taken by.
 */
export function replayOf(decision: CoverDecisionRecord): Replay {
  const { inputs, outcome } = decision;
  const replayed = inputs && outcome ? decideAgain(inputs, outcome["modelVersion"] as string | null) : undefined;
  if (!replayed || !outcome) {
    throw invalid(
      "DECISION_NOT_REPLAYABLE",
      "The decision was taken by a rulebook, a decline table or a model that this version of the gateway does not have.",
    );
  }
  const now = written(replayed);
  const names = Object.keys({ ...now, ...outcome });
  const differences = names.filter((name) => !isDeepStrictEqual(now[name], outcome[name]));
  const { retryAt, endReason } = replayed;
  return { decision, retryAt, endReason, differences, follows: differences.length === 0 };
}
