import {
  AdditionalBillingType,
  AggregateUsageType,
  ClaimMethodType,
  PricePlanType,
  ProductStatus,
  ProductType,
  SetupOptionType,
  UsageType,
  WhenToClaimType,
} from "../../schema/vocabulary.ts";
import { registerVocabularyEnum } from "../graphql/register-enum.ts";

/* The GraphQL enums of products and price plans, with a description of each value. */

registerVocabularyEnum(ProductType, "ProductType", "Type of a product.", {
  BOX: "Goods that are shipped.",
  SOFTWARE: "A service, which is not shipped.",
  BUNDLE: "Several products that are sold together.",
  INVOICE: "A product that was created for a line of an invoice without a product.",
  DRAFT: "A draft of a child vendor, which its parent has not approved yet.",
});

registerVocabularyEnum(ProductStatus, "ProductStatus", "State of a product.", {
  SALE: "The product can be ordered.",
  OUT_OF_STOCK: "The product has no stock. It can be ordered again when stock is added.",
  UNSOLD: "The product is not listed and cannot be ordered.",
  WAITING_APPROVAL: "A child vendor submitted the product, and its parent has not decided yet.",
  REJECTED: "The parent vendor rejected the product and gave a reason.",
});

registerVocabularyEnum(PricePlanType, "PricePlanType", "Formula by which a price plan computes its charge.", {
  ONE_TIME: "The price, charged once.",
  FLAT: "The price, charged in each cycle.",
  UNIT_BASED: "Charged by units, such as accounts, for the part of the cycle in which each unit existed.",
  USAGE_BASED: "Charged by the usage of the cycle.",
  VOLUME_BASED: "The price of the range that contains the quantity, for the whole quantity.",
  BUNDLE: "The price of a bundle, independent of its members' prices.",
});

registerVocabularyEnum(ClaimMethodType, "ClaimMethodType", "Time at which a plan is charged, relative to its period.", {
  PRE: "Prepaid: at the start of the period.",
  POST: "Postpaid: after the end of the period.",
});

registerVocabularyEnum(WhenToClaimType, "WhenToClaimType", "Day on which a postpaid plan is charged.", {
  FIRST_PAYMENT: "On the day of the month of the first payment.",
  DATE: "On a fixed day of the following month.",
});

registerVocabularyEnum(
  SetupOptionType,
  "SetupOptionType",
  "Frequency of a set-up fee, a base fee or a priced option.",
  {
    INITIALLY: "Once, with the first payment.",
    PERIODIC: "In each cycle.",
  },
);

registerVocabularyEnum(
  AdditionalBillingType,
  "AdditionalBillingType",
  "Meaning of the price ranges of a plan by usage.",
  {
    USAGE_BASED_WITH_RANGE: "Each unit has the price of the range that it falls in.",
    USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE: "One fixed amount: the price of the highest range that the usage reaches.",
  },
);

registerVocabularyEnum(AggregateUsageType, "AggregateUsageType", "Aggregation of the usage records of a cycle.", {
  SUM: "The sum of the records.",
  MAX: "The highest record.",
  LAST_DURING_PERIOD: "The last record of the cycle. 0 if the cycle has none.",
  LAST_EVER: "The last record so far, including earlier cycles. 0 if there is none.",
});

registerVocabularyEnum(UsageType, "UsageType", "Quantity that a plan by usage charges.", {
  LICENSED: "The ordered quantity, used or not.",
  METERED: "The recorded usage.",
});
