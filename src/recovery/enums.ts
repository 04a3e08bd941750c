import {
  AttemptKind,
  CoverEndReason,
  CoverEventType,
  CoverOrderStatus,
  CoverState,
  CoverSubscriptionStatus,
  EffectKind,
  FinalAction,
  Initiator,
  Network,
  PlanKind,
  PolicyOrigin,
  PolicyState,
  ReasonClass,
} from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* The words of the recovery module as GraphQL enums, each with what it means. */

registerVocabularyEnum(
  CoverOrderStatus,
  "CoverOrderStatus",
  "State of an order that was paid, or should have been, elsewhere.",
  {
    CREATED: "Registered; nothing is known of a payment.",
    PAID: "The money came.",
    PAYMENT_FAILURE: "The payment failed; a cover runs on it or has ended.",
    CANCELED: "It will not be paid any more.",
    CANCEL_REQ: "The customer asked to cancel after paying.",
    CHANGE_REQ: "The customer asked for an exchange.",
    CHANGE_PROCESS: "The exchange is under way.",
    CHANGED: "The exchange is done.",
    RETURN_REQ: "The customer asked to return it.",
    RETURN_PROCESS: "The return is under way.",
    RETURNED: "The return is done.",
    PREPARING: "It is made ready to be sent.",
    SHIPPING: "It is on its way.",
    FULFILLED: "It was delivered.",
    FULL_REFUND: "All the money went back.",
    PARTIAL_REFUND: "Part of the money went back.",
  },
);

registerVocabularyEnum(
  CoverSubscriptionStatus,
  "CoverSubscriptionStatus",
  "State of a subscription that is charged elsewhere.",
  {
    ACTIVE: "It runs.",
    UNPAID: "A cover is recovering a payment of it.",
    PAUSE: "The recovery policy paused it after its last try.",
    EXPIRED: "The recovery policy let it expire after its last try.",
    CANCELED: "It was cancelled; activating it undoes that.",
  },
);

registerVocabularyEnum(CoverState, "CoverState", "State of a cover. An ended cover never changes again.", {
  IN_PROGRESS: "The next try is known and awaited.",
  RECOVERED: "The money came.",
  EXHAUSTED: "Every try was spent, or the time for them is over.",
  STOPPED: "It was cancelled, or the decline said that no further try makes sense.",
});

registerVocabularyEnum(CoverEndReason, "CoverEndReason", "Why a cover ended.", {
  MUST_NOT_RETRY: "The decline forbids another try: a lost or stolen card, a closed account.",
  NEEDS_NEW_METHOD: "The stored method cannot work: expired, wrong number. Renew it and report it.",
  NEEDS_CUSTOMER: "The payer must act first: authenticate, unlock the card.",
  ALREADY_PAID: "The gateway says that it was paid before: look the first payment up.",
  WINDOW_OVER: "The time for tries is over.",
  NO_TRIES_LEFT: "Every try of the policy was made.",
  CANCELED: "The order or its subscription was cancelled, or the order was fully refunded.",
  PAID: "The money came.",
});

registerVocabularyEnum(AttemptKind, "AttemptKind", "How a failed attempt came about.", {
  FIRST_FAILURE: "The failure that opened the cover.",
  SCHEDULED: "The try on its date.",
  UNSCHEDULED: "A try that the merchant made besides the schedule.",
});

registerVocabularyEnum(
  ReasonClass,
  "ReasonClass",
  "What a decline means for the next try, whatever the gateway called it.",
  {
    INSUFFICIENT_FUNDS: "Not enough money now.",
    LIMIT_EXCEEDED: "A limit of amount or count is used up for now.",
    GENERIC_REFUSAL: "The issuer refused without saying why.",
    TECHNICAL: "The issuer or the way to it was down.",
    SUSPECTED_FRAUD: "The issuer suspects fraud.",
    RESTRICTED: "The account may not pay this way, or not yet.",
    FIX_DATA_FIRST: "The stored method is wrong or has expired.",
    CUSTOMER_MUST_ACT: "The payer must authenticate or unlock the card.",
    NEVER: "Another try is forbidden.",
    ALREADY_PAID: "It was paid before.",
    UNKNOWN: "Nobody has said yet what this code means.",
  },
);

registerVocabularyEnum(Network, "Network", "Card network of a payment attempt, or the scheme of a bank debit.", {
  VISA: "Visa.",
  MASTERCARD: "Mastercard.",
  AMEX: "American Express.",
  OTHER: "Any other card network.",
  SEPA: "Direct debits of the single euro payments area.",
  ACH: "Direct debits of the automated clearing house in the United States.",
});
registerVocabularyEnum(Initiator, "Initiator", "Who set off a payment attempt.", {
  MERCHANT: "The merchant, without the payer being present: a renewal, a retry.",
  CUSTOMER: "The payer, in a checkout.",
});
registerVocabularyEnum(PlanKind, "PlanKind", "How the tries of a cover are spread.", {
  LADDER: "So many days after the first failure, at that failure's local time of day.",
  EVEN: "So many tries, evenly over a window.",
  SMART: "As many tries, at times that a model chooses; without one, the even ones.",
});

registerVocabularyEnum(
  PolicyState,
  "PolicyState",
  "How far a policy of the vendor's own has come. What it says never changes.",
  {
    PROPOSED: "Written down; no cover is run by it yet.",
    ACTIVE: "New covers are run by it.",
    RETIRED: "New covers are not run by it any more; those that began with it go on with it.",
  },
);

registerVocabularyEnum(PolicyOrigin, "PolicyOrigin", "Where the policy of new covers comes from.", {
  OWN: "The vendor's own active policy.",
  PARENT: "The active policy of the vendor above.",
  DEFAULT: "The default, because nobody has activated one.",
});

registerVocabularyEnum(
  FinalAction,
  "FinalAction",
  "What becomes of the subscription when trying is over without the money.",
  {
    KEEP: "Nothing: the merchant decides.",
    PAUSE: "It is paused until it is activated.",
    EXPIRE: "It expires; activating it undoes that.",
    CANCEL: "It is cancelled; activating it undoes that.",
  },
);

registerVocabularyEnum(EffectKind, "EffectKind", "A step that led to a decision.", {
  SCHEDULE: "The policy's next planned time.",
  KEPT: "A date that was answered before stays.",
  FALLBACK: "There was no model to ask, so the even schedule holds.",
  CLASS_DELAY: "What the decline means asks for a longer wait.",
  QUIET_HOURS: "The time lay in the payer's quiet hours.",
  RULEBOOK: "A network's rule asks for a longer wait, or forbids every further try.",
  REASON: "The decline means that no further try makes sense.",
  PAID_ELSEWHERE: "The payment was approved elsewhere.",
  CLASS_CAP: "The tries that this class of declines allows are spent.",
  BUDGET: "The tries of the policy are spent, or none of its times is left.",
  WINDOW: "The next legal time lies after the policy's window.",
});

registerVocabularyEnum(CoverEventType, "CoverEventType", "What a timeline of the recovery module tells.", {
  ORDER_REGISTERED: "The merchant registered the order.",
  ORDER_UPDATED: "The merchant replaced the order's fields.",
  ORDER_STATUS_CHANGED: "The order moved to another state.",
  ORDER_PAID: "The merchant told that the order was paid.",
  ORDER_CANCELED: "The merchant cancelled the order.",
  LATE_PAYMENT: "The order was paid although it had been cancelled.",
  PAYMENT_METHOD_CHANGED: "The payer renewed the payment method.",
  RECOVERY_STARTED: "A cover started.",
  RECOVERY_ATTEMPT_FAILED: "A retry failed.",
  RECOVERY_RETRY_MOVED:
    "The date of a retry came, and it was not made: other tries with the same card had used a network's limit up.",
  RECOVERY_RECOVERED: "The cover ended because the money came.",
  RECOVERY_EXHAUSTED: "The cover ended because its tries are spent.",
  RECOVERY_STOPPED: "The cover was stopped, by a cancellation or by what the decline means.",
  SUBSCRIPTION_REGISTERED: "The merchant registered the subscription.",
  SUBSCRIPTION_UPDATED: "The merchant replaced the subscription's fields.",
  SUBSCRIPTION_CANCELED: "The subscription was cancelled.",
  SUBSCRIPTION_ACTIVATED: "The subscription runs again: its cancellation, pause or expiry was undone.",
  SUBSCRIPTION_PAUSED: "The recovery policy paused the subscription after its last try.",
  SUBSCRIPTION_EXPIRED: "The recovery policy let the subscription expire after its last try.",
});
