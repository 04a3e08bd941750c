import { lastOf } from "../../kernel/required-values.ts";
import type { CoverDecisionRecord, CoverRepository } from "../covers/cover.repository.ts";
import type { FindModel } from "../engine/decision-record.ts";
import { loadModels } from "../models/loaded-models.ts";
import type { RecoveryModelRepository } from "../models/recovery-model.repository.ts";
import { modelVersionsOf, tryReplay } from "./retry-decision.replay.ts";

/** A stored decision whose replay differs. */
export interface DecisionDeviation {
  decisionId: number;
  coverId: number;
  decidedAt: Date;
  /** The parts that differ; `inputs` where what is stored can no longer be read. */
  parts: string[];
}

/** The result of replaying decisions. */
export interface DecisionReview {
  decisions: number;
  equal: number;
  different: number;
  /** Taken by a rulebook, a table, a model or an engine that this version does not have. */
  notReplayable: number;
  /** The first of the different ones. */
  deviations: DecisionDeviation[];
}

const PAGE_SIZE = 200;
const MAX_DEVIATIONS = 20;

/** Replays all stored decisions of a vendor, in the order of their numbers. */
export async function reviewDecisions(
  covers: CoverRepository,
  models: RecoveryModelRepository,
  vendorId: number,
): Promise<DecisionReview> {
  const review: DecisionReview = { decisions: 0, equal: 0, different: 0, notReplayable: 0, deviations: [] };
  let page = await covers.decisionsAfter(vendorId, 0, PAGE_SIZE);
  while (page.length > 0) {
    const findModel = await loadModels(models, vendorId, modelVersionsOf(page));
    for (const decision of page) reviewDecision(decision, findModel, review);
    page = await covers.decisionsAfter(vendorId, lastOf(page).id, PAGE_SIZE);
  }
  return review;
}

function reviewDecision(decision: CoverDecisionRecord, findModel: FindModel, review: DecisionReview): void {
  const parts = differencesOf(decision, findModel);
  review.decisions++;
  if (!parts) review.notReplayable++;
  else if (parts.length === 0) review.equal++;
  else {
    review.different++;
    const { id, coverId, decidedAt } = decision;
    if (review.deviations.length < MAX_DEVIATIONS)
      review.deviations.push({ decisionId: id, coverId, decidedAt, parts });
  }
}

function differencesOf(decision: CoverDecisionRecord, findModel: FindModel): string[] | undefined {
  try {
    return tryReplay(decision, findModel)?.differences;
  } catch {
    // One that was spoilt must not hide the others.
    return ["inputs"];
  }
}
