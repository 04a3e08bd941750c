import type {
  CoverEndReason,
  EffectKind,
  FactorKind,
  ModelFallbackReason,
  ModelSource,
  ReasonClass,
} from "../../../schema/vocabulary.ts";

/** The probability of success of an attempt: six digits, so that every machine stores the same. */
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
  /** The time of the attempt after the step; null if the step ended recovery. */
  at: Date | null;
  /** The source of the limit: a row of the rulebook, or a reason class. */
  by: string | null;
  /** Number of other attempts on the same card that its row counted; absent if none. */
  others?: number;
  /** Why the model did not decide that should; absent in other steps. */
  reason?: ModelFallbackReason;
}

/** What decides instead of the model that should, and why. */
export interface ModelFallback {
  to: ModelSource;
  reason: ModelFallbackReason;
}

/** How a model came to its time: absent in decisions without one. */
export interface ModelChoice {
  /** The times that were weighed, best first, with their probabilities; the chosen one and the even one are among them. */
  considered: { at: Date; probability: number }[];
  /** The time of an even schedule. */
  even: Date;
  /** What speaks for and against the chosen time in comparison with the even one, the strongest first. */
  factors: ModelFactor[];
  /** Whether the time was drawn in order to learn. */
  explored: boolean;
  /** The draw of a case that can explore; absent where it cannot. */
  draw?: TimeDraw;
}

/** How the time of a case that can explore was drawn: what an estimate of another policy needs to know. */
export interface TimeDraw {
  /** The share of cases that explore. */
  share: number;
  /** The best time, which a case that does not explore takes, and others that half of the exploring cases draw from. */
  options: Date[];
  /** The one of them that the other half of the exploring cases takes: they follow the even schedule. */
  even: Date;
}

/** A group of effects of the model. */
export interface ModelFactor {
  kind: FactorKind;
  /** By the kind: the payday (1 to 31) or weekday (1 for Monday) of an income, the hour, the weekday (0 for Sunday), the day of the month, 1 or 0 for a bank day or another; null for the others. */
  value: number | null;
  /** By what it multiplies the odds of the chosen time over those of the even one; for NEXT_ATTEMPT, those of the attempt after it. */
  odds: number;
}

/** The number of attempts available to a decision. */
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
  /** The probability with which the policy chose this time: 1 without randomness. */
  propensity: number;
  choice?: ModelChoice;
}
