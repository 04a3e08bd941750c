import type { ModelFallbackReason, ModelSource } from "../../../schema/vocabulary.ts";
import { isStale, selectDecidingModel, type GivenUpModel, type ModelCandidate } from "./deciding-model.ts";
import { addCountedResult, addResult, restartTest, type DriftState, type ForecastResult } from "./drift-test.ts";

/** What the tests have seen of a family's models of one source. */
export interface TrustState {
  source: ModelSource;
  drift: DriftState;
  testedFrom: Date;
  givenUpVersion: string | null;
  givenUpAt: Date | null;
  givenUpFor: ModelFallbackReason | null;
}

/** The result of a retry, with the model that stated its probability. */
export interface TestedResult extends Omit<ForecastResult, "probability"> {
  chosenAt: Date;
  /** Null where no model of the family chose the time. */
  source: ModelSource | null;
  probability: number | null;
}

/** A model of a family, as far as its age and its file are concerned. */
export interface KnownModel extends ModelCandidate {
  /** Null for a model that does not age: the published one. */
  madeAt: Date | null;
  isReadable: boolean;
  /** Number of retries that it was trained on, if known; their origin and times if they are the family's own. */
  tries: number | null;
  importedTries: number | null;
  triesFrom: Date | null;
  triesUntil: Date | null;
}

/** A model that was given up, or that decides again. */
export interface TrustEvent {
  source: ModelSource;
  version: string;
  /** What decides from then on. */
  decides: ModelSource;
  /** Null if the fallback ended. */
  reason: ModelFallbackReason | null;
}

/** The versions that were given up, of stored states. */
export const givenUpModelsOf = (
  trusts: readonly Pick<TrustState, "source" | "givenUpVersion" | "givenUpFor">[],
): GivenUpModel[] =>
  trusts.flatMap(({ source, givenUpVersion, givenUpFor }) =>
    givenUpVersion !== null && givenUpFor ? [{ source, version: givenUpVersion, reason: givenUpFor }] : [],
  );

/**
 * Tests the models of a family by new results, in order of time, and looks at their age and their files. Changes the states.
 * @returns what happened, in order.
 */
export function updateTrust(
  trusts: readonly TrustState[],
  results: readonly TestedResult[],
  models: readonly KnownModel[],
  lastResultAt: Date | null,
  now: Date,
): TrustEvent[] {
  const decides = (): ModelSource => {
    const isReadable = (version: string) => models.some((one) => one.version === version && one.isReadable);
    return selectDecidingModel(models, givenUpModelsOf(trusts), isReadable).candidate?.source ?? "EVEN";
  };
  const events: TrustEvent[] = [];
  const giveUp = (trust: TrustState, { source, version }: KnownModel, reason: ModelFallbackReason) => {
    Object.assign(trust, { givenUpVersion: version, givenUpAt: now, givenUpFor: reason });
    restartTest(trust.drift);
    events.push({ source, version, decides: decides(), reason });
  };
  for (const trust of trusts) {
    const model = models.find(({ source }) => source === trust.source);
    if (!model) continue;
    const objection = objectionTo(model, lastResultAt, now);
    if (hasPassed(trust, model, objection)) {
      Object.assign(trust, { givenUpVersion: null, givenUpAt: null, givenUpFor: null, testedFrom: now });
      if (!objection) events.push({ source: model.source, version: model.version, decides: decides(), reason: null });
    }
    if (objection && trust.givenUpVersion === null) giveUp(trust, model, objection);
  }
  for (const result of results)
    for (const trust of trusts) {
      const model = models.find(({ source }) => source === trust.source);
      const { probability, source, chosenAt } = result;
      const isTested = source === trust.source && trust.givenUpVersion === null && chosenAt >= trust.testedFrom;
      if (!model || probability === null || !isTested) addCountedResult(trust.drift, result);
      else {
        const reason = addResult(trust.drift, { ...result, probability });
        if (reason) giveUp(trust, model, reason);
      }
    }
  return events;
}

/** What speaks against a model before any result is looked at. */
function objectionTo(
  { madeAt, isReadable }: KnownModel,
  lastResultAt: Date | null,
  now: Date,
): ModelFallbackReason | null {
  if (!isReadable) return "MISSING";
  return madeAt && isStale(madeAt, lastResultAt, now) ? "STALE" : null;
}

/** Whether a model that was given up decides again: the next version, or the same one where only its age or its file spoke against it. */
const hasPassed = (
  { givenUpVersion, givenUpFor }: TrustState,
  { version }: KnownModel,
  objection: ModelFallbackReason | null,
): boolean =>
  givenUpVersion !== null &&
  (givenUpVersion !== version || ((givenUpFor === "STALE" || givenUpFor === "MISSING") && objection !== givenUpFor));
