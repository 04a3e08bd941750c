import { Field, InputType, Int, ObjectType } from "type-graphql";
import { DeliveryChargeType } from "../../schema/vocabulary.ts";
import type { Amount } from "../kernel/amounts.ts";
import {
  CountryCodeScalar,
  CurrencyScalar,
  DecimalScalar,
  EmailScalar,
  GraphQLUUID,
  LabelScalar,
  LineScalar,
  LinkScalar,
  NameScalar,
  ReturnUrlScalar,
  TextScalar,
  TimeZoneScalar,
} from "../graphql/scalars.ts";
import { Vendor } from "./vendor.type.ts";

/* The inputs of changes of a vendor. Absent fields keep their values. */

@InputType({ description: "Changes of the vendor. Absent fields keep their values." })
export class UpdateVendorInput {
  @Field(() => NameScalar, { nullable: true, description: "Name of the merchant." })
  name?: string | null;

  @Field(() => TextScalar, { nullable: true, description: "Description of the merchant." })
  description?: string | null;

  @Field(() => EmailScalar, { nullable: true, description: "E-mail address." })
  email?: string | null;

  @Field(() => LinkScalar, { nullable: true, description: "Contact address for customers." })
  contactUrl?: string | null;

  @Field(() => LinkScalar, { nullable: true, description: "Address of the merchant's picture." })
  featuredImageUrl?: string | null;

  @Field(() => CountryCodeScalar, { nullable: true, description: "ISO 3166-1 alpha-2 country code." })
  country?: string | null;

  @Field(() => CurrencyScalar, {
    nullable: true,
    description: "Base currency. Refused with CURRENCY_LOCKED if there are prices, orders or exchange rates.",
  })
  currency?: string | null;
}

@InputType({ description: "A time of day, in the vendor's time zone." })
export class TimeOfDayInput {
  @Field(() => Int, { description: "Hour, 0 to 23." })
  hour!: number;

  @Field(() => Int, { defaultValue: 0, description: "Minute, 0 to 59. Defaults to 0." })
  minute!: number;

  @Field(() => Int, { defaultValue: 0, description: "Second, 0 to 59. Defaults to 0." })
  second!: number;
}

@InputType({
  description: "Changes of the vendor's delivery fees. Amounts are in its base currency.",
})
export class DeliveryChargeInput {
  @Field(() => Boolean, { nullable: true, description: "True if orders use the default courier." })
  useDefaultCourier?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "True if delivery is charged." })
  useDeliveryCharge?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "True if remote places have a surcharge." })
  useLocalShipCharge?: boolean | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Surcharge for delivery to Jeju." })
  jejuShipAmount?: Amount | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Surcharge for delivery to islands and mountains." })
  islandAndMountainShipAmount?: Amount | null;

  @Field(() => LineScalar, { nullable: true, description: "The default courier. Null removes it." })
  defaultCourierId?: string | null;

  @Field(() => DeliveryChargeType, { nullable: true, description: "Rule by which delivery is charged." })
  deliveryChargeType?: DeliveryChargeType | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Delivery fee." })
  defaultDeliveryCharge?: Amount | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Amount of an order from which delivery is free." })
  freeShipOverAmount?: Amount | null;
}

@InputType({ description: "A clause of the terms that buyers accept." })
export class VendorTermInput {
  @Field(() => Boolean, { description: "True if buyers must accept the clause." })
  field!: boolean;

  @Field(() => LabelScalar, { description: "Heading of the clause." })
  title!: string;

  @Field(() => Int, { description: "Position of the clause, the smallest first." })
  order!: number;

  @Field(() => TextScalar, { description: "Text of the clause." })
  content!: string;
}

@InputType({ description: "Changes of the terms that buyers accept." })
export class VendorTermsInput {
  @Field(() => Boolean, { nullable: true, description: "True if buyers accept the terms by a check box." })
  useCheckBox?: boolean | null;

  @Field(() => [VendorTermInput], {
    nullable: true,
    description: "Clauses of the terms, at most 50. Replaces all stored clauses.",
  })
  termsAgree?: VendorTermInput[] | null;
}

@InputType({ description: "Credentials of Recoup at the shop system that products come from." })
export class CmsIntegrationInput {
  @Field(() => LineScalar, {
    nullable: true,
    description: "Key with which Recoup signs in at the shop system. Null removes it.",
  })
  consumerKey?: string | null;

  @Field(() => LineScalar, {
    nullable: true,
    description:
      "Secret with which Recoup signs in. Null removes it. It is stored encrypted and never returned. Refused with SECRETS_KEY_MISSING if the gateway has no key.",
  })
  consumerSecret?: string | null;
}

@InputType({
  description:
    "Periods after which delivered goods become final, in hours after the delivery. Each must be greater than the previous one.",
})
export class OrderFinishTimesInput {
  @Field(() => Int, {
    description: "Hours after which an order item becomes FINISHED_EXCHANGE_AVAILABLE. At least 1.",
  })
  finishedAfterHours!: number;

  @Field(() => Int, {
    description: "Hours after which an order item becomes FINISHED_RETURN_AVAILABLE and can no longer be exchanged.",
  })
  exchangeUntilHours!: number;

  @Field(() => Int, {
    description:
      "Hours after which an order item becomes FINISHED_SUCCESSFULLY and can no longer be returned. At most 87600, ten years.",
  })
  returnUntilHours!: number;
}

@InputType({ description: "Changes of the vendor's billing settings. Absent fields keep their values." })
export class UpdateVendorSettingsInput {
  @Field(() => TimeZoneScalar, { nullable: true, description: "IANA time zone in which the merchant's days begin." })
  zoneId?: string | null;

  @Field(() => Boolean, { nullable: true, description: "True if prices include value added tax." })
  vatIncluded?: boolean | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Value added tax in per cent, 0 to 100." })
  vatRate?: Amount | null;

  @Field(() => Int, {
    nullable: true,
    description: "Decimals of charged amounts, 0 to 6. Null for the decimals of the currency.",
  })
  paymentAmountScale?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "True if customers are notified by e-mail before a subscription is charged.",
  })
  notiBeforePayment?: boolean | null;

  @Field(() => Int, {
    nullable: true,
    description:
      "Number of days before the charge at which customers are notified. 0 to 365. Subscriptions with a shorter cycle have no notice.",
  })
  notiBeforePaymentDays?: number | null;

  @Field(() => TimeOfDayInput, {
    nullable: true,
    description: "Time of day at which customers are notified of a charge, in the vendor's time zone.",
  })
  notiBeforePaymentTime?: TimeOfDayInput | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "True if prepaid usage that was not used is refunded automatically.",
  })
  usageAutoRefund?: boolean | null;

  @Field(() => LabelScalar, { nullable: true, description: "Name of the workspace." })
  workspace?: string | null;

  @Field(() => LineScalar, {
    nullable: true,
    description: "The vendor's own domain, such as pay.example.com. It becomes PENDING. Null removes it.",
  })
  customDomain?: string | null;

  @Field(() => [ReturnUrlScalar], {
    nullable: true,
    description:
      "Origins to which a payer's browser may be redirected, such as https://shop.example.com. At most 20; replaces all stored origins. An empty list allows all origins.",
  })
  returnOrigins?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "True if new invoices are saved as drafts by default.",
  })
  draftInvoicesByDefault?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "True if covers of registered orders only record what they would advise, while the caller keeps its own schedule. Covers in progress do not change. Null applies the parent's setting; without a parent, false.",
  })
  recoveryShadowMode?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "True if the retries of the vendor and its children go into the pooled models of their countries. Vendors of the same country that have no model of their own use these. Other vendors never see rows, amounts, names or who takes part; a pooled model is the weights of at least five families, none of which counts for more than a quarter. Takes effect with the next pooling, within a week: false takes the family out of it. Refused with MODEL_OF_PARENT for a child vendor.",
  })
  recoveryPooling?: boolean | null;

  @Field(() => OrderFinishTimesInput, {
    nullable: true,
    description:
      "Periods after which delivered goods can no longer be exchanged or returned. Replaces the stored periods. An order item keeps the time of its next transition; later transitions follow the new setting.",
  })
  finishTimes?: OrderFinishTimesInput | null;

  @Field(() => DeliveryChargeInput, { nullable: true, description: "Delivery fees." })
  deliveryCharge?: DeliveryChargeInput | null;

  @Field(() => VendorTermsInput, { nullable: true, description: "Terms that buyers accept." })
  vendorTerms?: VendorTermsInput | null;

  @Field(() => CmsIntegrationInput, { nullable: true, description: "Shop system that products come from." })
  cmsIntegration?: CmsIntegrationInput | null;

  @Field(() => Boolean, { nullable: true, description: "True if the first activation was checked." })
  checkFirstActivation?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "True if the initial survey was answered." })
  surveyed?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "True if customers become dormant after one year." })
  useDormantCustomer?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "True if customers are warned by e-mail a month before they become dormant. Without effect where `useDormantCustomer` is false.",
  })
  useDormantNotification?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "True if customers sign in." })
  useAuth?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "True if the vendor has a shop page." })
  useStore?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "True if Recoup pays the merchant out." })
  usePayout?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "True if the base currency is locked." })
  currencyLock?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "True if customers sign in with their e-mail address." })
  realmEmailAsUsername?: boolean | null;

  @Field(() => GraphQLUUID, {
    nullable: true,
    description: "Identity provider of the customers. Null if Recoup is the identity provider.",
  })
  realmIdentityProviderId?: string | null;

  @Field(() => LineScalar, { nullable: true, description: "Realm in which customers sign in." })
  realmName?: string | null;

  @Field(() => LineScalar, { nullable: true, description: "Source of the notices about failed checks." })
  checkFailBuilder?: string | null;
}

@ObjectType({ description: "The vendor after the change.", simpleResolvers: true })
export class UpdateVendorPayload {
  @Field(() => Vendor, { description: "The vendor." })
  vendor!: Vendor;
}

@ObjectType({ description: "The vendor after the change.", simpleResolvers: true })
export class UpdateVendorSettingsPayload {
  @Field(() => Vendor, { description: "The vendor." })
  vendor!: Vendor;
}
