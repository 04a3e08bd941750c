import { z } from "zod";
import { EffectKind, FactorKind, ModelFallbackReason, type Language } from "../../../schema/vocabulary.ts";
import type { CoverDecisionRecord, CoverRecord } from "../covers/cover.repository.ts";
import type { Decision } from "../engine/decision.ts";
import { explainDecision, explainDue, explainEnd, explainUnreported } from "../engine/explain-decision.ts";
import { readZone, storedInstant } from "../engine/decision-record.ts";
import { nextPlannedDate } from "../engine/failure-report-reading.ts";

/** The parts of a decision that are stored verbatim. */
type StoredDecisionParts = Pick<
  Decision,
  "alternatives" | "effects" | "probability" | "interval" | "propensity" | "modelVersion" | "choice"
> & {
  declinesVersion: string | null;
};

const storedParts = z.object({
  alternatives: z.array(z.object({ at: storedInstant, probability: z.number().nullable() })),
  effects: z.array(
    z.object({
      kind: z.enum(EffectKind),
      at: storedInstant.nullable(),
      by: z.string().nullable(),
      others: z.number().optional(),
      reason: z.enum(ModelFallbackReason).optional(),
    }),
  ),
  probability: z.number().nullable(),
  interval: z.object({ low: z.number(), high: z.number() }).nullable(),
  propensity: z.number(),
  declinesVersion: z.string().nullable(),
  modelVersion: z.string().nullable(),
  choice: z
    .object({
      considered: z.array(z.object({ at: storedInstant, probability: z.number() })),
      even: storedInstant,
      factors: z.array(z.object({ kind: z.enum(FactorKind), value: z.number().nullable(), odds: z.number() })),
      explored: z.boolean(),
      draw: z.object({ share: z.number(), options: z.array(storedInstant), even: storedInstant }).optional(),
    })
    .optional(),
}) satisfies z.ZodType<StoredDecisionParts>;

/** The parts of a decision that have their own columns: those that are shown or filtered by. */
export const toDecisionColumns = ({ budget, alternatives, ...decision }: Decision) => ({
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

/** The stored parts of a decision; of a decision by an older version of the gateway, as much as there is. */
export function readDecisionParts({ outcome, alternatives }: CoverDecisionRecord): StoredDecisionParts {
  if (!outcome) {
    const plan = alternatives.map((at) => ({ at, probability: null }));
    const unknown = { probability: null, interval: null, declinesVersion: null, modelVersion: null };
    return { ...unknown, alternatives: plan, effects: [], propensity: 1 };
  }
  return storedParts.parse(outcome);
}

const UTC = { zoneId: "UTC", offsets: [{ from: new Date(0), aheadMs: 0 }] };

/** Explains the next date; if the cover has continued since the decision, the date of the cover. */
export function explainStoredDecision(
  decision: CoverDecisionRecord,
  cover: CoverRecord | undefined,
  now: Date,
  language: Language,
): string {
  const zone = decision.inputs ? readZone(decision.inputs) : UTC;
  const { retryAt, budgetUsed, budgetLimit, windowEnds } = decision;
  if (cover?.endReason && cover.endReason !== decision.endReason) return explainEnd(cover.endReason, language);
  if (cover?.renewalOrderId && retryAt && retryAt <= now) return explainDue(retryAt, zone, language);
  if (cover && !cover.shadow && retryAt && retryAt <= now)
    return explainUnreported(retryAt, nextPlannedDate(cover.planned, now), zone, language);
  const budget = { used: budgetUsed, limit: budgetLimit, windowEnds };
  const { effects, alternatives, choice } = readDecisionParts(decision);
  return explainDecision({ ...decision, budget, effects, alternatives, choice }, zone, language);
}
