import {
  GatewayAdapter,
  LedgerAccount,
  NoPaymentReason,
  PaymentGateway,
  PaymentMethod,
  PaymentState,
} from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* The words of payments as GraphQL enums, each with what it means. */

registerVocabularyEnum(
  PaymentGateway,
  "PaymentGateway",
  "Payment gateway of an order. PROVIDER_01 to PROVIDER_21 stand for external providers, whose names this interface does not carry.",
  {
    ...Object.fromEntries(Object.keys(PaymentGateway).map((word) => [word, `External provider ${word.slice(-2)}.`])),
    EMPTY: "None is needed.",
    UNKNOWN: "Not known.",
    HOUSE: "The service's own gateway.",
  },
);

registerVocabularyEnum(
  PaymentMethod,
  "PaymentMethod",
  "Way to pay. Those that end with BILL are stored and charged again later.",
  {
    CARD: "A card, this once.",
    VBANK: "A deposit into a virtual account that is made for the order.",
    BANK: "A deposit into the merchant's account.",
    BANK_TRANSFER: "A transfer that the customer's bank makes at once.",
    CELLPHONE: "The customer's phone bill, this once.",
    SIMPLE_PAY: "A simple-payment service.",
    CMS: "A debit from the customer's account, this once.",
    CARD_BILL: "A stored card.",
    CELLPHONE_BILL: "The customer's phone bill, again and again.",
    CMS_BILL: "A debit from the customer's account, again and again.",
    ONLINE_WALLET: "A global online wallet, whose name this interface does not carry.",
  },
);

registerVocabularyEnum(PaymentState, "PaymentState", "How far a payment or a refund has come.", {
  PENDING: "It is under way, or waits for the payer.",
  SUCCEEDED: "The money moved.",
  FAILED: "The money did not move.",
  UNKNOWN: "The gateway has not told what became of it; it is asked again.",
});

registerVocabularyEnum(
  NoPaymentReason,
  "NoPaymentReason",
  "Why a mutation that charges at once answers without a payment.",
  {
    NOTHING_DUE: "Nothing was to be paid.",
    NO_STORED_METHOD: "The subscription has no stored method to charge. The payer pays the order by its payment link.",
    DEFERRED:
      "The charge could not be made yet, for want of a payment gateway, stock or a price. The timeline has the reason, and the worker makes it later.",
  },
);

registerVocabularyEnum(GatewayAdapter, "GatewayAdapter", "What speaks to a payment gateway.", {
  SIMULATED: "A gateway that charges nobody: the number of a test card says what happens.",
});

registerVocabularyEnum(LedgerAccount, "LedgerAccount", "Accounts of the ledger. The entries of an order sum to zero.", {
  CLEARING: "What gateways hold for the merchant.",
  SALES: "What orders brought; below zero, because it is where the money came from.",
  REFUNDS: "What was given back.",
});
