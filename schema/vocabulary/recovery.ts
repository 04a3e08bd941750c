import { enumOf } from "./words.ts";

/** States of an order registered in the recovery module. */
export const CoverOrderStatus = enumOf(
  "CREATED",
  "PAID",
  "CANCEL_REQ",
  "CANCELED",
  "CHANGE_REQ",
  "CHANGE_PROCESS",
  "CHANGED",
  "RETURN_REQ",
  "RETURN_PROCESS",
  "RETURNED",
  "PREPARING",
  "SHIPPING",
  "FULFILLED",
  "FULL_REFUND",
  "PARTIAL_REFUND",
  "PAYMENT_FAILURE",
);
export type CoverOrderStatus = keyof typeof CoverOrderStatus;

/** States of a subscription registered in the recovery module. */
export const CoverSubscriptionStatus = enumOf("ACTIVE", "UNPAID", "PAUSE", "EXPIRED", "CANCELED");
export type CoverSubscriptionStatus = keyof typeof CoverSubscriptionStatus;

/** States of a cover, that is, of one recovery scenario. */
export const CoverState = enumOf("IN_PROGRESS", "RECOVERED", "EXHAUSTED", "STOPPED");
export type CoverState = keyof typeof CoverState;

/** The reason for the end of a cover. */
export const CoverEndReason = enumOf(
  "MUST_NOT_RETRY",
  "NEEDS_NEW_METHOD",
  "NEEDS_CUSTOMER",
  "ALREADY_PAID",
  "WINDOW_OVER",
  "NO_TRIES_LEFT",
  "NOT_WORTH_RETRYING",
  "CANCELED",
  "PAID",
);
export type CoverEndReason = keyof typeof CoverEndReason;

/**
 * The origin of an attempt: the failure that opened the cover, an attempt on its date, an additional attempt by the
 * merchant.
 */
export const AttemptKind = enumOf("FIRST_FAILURE", "SCHEDULED", "UNSCHEDULED");
export type AttemptKind = keyof typeof AttemptKind;

/** The meaning of a decline for the next attempt, independent of the gateway's code. */
export const ReasonClass = enumOf(
  "INSUFFICIENT_FUNDS",
  "LIMIT_EXCEEDED",
  "GENERIC_REFUSAL",
  "TECHNICAL",
  "SUSPECTED_FRAUD",
  "RESTRICTED",
  "FIX_DATA_FIRST",
  "CUSTOMER_MUST_ACT",
  "NEVER",
  "ALREADY_PAID",
  "UNKNOWN",
);
export type ReasonClass = keyof typeof ReasonClass;

/** Card networks and bank debit schemes, as far as a caller knows them. */
export const Network = enumOf("VISA", "MASTERCARD", "AMEX", "OTHER", "SEPA", "ACH");
export type Network = keyof typeof Network;

/** The initiator of a payment attempt. */
export const Initiator = enumOf("MERCHANT", "CUSTOMER");
export type Initiator = keyof typeof Initiator;

/** The distribution of a cover's attempts. */
export const RetryPlanKind = enumOf("LADDER", "EVEN", "SMART");
export type RetryPlanKind = keyof typeof RetryPlanKind;

/** The state of a vendor's own policy. */
export const PolicyState = enumOf("PROPOSED", "ACTIVE", "RETIRED");
export type PolicyState = keyof typeof PolicyState;

/** The origin of the policy of new covers. */
export const PolicyOrigin = enumOf("OWN", "PARENT", "DEFAULT");
export type PolicyOrigin = keyof typeof PolicyOrigin;

/** The state of an experiment. */
export const ExperimentState = enumOf("RUNNING", "STOPPED");
export type ExperimentState = keyof typeof ExperimentState;

/** The policy of covers in progress after their experiment has ended. */
export const CoversInProgress = enumOf("KEEP_POLICY", "USE_ACTIVE_POLICY");
export type CoversInProgress = keyof typeof CoversInProgress;

/** What the interval of a difference says. */
export const ExperimentResult = enumOf("BETTER", "WORSE", "UNDECIDED");
export type ExperimentResult = keyof typeof ExperimentResult;

/** The reason why a period has no comparison with a holdout. */
export const NoComparisonReason = enumOf("NO_EXPERIMENT", "TOO_FEW_PAYERS");
export type NoComparisonReason = keyof typeof NoComparisonReason;

/** The action on the subscription when recovery ends without payment. */
export const FinalAction = enumOf("KEEP", "PAUSE", "EXPIRE", "CANCEL");
export type FinalAction = keyof typeof FinalAction;

/** Steps that lead to a decision. */
export const EffectKind = enumOf(
  "SCHEDULE",
  "KEPT",
  "FALLBACK",
  "CLASS_DELAY",
  "QUIET_HOURS",
  "RULEBOOK",
  "REASON",
  "PAID_ELSEWHERE",
  "CLASS_CAP",
  "BUDGET",
  "WINDOW",
  "TRY_PRICE",
);
export type EffectKind = keyof typeof EffectKind;

/** Where what decides under SMART comes from, in the order in which it is asked: models of three sources, or none. */
export const ModelSource = enumOf("VENDOR", "COUNTRY", "PUBLISHED", "EVEN");
export type ModelSource = keyof typeof ModelSource;

/** Why a model does not decide. */
export const ModelFallbackReason = enumOf("OFF", "MISSING", "STALE", "MISCALIBRATED", "WORSE_THAN_COUNTING");
export type ModelFallbackReason = keyof typeof ModelFallbackReason;

/** Why something decides under SMART. */
export const ModelStatusReason = enumOf(
  "TRAINED",
  "NOT_TRAINED",
  "PINNED",
  "NOT_SMART",
  "OFF",
  "MISSING",
  "STALE",
  "MISCALIBRATED",
  "WORSE_THAN_COUNTING",
);
export type ModelStatusReason = keyof typeof ModelStatusReason;

/** Why a backtest gives no figure. */
export const NoFigureReason = enumOf("TOO_FEW_CASES", "NO_OVERLAP");
export type NoFigureReason = keyof typeof NoFigureReason;

/** Groups of effects of the model that chooses times. */
export const FactorKind = enumOf(
  "MONTHLY_INCOME",
  "WEEKLY_INCOME",
  "HOUR",
  "WEEKDAY",
  "BANK_DAY",
  "DAY_OF_MONTH",
  "SINCE_LAST_ATTEMPT",
  "SINCE_FIRST_FAILURE",
  "FREQUENCY",
  "REPEATED_TIME",
  "ADVICE",
  "NEXT_ATTEMPT",
);
export type FactorKind = keyof typeof FactorKind;

/** The stored kind of a recovery module's event; callers see it as an `EventType`. */
export const CoverEventKind = enumOf(
  "ORDER_REGISTERED",
  "ORDER_UPDATED",
  "ORDER_STATUS_CHANGED",
  "ORDER_PAID",
  "ORDER_CANCELED",
  "LATE_PAYMENT",
  "PAYMENT_METHOD_CHANGED",
  "RECOVERY_STARTED",
  "RECOVERY_ATTEMPT_FAILED",
  "RECOVERY_RETRY_MOVED",
  "RECOVERY_RETRY_DUE",
  "RECOVERY_RECOVERED",
  "RECOVERY_EXHAUSTED",
  "RECOVERY_STOPPED",
  "SUBSCRIPTION_REGISTERED",
  "SUBSCRIPTION_UPDATED",
  "SUBSCRIPTION_CANCELED",
  "SUBSCRIPTION_ACTIVATED",
  "SUBSCRIPTION_PAUSED",
  "SUBSCRIPTION_EXPIRED",
);
export type CoverEventKind = keyof typeof CoverEventKind;

/** The origin of a model that belongs to no vendor. */
export const ModelScope = enumOf("PUBLISHED", "COUNTRY");
export type ModelScope = keyof typeof ModelScope;

/** The state of the training of a model. */
export const TrainingState = enumOf("REQUESTED", "RUNNING", "DONE", "FAILED");
export type TrainingState = keyof typeof TrainingState;

/** What asked for the training of a model. */
export const TrainingTrigger = enumOf("NIGHT", "REQUEST");
export type TrainingTrigger = keyof typeof TrainingTrigger;

/** What came of the training of a model. */
export const TrainingResult = enumOf(
  "ACTIVATED",
  "NOT_BETTER",
  "BADLY_CALIBRATED",
  "TOO_FEW_TRIES",
  "TOO_FEW_NEW_TRIES",
);
export type TrainingResult = keyof typeof TrainingResult;

/** What came of pooling the retries of a country's families. */
export const PoolingResult = enumOf("ACTIVATED", "TOO_FEW_VENDORS", "NOT_BETTER", "BADLY_CALIBRATED");
export type PoolingResult = keyof typeof PoolingResult;
