import type { CoverEndReason, EffectKind, ReasonClass } from "../../../schema/vocabulary.ts";

/** How likely a try is to work: six digits, so that every machine stores the same. */
export interface SuccessEstimate {
  probability: number;
  /** The bounds within which it lies nineteen times out of twenty. */
  interval: { low: number; high: number };
}

/** A time that was considered and not chosen as the next. */
export interface Alternative {
  at: Date;
  /** Null without a model. */
  probability: number | null;
}

/** One step that led to the choice, in the order in which they were taken. */
export interface Effect {
  kind: EffectKind;
  /** Where the try stood after it; null where the step ended the trying. */
  at: Date | null;
  /** The source of the limit: a row of the rulebook, or a reason class. */
  by: string | null;
  /** How many tries of the same card besides those of the case its row counted; absent where none. */
  others?: number;
}

/** How many tries a decision could count on. */
export interface Budget {
  used: number;
  limit: number;
  windowEnds: Date;
}

/** The decision of the engine, and the rules that limited it. */
export interface Decision {
  /** The next try, or null when trying is over. */
  retryAt: Date | null;
  endReason: CoverEndReason | null;
  /** The meaning of the last decline; null if there was none. */
  reasonClass: ReasonClass | null;
  /** The earliest time that the rulebook allowed, where it moved the try. */
  floor: Date | null;
  /** The row of the rulebook that moved the try, or forbade every further one. */
  floorRow: string | null;
  probability: number | null;
  interval: SuccessEstimate["interval"] | null;
  /** The tries that the policy plans after `retryAt`. */
  alternatives: Alternative[];
  effects: Effect[];
  budget: Budget;
  policyVersion: string;
  rulebookVersion: string;
  declinesVersion: string;
  modelVersion: string | null;
  /** How likely the policy was to choose this time: 1 where nothing is left to chance. */
  propensity: number;
}
