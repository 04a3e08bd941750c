import { isDeepStrictEqual } from "node:util";
import { invalid } from "../../kernel/refusals.ts";
import type { CoverDecisionRecord } from "../covers/cover.repository.ts";
import type { Decision } from "../engine/decision.ts";
import { replayStoredDecision, toStoredJson, type FindModel, type StoredJson } from "../engine/decision-record.ts";
import { toDecisionColumns } from "./retry-decision.mapping.ts";

/** The result of a replayed decision. */
export interface DecisionReplayResult extends Pick<Decision, "retryAt" | "endReason"> {
  decision: CoverDecisionRecord;
  follows: boolean;
  /** The parts in which it differs from what was stored; none proves the decision. */
  differences: string[];
}

/** The models that stored decisions were made by. */
export const modelVersionsOf = (decisions: readonly CoverDecisionRecord[]): string[] =>
  decisions.flatMap(({ outcome }) => {
    const version = outcome?.["modelVersion"];
    return typeof version === "string" ? [version] : [];
  });

/**
 * Replays a stored decision from stored data only; undefined if the current engine lacks a version that it was made
 * with.
 */
export function tryReplay(decision: CoverDecisionRecord, findModel: FindModel): DecisionReplayResult | undefined {
  const { inputs, outcome } = decision;
  const recomputed = inputs && outcome ? replayStoredDecision(inputs, outcome["modelVersion"], findModel) : undefined;
  if (!recomputed || !outcome || !inputs) return undefined;
  const differences = [
    ...differingKeys(toStoredJson(recomputed), outcome),
    // The presenters read the columns, so they must agree with the stored decision.
    ...differingKeys(
      toStoredJson({ ...toDecisionColumns(recomputed), decidedAt: inputs["now"] }),
      toStoredJson(decision),
      false,
    ),
  ];
  const { retryAt, endReason } = recomputed;
  return { decision, retryAt, endReason, differences: [...new Set(differences)], follows: differences.length === 0 };
}

/**
 * The same for a request for one decision.
 * @throws a Refusal if it cannot be replayed.
 */
export function requireReplay(decision: CoverDecisionRecord, findModel: FindModel): DecisionReplayResult {
  const replay = tryReplay(decision, findModel);
  if (replay) return replay;
  throw invalid(
    "DECISION_NOT_REPLAYABLE",
    "The decision needs a rulebook, a decline table, a model or an engine that this version does not have.",
  );
}

/** The keys in which two objects differ; `stored` may have more unless `whole`. */
const differingKeys = (recomputed: StoredJson, stored: StoredJson, whole = true): string[] =>
  Object.keys(whole ? { ...recomputed, ...stored } : recomputed).filter(
    (name) => !isDeepStrictEqual(recomputed[name], stored[name]),
  );
