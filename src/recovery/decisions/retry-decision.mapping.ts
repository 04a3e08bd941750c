import type { CoverDecisionRecord, CoverRecord } from "../covers/cover.repository.ts";
import type { Alternative, Decision, Effect } from "../engine/decision.ts";
import { explain, explainDue, explainEnd, explainPassed, type Language } from "../engine/explain-decision.ts";
import { readZone, type Written } from "../engine/decision-record.ts";
import { nextDate } from "../engine/failure-report-reading.ts";

/** The parts of a decision that are kept as they were written. */
type Parts = Pick<Decision, "alternatives" | "effects" | "probability" | "interval" | "propensity" | "modelVersion"> & {
  declinesVersion: string | null;
};

/** What of a decision has columns of its own: what is shown and asked for. */
export const columnsOf = ({ budget, alternatives, ...decision }: Decision) => ({
  retryAt: decision.retryAt,
  endReason: decision.endReason,
  reasonClass: decision.reasonClass,
  floor: decision.floor,
  floorRow: decision.floorRow,
  alternatives: alternatives.map(({ at }) => at),
  budgetUsed: budget.used,
  budgetLimit: budget.limit,
  windowEnds: budget.windowEnds,
  policyVersion: decision.policyVersion,
  rulebookVersion: decision.rulebookVersion,
});

const dated = <T extends Alternative | Effect>(one: T): T => ({ ...one, at: one.at && new Date(one.at) });

/** What was written down of a decision; of one that an older version of the gateway took, as much as there is. */
export function writtenOf({ outcome, alternatives }: CoverDecisionRecord): Parts {
  if (!outcome) {
    const plan = alternatives.map((at) => ({ at, probability: null }));
    const unknown = { probability: null, interval: null, declinesVersion: null, modelVersion: null };
    return { ...unknown, alternatives: plan, effects: [], propensity: 1 };
  }
  const parts = outcome as unknown as Parts;
  return { ...parts, alternatives: parts.alternatives.map(dated), effects: parts.effects.map(dated) };
}

const UTC = { zoneId: "UTC", offsets: [{ from: new Date(0), aheadMs: 0 }] };

/** Why the next date is what it is: of a cover that has gone on since, why that of the cover is. */
export function explanationOf(
  decision: CoverDecisionRecord,
  cover: CoverRecord | undefined,
  now: Date,
  language: Language,
): string {
  const zone = decision.inputs ? readZone(decision.inputs["case"] as Written) : UTC;
  const { retryAt, budgetUsed, budgetLimit, windowEnds } = decision;
  if (cover?.endReason && cover.endReason !== decision.endReason) return explainEnd(cover.endReason, language);
  if (cover?.renewalOrderId && retryAt && retryAt <= now) return explainDue(retryAt, zone, language);
  if (cover && retryAt && retryAt <= now) return explainPassed(retryAt, nextDate(cover.planned, now), zone, language);
  const budget = { used: budgetUsed, limit: budgetLimit, windowEnds };
  const { effects, alternatives } = writtenOf(decision);
  return explain({ ...decision, budget, effects, alternatives }, zone, language);
}
