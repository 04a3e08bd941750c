/**
 * Three ways in which work can end badly, and only three:
 * a Refusal (the caller can act), a bug (an invariant fails), an outage (everything else).
 */

/** What the caller may do about a refusal; each protocol has one table that translates it. */
export type RefusalKind = "invalid" | "denied" | "missing" | "conflict" | "mismatch" | "excess";

/** Every code that a refusal can carry, with its meaning. The codes are stable: callers branch on them. */
export const refusalCodes = {
  INVALID_ARGUMENT:
    "A value of the request is missing, of the wrong type or outside its range; `details.fields` names each.",
  MALFORMED_JSON: "The body is not JSON.",
  TOKEN_MISSING: "The request has no Secret-Token header.",
  TOKEN_INVALID: "The Secret-Token is not known, or it was revoked.",
  VENDOR_DISABLED: "The vendor that the Secret-Token belongs to is disabled.",
  NOT_FOUND: "There is no such path, or nothing of the vendor's has this id.",
  METHOD_NOT_ALLOWED: "The path exists, but not with this method; the Allow header lists the methods it has.",
  UNSUPPORTED_MEDIA_TYPE: "The body is not sent as application/json in UTF-8.",
  PAYLOAD_TOO_LARGE: "The body is larger than this service reads.",
  CUSTOMER_NOT_FOUND: "The vendor has no customer with this id.",
  PRODUCT_NOT_FOUND: "The vendor has no product with this id.",
  PRICE_NOT_FOUND: "The vendor has no price plan with this id.",
  ORDER_NOT_FOUND: "The vendor has no order with this id.",
  ORDER_ITEM_NOT_FOUND: "The vendor has no order item with this id.",
  PAYMENT_NOT_FOUND: "The vendor has no payment with this id.",
  PAYMENT_METHOD_NOT_FOUND: "The order's customer has no stored payment method with this id, or it was removed.",
  NO_PAYMENT_GATEWAY:
    "The vendor has no payment gateway that takes this method and currency; set one up with configurePaymentGateway.",
  PAYMENT_METHOD_NOT_ALLOWED: "The order cannot be paid in this way; `allowedPaymentMethods` names the ways it can.",
  PAYMENT_IN_PROGRESS:
    "A payment of the order, or of a change of the subscription, is under way; wait for it, or look at `payment` of the order.",
  TOO_MANY_DECLINES:
    "Ten payments of the order by cards that its payer typed failed within a day; it takes no more cards until the day is over, but any other way.",
  PRICE_CHANGED: "The sum to be paid is not the one that the payer agreed to; show the new one, and pay that.",
  ORDER_NOT_PAYABLE: "The order is cancelled, refunded or past its deadline, so that it cannot be paid.",
  NO_DEPOSIT_AWAITED: "No deposit is awaited for the order.",
  DEPOSIT_NOT_ARRIVED: "The gateway says that the deposit has not arrived yet.",
  REFUND_TOO_HIGH: "More would be given back than was paid and not given back yet.",
  REFUND_IN_PROGRESS: "A refund of the order is under way; wait for it.",
  CALLBACK_REFUSED: "A callback of a payment gateway is not signed as it should be, or too old.",
  INVOICE_NOT_FOUND: "The vendor has no invoice with this id.",
  SUBSCRIPTION_NOT_FOUND: "The vendor has no subscription with this id.",
  POLICY_NOT_FOUND: "The vendor has no recovery policy of its own with this id.",
  DECISION_NOT_REPLAYABLE:
    "The decision was taken by a rulebook, a decline table, a model or an engine that this version of the gateway does not have.",
  DECLINE_CODE_KNOWN: "The meaning of the code is told by its gateway or by the card networks, so it cannot be mapped.",
  SUBSCRIPTION_ITEM_NOT_FOUND: "The subscription has no item with this code.",
  SUBSCRIPTION_NOT_RUNNING:
    "The subscription is paused, unpaid, being charged or over; what it consists of is changed while it runs.",
  DUPLICATE_PARTNER_ID:
    "The partner id is registered already; `details.id` is the record that has it. Send replaceIfExists to update it.",
  ALREADY_TAKEN: "Another record of the vendor has this name; `details.fields` names the value.",
  ORDER_NOT_RECOVERABLE: "The order is paid, cancelled or refunded, so there is nothing to recover.",
  ORDER_ALREADY_PAID: "The order is paid; refund it instead of cancelling it.",
  SUBSCRIPTION_CANCELED: "The subscription is cancelled; activate it before starting a recovery.",
  SUBSCRIPTION_MISMATCH: "The order and the subscription belong to different subscriptions or customers.",
  PRODUCT_NOT_ORDERABLE: "The product is not on sale, so it cannot be ordered.",
  REGION_NOT_SOLD: "The product is not sold in the region of the order.",
  OUT_OF_STOCK: "There is less of the product left than is ordered.",
  WAITING_APPROVAL: "The product waits for the parent vendor's decision and cannot be changed until then.",
  CURRENCY_MISMATCH:
    "The child's base currency is not its parent's, so that the prices of its product would mean something else there.",
  NO_PARENT_VENDOR: "The vendor has no parent that could approve a product.",
  QUANTITY_LIMIT: "More than the plan's maximumPurchaseQuantity; order fewer at once.",
  ALREADY_SUBSCRIBED: "The customer has a live subscription of a product that allows only one.",
  INVOICE_NOT_A_DRAFT: "The invoice is no draft any more; only a draft can be changed or deleted.",
  QUANTITY_NOT_PRICED: "The plan has no price for this quantity: it lies outside every range of its volumes.",
  NO_EXCHANGE_RATE:
    "Something has no price in this currency, and the vendor has no exchange rate to it; set one with setExchangeRate.",
  QUOTA_EXCEEDED: "More units would be used than the quota allows; raise the quota first.",
  UNITS_BELOW_ZERO: "The used or the allowed units would fall below zero.",
  AMOUNT_TOO_HIGH: "What is ordered comes to more than 15 digits can tell; order less at once.",
  DISCOUNT_TOO_HIGH: "The discount is larger than what it is taken from.",
  COVER_IN_PROGRESS: "A recovery scenario is running, so the order cannot move to another customer or subscription.",
  ILLEGAL_TRANSITION: "The state machine has no such move; `details.legal` lists the moves it has.",
  SECRETS_KEY_MISSING:
    "A secret would have to be stored or a link signed, and the gateway has no key for it: its operator has not set SECRETS_KEY.",
  CURRENCY_LOCKED:
    "The vendor has amounts in its base currency (prices, orders, exchange rates), or locked it, so another one would make them wrong.",
  IDEMPOTENCY_KEY_IN_USE: "A request with this idempotency key is still running; send it again in a moment.",
  IDEMPOTENCY_KEY_REUSED: "This idempotency key was sent with another request within 24 hours.",
  TOO_MANY_REQUESTS: "Too many wrong tokens came from this address; wait as long as Retry-After says.",
  QUERY_TOO_LONG: "The GraphQL document has more than 2,000 tokens.",
  QUERY_TOO_DEEP: "The GraphQL document is more than 12 levels deep.",
  TOO_MANY_ALIASES: "The GraphQL document has more than 30 aliases.",
  TOO_MANY_ROOT_FIELDS: "The GraphQL document has more than 10 root fields.",
  QUERY_TOO_COSTLY: "The slices of the GraphQL document could hold more than 50,000 rows; ask for smaller ones.",
  TEST_CLOCK_UNAVAILABLE: "Only a sandbox vendor without a parent can move its clock.",
  GRAPHQL_PARSE_FAILED: "The GraphQL document is not well-formed.",
  GRAPHQL_VALIDATION_FAILED: "The GraphQL document does not fit the schema.",
  BAD_REQUEST: "The HTTP request is not one that this service understands.",
  INTERNAL_ERROR: "Something failed on our side; quote the traceId.",
  UNAVAILABLE: "The service cannot reach its database; try again after Retry-After.",
} as const;
export type RefusalCode = keyof typeof refusalCodes;

/** One value that is wrong: where it stands in the request, why, and what to do. */
export interface FieldFault {
  path: string;
  code: "REQUIRED" | "INVALID_TYPE" | "INVALID_VALUE" | "NOT_FOUND";
  message: string;
}

/** Whether a sentence about a value says that it is of the wrong type, rather than out of range. */
export const isTypeFault = (message: string): boolean =>
  /^must be (?:a string|a whole number|a decimal number|a JSON object)\.$/.test(message);

export interface RefusalDetails {
  /** After how many seconds to try again. */
  retryAfter?: number;
  fields?: FieldFault[];
  /** The record that has the partner id already. */
  id?: number;
  /** The moves that the state machine does have. */
  legal?: readonly string[];
}

/** Why a request could not be honoured, in words that fit both protocols. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(
    readonly kind: RefusalKind,
    readonly code: RefusalCode,
    message: string,
    readonly details?: RefusalDetails,
  ) {
    super(message);
  }
}

/** The request is wrong as sent. */
export const invalid = (code: RefusalCode, message: string, details?: RefusalDetails) =>
  new Refusal("invalid", code, message, details);

/** Values of the request are wrong; the message is made from the first of them. */
export function invalidFields(faults: FieldFault[]): Refusal {
  const [first, ...others] = faults;
  invariant(first, "what is refused has a fault");
  const rest = others.length === 0 ? "" : ` Wrong values besides: ${others.length}.`;
  return invalid("INVALID_ARGUMENT", `${first.path || "The body"} ${first.message}${rest}`, { fields: faults });
}

/** One value of the request is wrong. */
export const invalidField = (path: string, message: string) =>
  invalidFields([{ path, code: "INVALID_VALUE", message }]);

/** What the request is about does not exist for this vendor. */
export const missing = (code: RefusalCode, message: string) => new Refusal("missing", code, message);

/** Something that the request refers to does not exist for this vendor. */
export const unknownReference = (code: RefusalCode, path: string, noun: string, name: "id" | "code" | "uuid" = "id") =>
  invalid(code, `There is no ${noun} with the ${name} given as ${path}.`, {
    fields: [{ path, code: "NOT_FOUND", message: `There is no ${noun} with this ${name}.` }],
  });

/** The caller may not do this. */
export const denied = (code: RefusalCode, message: string) => new Refusal("denied", code, message);

/** Something else is in the way at the moment. */
export const conflict = (code: RefusalCode, message: string) => new Refusal("conflict", code, message);

/** The request contradicts an earlier one. */
export const mismatch = (code: RefusalCode, message: string) => new Refusal("mismatch", code, message);

/** The caller asks too much or too often. */
export const excess = (code: RefusalCode, message: string, retryAfter: number) =>
  new Refusal("excess", code, message, { retryAfter });

/** States what must hold; a failure is a bug of ours, never the caller's doing. */
export function invariant(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${claim}`);
}
