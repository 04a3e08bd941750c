import type { ModelFallbackReason, ModelSource } from "../../../schema/vocabulary.ts";
import type { ModelFallback } from "../engine/decision.ts";

/** A model that may decide for a family. */
export interface ModelCandidate {
  source: Exclude<ModelSource, "EVEN">;
  version: string;
}

/** A version that was given up. */
export interface GivenUpModel {
  source: ModelSource;
  version: string;
  reason: ModelFallbackReason;
}

/** What decides: a model, or none; and why it is not the first that could have. */
export interface DecidingModel {
  candidate: ModelCandidate | null;
  fallback: ModelFallback | null;
}

/**
 * The first model that is trusted, of those that a family has: its own, its country's, the published one. A version that was given up is
 * not trusted; another version of the same source is, so that a fallback ends by itself with the next model.
 */
export function selectDecidingModel(
  candidates: readonly ModelCandidate[],
  givenUp: readonly GivenUpModel[],
  isReadable: (version: string) => boolean,
): DecidingModel {
  let reason: ModelFallbackReason | null = null;
  for (const candidate of candidates) {
    const { source, version } = candidate;
    const ofIt = givenUp.find((one) => one.source === source && one.version === version);
    const objection: ModelFallbackReason | null = ofIt?.reason ?? (isReadable(version) ? null : "MISSING");
    if (!objection) return { candidate, fallback: reason && { to: source, reason } };
    reason ??= objection;
  }
  return { candidate: null, fallback: { to: "EVEN", reason: reason ?? "MISSING" } };
}

const DAY_MS = 86_400_000;
/** After so long without results, a model that old is not trusted. */
export const STALE_AFTER_DAYS = 45;

/** Whether a model is old and nothing new is known. */
export const isStale = (madeAt: Date, lastResultAt: Date | null, now: Date): boolean =>
  now.getTime() - Math.max(madeAt.getTime(), lastResultAt?.getTime() ?? 0) > STALE_AFTER_DAYS * DAY_MS;
