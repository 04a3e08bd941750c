import { numberedValues, enumOf } from "./words.ts";

/** The 24 payment gateways: none, not known, the service's own, and 21 external providers. */
export const PaymentGateway = enumOf("EMPTY", "UNKNOWN", "HOUSE", ...numberedValues("PROVIDER", 21));
export type PaymentGateway = keyof typeof PaymentGateway;

/** Payment methods. The last one represents an online wallet whose name this interface does not have. */
export const PaymentMethod = enumOf(
  "CARD",
  "VBANK",
  "BANK",
  "BANK_TRANSFER",
  "CELLPHONE",
  "SIMPLE_PAY",
  "CMS",
  "CARD_BILL",
  "CELLPHONE_BILL",
  "CMS_BILL",
  "ONLINE_WALLET",
);
export type PaymentMethod = keyof typeof PaymentMethod;

/**
 * The state of an attempt to charge, or of a refund. UNKNOWN is one whose outcome the gateway has not reported: it is
 * looked up.
 */
export const PaymentState = enumOf("PENDING", "SUCCEEDED", "FAILED", "UNKNOWN");
export type PaymentState = keyof typeof PaymentState;

/** The reason why a change of a subscription has no payment. */
export const NoPaymentReason = enumOf("NOTHING_DUE", "NO_STORED_METHOD", "DEFERRED");
export type NoPaymentReason = keyof typeof NoPaymentReason;

/** The adapter for a gateway. */
export const GatewayAdapter = enumOf("SIMULATED", "STRIPE", "TOSS");
export type GatewayAdapter = keyof typeof GatewayAdapter;

/** Whether the credentials of a gateway account charge real money. */
export const GatewayMode = enumOf("TEST", "LIVE");
export type GatewayMode = keyof typeof GatewayMode;

/** The state of a dispute: the bank holds its amount, gave it back, or kept it. */
export const DisputeState = enumOf("OPEN", "WON", "LOST");
export type DisputeState = keyof typeof DisputeState;

/** Accounts of the ledger: balances at gateways, revenue of orders, refunds, amounts held by disputes, and lost by them. */
export const LedgerAccount = enumOf("CLEARING", "SALES", "REFUNDS", "DISPUTES", "LOSSES");
export type LedgerAccount = keyof typeof LedgerAccount;
