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

/* The words of products and price plans as GraphQL enums, each with what it means. */

registerVocabularyEnum(ProductType, "ProductType", "Kind of a product.", {
  BOX: "Goods that are shipped.",
  SOFTWARE: "A service; nothing is shipped.",
  BUNDLE: "Several products that are sold together.",
  INVOICE: "Made for a line of an invoice that names no product.",
  DRAFT: "Drafted by a child vendor; its parent has not approved it yet.",
});

registerVocabularyEnum(ProductStatus, "ProductStatus", "State of a product.", {
  SALE: "It can be ordered.",
  OUT_OF_STOCK: "The stock has run out; it can be ordered again when there is more.",
  UNSOLD: "It is not listed and cannot be ordered.",
  WAITING_APPROVAL: "A child vendor has submitted it; the parent decides.",
  REJECTED: "The parent vendor has rejected it and said why.",
});

registerVocabularyEnum(PricePlanType, "PricePlanType", "How a price plan comes to what is to be paid.", {
  ONE_TIME: "The price, once.",
  FLAT: "The price, each cycle.",
  UNIT_BASED: "By units, such as accounts, for the part of the cycle in which each was there.",
  USAGE_BASED: "By what was used in the cycle.",
  VOLUME_BASED: "The whole quantity at the price of the range that it falls in.",
  BUNDLE: "The prices of a bundle, whatever its members cost alone.",
});

registerVocabularyEnum(ClaimMethodType, "ClaimMethodType", "When a plan is charged, seen from its period.", {
  PRE: "Prepaid: when the period starts.",
  POST: "Postpaid: after the period has ended.",
});

registerVocabularyEnum(WhenToClaimType, "WhenToClaimType", "On which day a postpaid plan is charged.", {
  FIRST_PAYMENT: "On the day of the month of the first payment.",
  DATE: "On a fixed day of the following month.",
});

registerVocabularyEnum(
  SetupOptionType,
  "SetupOptionType",
  "How often a set-up fee, a base fee or a priced option is charged.",
  {
    INITIALLY: "Once, with the first payment.",
    PERIODIC: "Each cycle.",
  },
);

registerVocabularyEnum(AdditionalBillingType, "AdditionalBillingType", "How the ranges of a plan by usage count.", {
  USAGE_BASED_WITH_RANGE: "Each unit at the price of the range that it falls in.",
  USAGE_BASED_WITH_RANGE_AND_FIXED_PRICE: "One fixed amount: that of the range which the usage reaches.",
});

registerVocabularyEnum(AggregateUsageType, "AggregateUsageType", "What the usage records of a cycle come to.", {
  SUM: "Their sum.",
  MAX: "The highest of them.",
  LAST_DURING_PERIOD: "The last of them; 0 where the cycle has none.",
  LAST_EVER: "The last record so far, also where an earlier cycle has it; 0 where there is none.",
});

registerVocabularyEnum(UsageType, "UsageType", "What a plan by usage counts.", {
  LICENSED: "The quantity that was ordered, used or not.",
  METERED: "What was used, as it was recorded.",
});
