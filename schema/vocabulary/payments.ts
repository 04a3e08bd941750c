import { numbered, words } from "./words.ts";

/** The 24 payment gateways: none, not known, the service's own, and 21 external providers. */
export const PaymentGateway = words("EMPTY", "UNKNOWN", "HOUSE", ...numbered("PROVIDER", 21));
export type PaymentGateway = keyof typeof PaymentGateway;

/** Ways to pay. The last one stands for an online wallet whose name this interface does not carry. */
export const PaymentMethod = words(
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
