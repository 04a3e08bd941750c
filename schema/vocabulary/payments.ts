import { numberedValues, enumOf } from "./words.ts";

/** The 24 payment gateways: none, not known, the service's own, and 21 external providers. */
export const PaymentGateway = enumOf("EMPTY", "UNKNOWN", "HOUSE", ...numberedValues("PROVIDER", 21));
export type PaymentGateway = keyof typeof PaymentGateway;

/** Ways to pay. The last one stands for an online wallet whose name this interface does not carry. */
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

/** How far an attempt to charge, or a refund, has come. UNKNOWN is one whose outcome the gateway has not told: it is asked. */
export const PaymentState = enumOf("PENDING", "SUCCEEDED", "FAILED", "UNKNOWN");
export type PaymentState = keyof typeof PaymentState;

/** Why a change of a subscription has no payment. */
export const NoPaymentReason = enumOf("NOTHING_DUE", "NO_STORED_METHOD", "DEFERRED");
export type NoPaymentReason = keyof typeof NoPaymentReason;

/** The code that speaks to a gateway. */
export const GatewayAdapter = enumOf("SIMULATED");
export type GatewayAdapter = keyof typeof GatewayAdapter;

/** Accounts of the ledger: what gateways hold for the merchant, what orders brought, what was given back. */
export const LedgerAccount = enumOf("CLEARING", "SALES", "REFUNDS");
export type LedgerAccount = keyof typeof LedgerAccount;
