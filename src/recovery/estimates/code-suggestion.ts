import type { ReasonClass } from "../../../schema/vocabulary.ts";
import { itemAt } from "../../kernel/required-values.ts";
import { normalizeCode } from "../engine/decline.ts";
import type { RetryModel } from "../engine/model/retry-model.ts";
import type { RecoveryCase } from "../engine/recovery-case.ts";

/** A try after a decline with the code, with its result. */
export interface TryAfterCode {
  facts: RecoveryCase;
  at: Date;
  approved: boolean;
  /** The payment that it belongs to: tries of one payment depend on each other. */
  payment: string | number;
}

/** What a code behaves like: never applied by itself. */
export interface CodeSuggestion {
  reasonClass: ReasonClass;
  /** How likely that is, compared with the other classes that can be told apart by retries. 0 to 1. */
  probability: number;
  /** Number of tries that it follows from. */
  tries: number;
}

/** Classes whose declines are tried again, so that results can tell them apart. */
const candidates: readonly ReasonClass[] = [
  "INSUFFICIENT_FUNDS",
  "LIMIT_EXCEEDED",
  "GENERIC_REFUSAL",
  "TECHNICAL",
  "SUSPECTED_FRAUD",
  "RESTRICTED",
];

export const MIN_TRIES = 30;
const MIN_APPROVED = 5;
/** More tries change nothing that a person would act on. */
const MAX_TRIES = 2_000;
const MIN_PROBABILITY = 0.8;

/**
 * The class that an unmapped code behaves like, by comparing how likely the results of its tries are under each class. Null where they are
 * too few, or where no class is clearly the likeliest.
 */
export function suggestClass(code: string, tries: readonly TryAfterCode[], model: RetryModel): CodeSuggestion | null {
  const used = tries.slice(-MAX_TRIES);
  if (used.length < MIN_TRIES || used.filter(({ approved }) => approved).length < MIN_APPROVED) return null;
  // Tries of one payment say less than as many of different ones: together they count as the payments do.
  const weight = new Set(used.map(({ payment }) => payment)).size / used.length;
  const scores = candidates.map((reasonClass) => weight * logLikelihood(normalizeCode(code), used, reasonClass, model));
  const best = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - best));
  const index = scores.indexOf(best);
  const probability = 1 / shares.reduce((sum, share) => sum + share, 0);
  if (!(probability >= MIN_PROBABILITY)) return null;
  return {
    reasonClass: itemAt(candidates, index),
    probability: Math.min(0.99, Math.round(probability * 100) / 100),
    tries: used.length,
  };
}

function logLikelihood(code: string, tries: readonly TryAfterCode[], mapped: ReasonClass, model: RetryModel): number {
  let sum = 0;
  for (const { facts, at, approved } of tries) {
    const attempts = facts.attempts.map((attempt) =>
      normalizeCode(attempt.code) === code ? { ...attempt, mapped } : attempt,
    );
    const logOdds = model.forCase({ ...facts, attempts }).logOddsAt(at);
    const signed = approved ? -logOdds : logOdds;
    sum -= Math.max(0, signed) + Math.log1p(Math.exp(-Math.abs(signed)));
  }
  return sum;
}
