import { isDeepStrictEqual } from "node:util";
import { invalid } from "../../kernel/refusals.ts";
import type { CoverDecisionRecord } from "../covers/cover.repository.ts";
import type { Decision } from "../engine/decision.ts";
import { decideAgain, written, type Written } from "../engine/decision-record.ts";
import { columnsOf } from "./retry-decision.mapping.ts";

/** A decision that was taken once more. */
export interface Replay extends Pick<Decision, "retryAt" | "endReason"> {
  decision: CoverDecisionRecord;
  follows: boolean;
  /** The parts in which it differs from what was stored; none proves the decision. */
  differences: string[];
}

/** Takes a stored decision once more, from what is stored alone; undefined where the engine of today has not got what it was taken by. */
export function replayed(decision: CoverDecisionRecord): Replay | undefined {
  const { inputs, outcome } = decision;
  const again = inputs && outcome ? decideAgain(inputs, outcome["modelVersion"] as string | null) : undefined;
  if (!again || !outcome) return undefined;
  const differences = [
    ...differing(written(again), outcome),
    // What is shown is read from the columns, so they have to say the same.
    ...differing(written({ ...columnsOf(again), decidedAt: inputs!["now"] }), written(decision), false),
  ];
  const { retryAt, endReason } = again;
  return { decision, retryAt, endReason, differences: [...new Set(differences)], follows: differences.length === 0 };
}

/**
 * The same for whoever asks for one decision.
 * @throws a Refusal where it cannot be taken again.
 */
export function replayOf(decision: CoverDecisionRecord): Replay {
  const replay = replayed(decision);
  if (replay) return replay;
  throw invalid(
    "DECISION_NOT_REPLAYABLE",
    "The decision was taken by a rulebook, a decline table, a model or an engine that this version of the gateway does not have.",
  );
}

/** The names under which two differ; `stored` may have more where it is not `whole`. */
const differing = (now: Written, stored: Written, whole = true): string[] =>
  Object.keys(whole ? { ...now, ...stored } : now).filter((name) => !isDeepStrictEqual(now[name], stored[name]));
