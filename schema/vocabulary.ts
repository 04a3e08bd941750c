/**
 * Every closed list of words that someone outside this repository may meet.
 *
 * Names of companies do not occur: where the contract hides one, a neutral word stands for it, and an operator
 * who must be wire-exact maps it to the real word with a vocabulary file (see `rest-compat/README.md`).
 */

/** A frozen record from each word to itself: usable as a GraphQL enum, a column's set of values, and a type. */
function words<const W extends string>(...list: readonly W[]): { readonly [K in W]: K } {
  return Object.freeze(Object.fromEntries(list.map((word) => [word, word]))) as { readonly [K in W]: K };
}

const numbered = <const P extends string>(prefix: P, count: number): `${P}_${string}`[] =>
  Array.from({ length: count }, (_, index): `${P}_${string}` => `${prefix}_${String(index + 1).padStart(2, "0")}`);

/** Unit of a billing cycle. */
export const RecurringInterval = words("DAY", "WEEK", "MONTH", "YEAR");
export type RecurringInterval = keyof typeof RecurringInterval;

/** States of an order registered in the recovery module. */
export const CoverOrderStatus = words(
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
export const CoverSubscriptionStatus = words("ACTIVE", "UNPAID", "PAUSE", "EXPIRED", "CANCELED");
export type CoverSubscriptionStatus = keyof typeof CoverSubscriptionStatus;

/** States of a cover, that is, of one recovery scenario. */
export const CoverState = words("IN_PROGRESS", "RECOVERED", "EXHAUSTED", "STOPPED");
export type CoverState = keyof typeof CoverState;

/** Why a cover ended. */
export const CoverEndReason = words(
  "MUST_NOT_RETRY",
  "NEEDS_NEW_METHOD",
  "NEEDS_CUSTOMER",
  "ALREADY_PAID",
  "WINDOW_OVER",
  "NO_TRIES_LEFT",
  "CANCELED",
  "PAID",
);
export type CoverEndReason = keyof typeof CoverEndReason;

/** How an attempt came about: the failure that opened the cover, a try on its date, a try the merchant made besides. */
export const AttemptKind = words("FIRST_FAILURE", "SCHEDULED", "UNSCHEDULED");
export type AttemptKind = keyof typeof AttemptKind;

/** What a decline means for the next try, whatever the gateway called it. */
export const ReasonClass = words(
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

/** Card networks, as far as a caller knows them. */
export const Network = words("VISA", "MASTERCARD", "AMEX", "OTHER");
export type Network = keyof typeof Network;

/** Who set off a payment attempt. */
export const Initiator = words("MERCHANT", "CUSTOMER");
export type Initiator = keyof typeof Initiator;

/** Who did what a timeline tells. */
export const Actor = words("CUSTOMER", "MANAGER", "SYSTEM");
export type Actor = keyof typeof Actor;

/** What a timeline of the recovery module can tell. */
export const CoverEventType = words(
  "ORDER_REGISTERED",
  "ORDER_UPDATED",
  "ORDER_STATUS_CHANGED",
  "ORDER_PAID",
  "ORDER_CANCELED",
  "LATE_PAYMENT",
  "PAYMENT_METHOD_CHANGED",
  "RECOVERY_STARTED",
  "RECOVERY_ATTEMPT_FAILED",
  "RECOVERY_RECOVERED",
  "RECOVERY_EXHAUSTED",
  "RECOVERY_STOPPED",
  "SUBSCRIPTION_REGISTERED",
  "SUBSCRIPTION_UPDATED",
  "SUBSCRIPTION_CANCELED",
  "SUBSCRIPTION_ACTIVATED",
);
export type CoverEventType = keyof typeof CoverEventType;

/** The 24 payment gateways: none, not known, the service's own, and 21 external providers. */
export const PaymentGateway = words("EMPTY", "UNKNOWN", "HOUSE", ...numbered("PROVIDER", 21));
export type PaymentGateway = keyof typeof PaymentGateway;

/** Direction of a list. */
export const SortDirection = words("ASC", "DESC");
export type SortDirection = keyof typeof SortDirection;

/**
 * Field and parameter names of the contract that stand for a name which is hidden or was never shown.
 * A vocabulary file may map them even where no route uses them yet.
 */
export const hiddenFieldNames = [
  "paymentGateway",
  "region",
  "temporary",
  "marketingMessenger",
  "cmsIntegration",
  "realmIdentityProviderId",
  "checkFailBuilder",
] as const;

/** Enum values of the contract that stand for a hidden company name, by the list that they belong to. */
export const hiddenValues = {
  PaymentGateway: ["HOUSE", ...numbered("PROVIDER", 21)],
  PaymentMethod: ["ONLINE_WALLET"],
  PublishMethod: ["MESSENGER"],
} as const;
