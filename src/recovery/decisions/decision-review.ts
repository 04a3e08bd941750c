import type { CoverDecisionRecord, CoverRepository } from "../covers/cover.repository.ts";
import { replayed } from "./retry-decision.replay.ts";

/** A stored decision that comes out otherwise. */
export interface Deviation {
  decisionId: number;
  coverId: number;
  decidedAt: Date;
  /** The parts that differ; `inputs` where what is stored can no longer be read. */
  parts: string[];
}

/** What came of taking decisions once more. */
export interface Review {
  decisions: number;
  equal: number;
  different: number;
  /** Taken by a rulebook, a table, a model or an engine that this version does not have. */
  notReplayable: number;
  /** The first of the different ones. */
  deviations: Deviation[];
}

const PAGE = 500;
const MOST_TOLD = 20;

/** Takes all stored decisions of a vendor once more, in the order of their numbers. */
export async function reviewOf(covers: CoverRepository, vendorId: number): Promise<Review> {
  const review: Review = { decisions: 0, equal: 0, different: 0, notReplayable: 0, deviations: [] };
  let page = await covers.decisionsBeyond(vendorId, 0, PAGE);
  while (page.length > 0) {
    for (const decision of page) judge(decision, review);
    page = await covers.decisionsBeyond(vendorId, page.at(-1)!.id, PAGE);
  }
  return review;
}

function judge(decision: CoverDecisionRecord, review: Review): void {
  const parts = differencesOf(decision);
  review.decisions++;
  if (!parts) review.notReplayable++;
  else if (parts.length === 0) review.equal++;
  else {
    review.different++;
    const { id, coverId, decidedAt } = decision;
    if (review.deviations.length < MOST_TOLD) review.deviations.push({ decisionId: id, coverId, decidedAt, parts });
  }
}

function differencesOf(decision: CoverDecisionRecord): string[] | undefined {
  try {
    return replayed(decision)?.differences;
  } catch {
    // One that was spoilt must not hide the others.
    return ["inputs"];
  }
}
