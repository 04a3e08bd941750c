import {
  AttemptKind,
  CoverEndReason,
  CoverOrderStatus,
  CoverState,
  CoverSubscriptionStatus,
  CoversInProgress,
  EffectKind,
  ExperimentResult,
  ExperimentState,
  FactorKind,
  ModelFallbackReason,
  ModelSource,
  ModelStatusReason,
  FinalAction,
  Initiator,
  Network,
  NoFigureReason,
  NoComparisonReason,
  RetryPlanKind,
  PolicyOrigin,
  PolicyState,
  PoolingResult,
  ReasonClass,
  TrainingResult,
  TrainingState,
  TrainingTrigger,
} from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* The words of the recovery module as GraphQL enums, each with what it means. */

registerVocabularyEnum(CoverOrderStatus, "CoverOrderStatus", "State of an order that is charged outside of Recoup.", {
  CREATED: "The order is registered, and nothing is known of a payment.",
  PAID: "The order was paid.",
  PAYMENT_FAILURE: "The payment failed. A cover is in progress or has ended.",
  CANCELED: "The order was cancelled and will not be paid.",
  CANCEL_REQ: "The customer requested a cancellation after paying.",
  CHANGE_REQ: "The customer requested an exchange.",
  CHANGE_PROCESS: "The exchange is in progress.",
  CHANGED: "The exchange is done.",
  RETURN_REQ: "The customer requested a return.",
  RETURN_PROCESS: "The return is in progress.",
  RETURNED: "The return is done.",
  PREPARING: "The delivery is being prepared.",
  SHIPPING: "The order is on its way to the customer.",
  FULFILLED: "The order was delivered.",
  FULL_REFUND: "The full amount was refunded.",
  PARTIAL_REFUND: "Part of the amount was refunded.",
});

registerVocabularyEnum(
  CoverSubscriptionStatus,
  "CoverSubscriptionStatus",
  "State of a subscription that is charged outside of Recoup.",
  {
    ACTIVE: "The subscription is running.",
    UNPAID: "A cover is recovering a payment of the subscription.",
    PAUSE: "The recovery policy paused the subscription after the last attempt.",
    EXPIRED: "The recovery policy expired the subscription after the last attempt.",
    CANCELED: "The subscription was cancelled. Activating it undoes the cancellation.",
  },
);

registerVocabularyEnum(CoverState, "CoverState", "State of a cover. An ended cover never changes again.", {
  IN_PROGRESS: "The next attempt is known and awaited.",
  RECOVERED: "The order was paid.",
  EXHAUSTED: "All attempts were used, the time for them is over, or none that is left is worth its cost.",
  STOPPED: "The cover was cancelled, or the decline forbids a further attempt.",
});

registerVocabularyEnum(CoverEndReason, "CoverEndReason", "Reason for the end of a cover.", {
  MUST_NOT_RETRY: "The decline forbids another attempt, such as a lost or stolen card or a closed account.",
  NEEDS_NEW_METHOD:
    "The stored method cannot be charged: it has expired or its number is wrong. Replace it and report the change.",
  NEEDS_CUSTOMER: "The payer must act first, for example authenticate or unlock the card.",
  ALREADY_PAID: "The gateway reports that the order was paid before. Look up the first payment.",
  WINDOW_OVER: "The time for attempts is over.",
  NO_TRIES_LEFT: "All attempts of the policy were made.",
  NOT_WORTH_RETRYING:
    "No attempt that is left would on average recover its cost, by the model and the policy's `retryCost`.",
  CANCELED: "The order or its subscription was cancelled, or the order was fully refunded.",
  PAID: "The order was paid.",
});

registerVocabularyEnum(AttemptKind, "AttemptKind", "Origin of a failed attempt.", {
  FIRST_FAILURE: "The failure that started the cover.",
  SCHEDULED: "An attempt on its scheduled date. In a shadow, an attempt on the caller's own schedule.",
  UNSCHEDULED: "An attempt that the merchant made outside of the schedule; none in a shadow.",
});

registerVocabularyEnum(
  ReasonClass,
  "ReasonClass",
  "Meaning of a decline for the next attempt, independent of the gateway's code.",
  {
    INSUFFICIENT_FUNDS: "The account has insufficient funds for now.",
    LIMIT_EXCEEDED: "A limit of amount or count is used up for now.",
    GENERIC_REFUSAL: "The issuer refused without a reason.",
    TECHNICAL: "The issuer or the connection to it was down.",
    SUSPECTED_FRAUD: "The issuer suspects fraud.",
    RESTRICTED: "The account cannot pay this way, or not yet.",
    FIX_DATA_FIRST: "The stored method is wrong or has expired.",
    CUSTOMER_MUST_ACT: "The payer must authenticate or unlock the card.",
    NEVER: "The issuer forbids another attempt.",
    ALREADY_PAID: "The order was paid before.",
    UNKNOWN: "The meaning of this code is not known yet.",
  },
);

registerVocabularyEnum(Network, "Network", "Card network of a payment attempt, or scheme of a direct debit.", {
  VISA: "Visa.",
  MASTERCARD: "Mastercard.",
  AMEX: "American Express.",
  OTHER: "Any other card network.",
  SEPA: "Direct debits of the single euro payments area.",
  ACH: "Direct debits of the automated clearing house in the United States.",
});
registerVocabularyEnum(Initiator, "Initiator", "Initiator of a payment attempt.", {
  MERCHANT: "The merchant, while the payer is not present: a renewal or a retry.",
  CUSTOMER: "The payer, in a checkout.",
});
registerVocabularyEnum(RetryPlanKind, "RetryPlanKind", "Kind of plan by which the attempts of a cover are scheduled.", {
  LADDER: "Fixed numbers of days after the first failure, at the local time of day of that failure.",
  EVEN: "A number of attempts, spread evenly over a window.",
  SMART:
    "A number of attempts at times that a model chooses: the hour with the best chance before the even time, or the even time where no hour is known to be better.",
});

registerVocabularyEnum(PolicyState, "PolicyState", "Status of a vendor's own policy. Its terms never change.", {
  PROPOSED: "Stored, but not applied to covers yet.",
  ACTIVE: "Applied to new covers.",
  RETIRED: "Not applied to new covers any more. Covers that started with it continue with it.",
});

registerVocabularyEnum(PolicyOrigin, "PolicyOrigin", "Source of the policy for new covers.", {
  OWN: "The vendor's own active policy.",
  PARENT: "The active policy of the parent vendor.",
  DEFAULT: "The default policy, because no policy is active.",
});

registerVocabularyEnum(ExperimentState, "ExperimentState", "State of an experiment. A stopped one never runs again.", {
  RUNNING: "The arms choose the policy of new covers.",
  STOPPED: "The active policy applies to new covers again.",
});

registerVocabularyEnum(
  CoversInProgress,
  "CoversInProgress",
  "Policy of covers in progress after their experiment has ended.",
  {
    KEEP_POLICY: "They keep the policy of their arm.",
    USE_ACTIVE_POLICY:
      "They go over to the active policy with their next decision. A date that was returned stays, and so does their arm in the results.",
  },
);

registerVocabularyEnum(ExperimentResult, "ExperimentResult", "What the interval of a difference says.", {
  BETTER: "The whole interval is above 0: the arm recovers more than the holdout.",
  WORSE: "The whole interval is below 0: the arm recovers less than the holdout.",
  UNDECIDED: "The interval contains 0: the difference can be chance.",
});

registerVocabularyEnum(
  NoComparisonReason,
  "NoComparisonReason",
  "Reason why a period cannot be compared with a holdout.",
  {
    NO_EXPERIMENT: "No experiment of the vendor had covers in the period.",
    TOO_FEW_PAYERS:
      "The holdout or an arm has fewer than 50 payers with covers that are old enough, or no cover of the period is old enough.",
  },
);

registerVocabularyEnum(FinalAction, "FinalAction", "Action for the subscription after the last attempt failed.", {
  KEEP: "Nothing changes: the merchant decides.",
  PAUSE: "The subscription is paused until it is activated.",
  EXPIRE: "The subscription expires. Activating it undoes that.",
  CANCEL: "The subscription is cancelled. Activating it undoes that.",
});

registerVocabularyEnum(FactorKind, "RetryFactorKind", "What moved the model's choice of a time.", {
  MONTHLY_INCOME:
    "Income that arrives on a day of the month, on the bank day before it if banks are closed. `value` is the day; 31 is the last day of the month.",
  WEEKLY_INCOME: "Income that arrives on a weekday. `value` is the weekday, 1 for Monday.",
  HOUR: "The hour of the payer's day. `value` is the hour, 0 to 23.",
  WEEKDAY: "The weekday, and the weekday with its hour. `value` is the weekday, 0 for Sunday.",
  BANK_DAY: "Whether banks of the payer's country work on the day. `value` is 1 if they do, else 0.",
  DAY_OF_MONTH: "The day of the month. `value` is the day.",
  SINCE_LAST_ATTEMPT: "The time since the last attempt.",
  SINCE_FIRST_FAILURE: "The time since the first failure.",
  FREQUENCY: "The number of attempts within seven days, which issuers count.",
  REPEATED_TIME: "Whether earlier attempts failed at the same hour or weekday.",
  ADVICE: "The network's advice, and whether its time has come.",
  NEXT_ATTEMPT:
    "The attempt after the chosen one: a better time of it, such as a payday, would be too close to a later one. `odds` is by what those of that attempt are multiplied.",
});

registerVocabularyEnum(ModelFallbackReason, "ModelFallbackReason", "Reason why a model does not decide.", {
  OFF: "The policy uses no model.",
  MISSING: "The model does not exist any more, or this version of the gateway cannot read it.",
  STALE: "The model was trained more than 45 days ago, and no attempt has had a result for 45 days.",
  MISCALIBRATED: "In at most 30 days, its probabilities proved wrong by more than 5 percentage points.",
  WORSE_THAN_COUNTING:
    "In at most 30 days, the shares of approvals by class of decline and number of the attempt predicted better, even with its probabilities moved by 5 percentage points in its favour.",
});

registerVocabularyEnum(ModelSource, "ModelSource", "What decides under SMART, by where it comes from.", {
  VENDOR: "The model that was trained on the retries of the vendor's family.",
  COUNTRY:
    "The model that was pooled from the retries of at least five families that share theirs, for the country of the family's parent vendor.",
  PUBLISHED: "The model that ships with this version of the gateway.",
  EVEN: "No model: the even schedule.",
});

registerVocabularyEnum(ModelStatusReason, "ModelStatusReason", "Reason why something decides under SMART.", {
  TRAINED: "It is the family's newest model, and nothing speaks against it.",
  NOT_TRAINED: "No model of the family has become active yet.",
  PINNED: "The active policy names it.",
  NOT_SMART: "It would decide, but the active policy plans without SMART.",
  OFF: "The active policy uses no model.",
  MISSING: "The model that should decide does not exist any more, or this version of the gateway cannot read it.",
  STALE: "The model that should decide is older than 45 days, and there were no results for 45 days.",
  MISCALIBRATED: "The probabilities of the model that should decide were wrong in at most 30 days.",
  WORSE_THAN_COUNTING: "Counting predicted better than the model that should decide in at most 30 days.",
});

registerVocabularyEnum(NoFigureReason, "NoFigureReason", "Reason why a backtest or a shadow report gives no figure.", {
  TOO_FEW_CASES:
    "Fewer than 100 finished cases of the period can be used, or they are of fewer than 30 payers. A shadow report also needs 50 cases with an approved retry, 50 with none, and an effective sample size of 50.",
  NO_OVERLAP:
    "The recorded attempts hardly ever are those of the proposed policy. In a backtest, the effective sample size is below 50, or more than 5 % of its choices were never possible; in a shadow report, more than a tenth of what the advice would recover comes from attempts of which the own schedule has no like.",
});

registerVocabularyEnum(EffectKind, "EffectKind", "A step that led to a decision.", {
  SCHEDULE: "The policy planned this time.",
  KEPT: "An earlier call returned this date, and it stays.",
  FALLBACK: "The model that should decide did not, so another one or the even schedule applies.",
  CLASS_DELAY: "The meaning of the decline requires a longer delay.",
  QUIET_HOURS: "The time fell into the payer's quiet hours.",
  RULEBOOK: "A network's rule requires a longer delay, or forbids all further attempts.",
  REASON: "The meaning of the decline excludes a further attempt.",
  PAID_ELSEWHERE: "The payment was approved elsewhere.",
  CLASS_CAP: "The attempts that this class of declines allows are used up.",
  BUDGET: "The attempts of the policy are used up, or none of its times is left.",
  WINDOW: "The next allowed time is after the policy's window.",
  TRY_PRICE: "No attempt that is left would on average recover its cost.",
});

registerVocabularyEnum(TrainingState, "TrainingState", "State of the training of a recovery model.", {
  REQUESTED: "A worker will run the training.",
  RUNNING: "A worker is running the training. If the worker stops, another one runs it.",
  DONE: "The training has a result.",
  FAILED: "The training ended without a result. The model in force stays.",
});

registerVocabularyEnum(TrainingTrigger, "TrainingTrigger", "Origin of the training of a recovery model.", {
  NIGHT: "The family had new covers since its last training.",
  REQUEST: "The merchant requested the training.",
});

registerVocabularyEnum(PoolingResult, "PoolingResult", "Result of pooling the retries of a country's vendors.", {
  ACTIVATED: "The pooled model predicted vendors that it was not fitted on better than the published one, and decides.",
  TOO_FEW_VENDORS:
    "Fewer than five families with at least 100 retries in the country share theirs. The country has no model.",
  NOT_BETTER: "The pooled model did not predict vendors that it was not fitted on better. The country has no model.",
  BADLY_CALIBRATED: "The probabilities of the pooled model were too far from the results. The country has no model.",
});

registerVocabularyEnum(TrainingResult, "TrainingResult", "Result of the training of a recovery model.", {
  ACTIVATED: "The new model predicted the newest retries better, and decides from now on.",
  NOT_BETTER: "The new model did not predict the newest retries better. The model in force stays.",
  BADLY_CALIBRATED: "The probabilities of the new model were too far from the results. The model in force stays.",
  TOO_FEW_TRIES: "There were fewer than 100 retries with known results.",
  TOO_FEW_NEW_TRIES: "There were fewer than 100 retries that the model in force had not seen.",
});
