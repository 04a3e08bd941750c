import {
  GatewayAdapter,
  GatewayMode,
  LedgerAccount,
  NoPaymentReason,
  PaymentGateway,
  PaymentMethod,
  PaymentState,
} from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* The GraphQL enums of payments, with a description of each value. */

registerVocabularyEnum(
  PaymentGateway,
  "PaymentGateway",
  "Payment gateway of an order. PROVIDER_01 to PROVIDER_21 are external providers, whose names this interface does not contain.",
  {
    ...Object.fromEntries(Object.keys(PaymentGateway).map((word) => [word, `External provider ${word.slice(-2)}.`])),
    EMPTY: "No gateway is needed.",
    UNKNOWN: "The gateway is not known.",
    HOUSE: "The service's own gateway.",
  },
);

registerVocabularyEnum(
  PaymentMethod,
  "PaymentMethod",
  "Payment method. Methods that end with BILL are stored and charged again later.",
  {
    CARD: "A card, charged once.",
    VBANK: "A deposit into a virtual account that is created for the order.",
    BANK: "A deposit into the merchant's account.",
    BANK_TRANSFER: "An instant transfer by the customer's bank.",
    CELLPHONE: "The customer's phone bill, charged once.",
    SIMPLE_PAY: "A simple-payment service.",
    CMS: "A direct debit from the customer's account, charged once.",
    CARD_BILL: "A stored card, charged repeatedly.",
    CELLPHONE_BILL: "The customer's phone bill, charged repeatedly.",
    CMS_BILL: "A direct debit from the customer's account, charged repeatedly.",
    ONLINE_WALLET: "A global online wallet, whose name this interface does not contain.",
  },
);

registerVocabularyEnum(PaymentState, "PaymentState", "State of a payment or a refund.", {
  PENDING: "In progress, or waiting for the payer.",
  SUCCEEDED: "Successful: the money was transferred.",
  FAILED: "Failed: no money was transferred.",
  UNKNOWN: "The outcome is unknown, because the gateway has not reported it. The gateway is asked again.",
});

registerVocabularyEnum(
  NoPaymentReason,
  "NoPaymentReason",
  "Reason why a mutation that charges at once returns no payment.",
  {
    NOTHING_DUE: "No amount was due.",
    NO_STORED_METHOD:
      "The subscription has no stored method to charge. The payer can pay the order by its payment link.",
    DEFERRED:
      "The charge is not possible yet, because a payment gateway, stock or a price is missing. The timeline has the reason, and the worker charges later.",
  },
);

registerVocabularyEnum(GatewayAdapter, "GatewayAdapter", "Adapter that connects to a payment gateway.", {
  SIMULATED: "A simulated gateway that charges nobody. The number of the test card selects the result.",
  STRIPE: "Stripe. Cards are typed on its own page; stored cards are charged by the merchant.",
  TOSS: "Toss Payments, for cards in South Korea. Stored cards are billing keys.",
});

registerVocabularyEnum(GatewayMode, "GatewayMode", "Mode of an account at a payment gateway.", {
  TEST: "The credentials are for tests: no real money is charged.",
  LIVE: "The credentials charge real money.",
});

registerVocabularyEnum(
  LedgerAccount,
  "LedgerAccount",
  "Accounts of the ledger. The entries of an order add up to zero.",
  {
    CLEARING: "Money that gateways hold for the merchant.",
    SALES: "Revenue of orders. Its entries are negative, because the money comes from this account.",
    REFUNDS: "Refunded money.",
    DISPUTES: "Money that banks hold while a dispute is open.",
    LOSSES: "Money that lost disputes took for good.",
  },
);
