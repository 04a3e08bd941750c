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

/* What changes of a vendor: absent fields stay as they are. */

@InputType({ description: "What changes of the vendor: absent fields stay as they are." })
export class UpdateVendorInput {
  @Field(() => NameScalar, { nullable: true, description: "Name of the merchant." })
  name?: string | null;

  @Field(() => TextScalar, { nullable: true, description: "What the merchant says of itself." })
  description?: string | null;

  @Field(() => EmailScalar, { nullable: true, description: "E-mail address." })
  email?: string | null;

  @Field(() => LinkScalar, { nullable: true, description: "Where customers turn to." })
  contactUrl?: string | null;

  @Field(() => LinkScalar, { nullable: true, description: "The merchant's picture." })
  featuredImageUrl?: string | null;

  @Field(() => CountryCodeScalar, { nullable: true, description: "ISO 3166-1 alpha-2 country code." })
  country?: string | null;

  @Field(() => CurrencyScalar, {
    nullable: true,
    description: "The base currency; refused with CURRENCY_LOCKED once there are prices, orders or exchange rates.",
  })
  currency?: string | null;
}

@InputType({ description: "A time of the day, in the vendor's zone." })
export class TimeOfDayInput {
  @Field(() => Int, { description: "0 to 23." })
  hour!: number;

  @Field(() => Int, { defaultValue: 0, description: "0 to 59." })
  minute!: number;

  @Field(() => Int, { defaultValue: 0, description: "0 to 59." })
  second!: number;
}

@InputType({
  description: "What changes of how the vendor charges for delivery. Amounts are in its base currency.",
})
export class DeliveryChargeInput {
  @Field(() => Boolean, { nullable: true, description: "Whether orders go by the default courier." })
  useDefaultCourier?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Whether delivery is charged at all." })
  useDeliveryCharge?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Whether remote places cost more." })
  useLocalShipCharge?: boolean | null;

  @Field(() => DecimalScalar, { nullable: true, description: "What delivery to Jeju costs more." })
  jejuShipAmount?: Amount | null;

  @Field(() => DecimalScalar, { nullable: true, description: "What delivery to islands and mountains costs more." })
  islandAndMountainShipAmount?: Amount | null;

  @Field(() => LineScalar, { nullable: true, description: "The default courier; null for none." })
  defaultCourierId?: string | null;

  @Field(() => DeliveryChargeType, { nullable: true, description: "When delivery is charged." })
  deliveryChargeType?: DeliveryChargeType | null;

  @Field(() => DecimalScalar, { nullable: true, description: "What delivery costs." })
  defaultDeliveryCharge?: Amount | null;

  @Field(() => DecimalScalar, { nullable: true, description: "The sum of an order from which delivery is free." })
  freeShipOverAmount?: Amount | null;
}

@InputType({ description: "A clause that buyers agree to." })
export class VendorTermInput {
  @Field(() => Boolean, { description: "Whether buyers have to agree to it." })
  field!: boolean;

  @Field(() => LabelScalar, { description: "Heading." })
  title!: string;

  @Field(() => Int, { description: "Where it stands among the others; the smallest comes first." })
  order!: number;

  @Field(() => TextScalar, { description: "What it says." })
  content!: string;
}

@InputType({ description: "What changes of what buyers agree to." })
export class VendorTermsInput {
  @Field(() => Boolean, { nullable: true, description: "Whether buyers agree by a check box." })
  useCheckBox?: boolean | null;

  @Field(() => [VendorTermInput], { nullable: true, description: "The clauses, at most 50; they are set whole." })
  termsAgree?: VendorTermInput[] | null;
}

@InputType({ description: "How Recoup signs in at the shop system that products come from." })
export class CmsIntegrationInput {
  @Field(() => LineScalar, { nullable: true, description: "The name to sign in with; null takes it away." })
  consumerKey?: string | null;

  @Field(() => LineScalar, {
    nullable: true,
    description:
      "The secret to sign in with; null takes it away. It is stored encrypted and never shown; refused with SECRETS_KEY_MISSING where the gateway has no key.",
  })
  consumerSecret?: string | null;
}

@InputType({
  description:
    "When goods that arrived become final, in hours after their arrival; each must be greater than the one before.",
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

@InputType({ description: "What changes of how the vendor bills: absent fields stay as they are." })
export class UpdateVendorSettingsInput {
  @Field(() => TimeZoneScalar, { nullable: true, description: "IANA time zone in which the merchant's days begin." })
  zoneId?: string | null;

  @Field(() => Boolean, { nullable: true, description: "Whether prices contain value added tax." })
  vatIncluded?: boolean | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Value added tax, from 0 to 100 per cent." })
  vatRate?: Amount | null;

  @Field(() => Int, {
    nullable: true,
    description: "Decimals of charged amounts, 0 to 6; null means those of the currency.",
  })
  paymentAmountScale?: number | null;

  @Field(() => Boolean, { nullable: true, description: "Whether customers are told before a renewal is charged." })
  notiBeforePayment?: boolean | null;

  @Field(() => Int, { nullable: true, description: "How many days before, 0 to 365." })
  notiBeforePaymentDays?: number | null;

  @Field(() => TimeOfDayInput, { nullable: true, description: "At what time of that day." })
  notiBeforePaymentTime?: TimeOfDayInput | null;

  @Field(() => Boolean, { nullable: true, description: "Whether paid usage that was not used is paid back by itself." })
  usageAutoRefund?: boolean | null;

  @Field(() => LabelScalar, { nullable: true, description: "Name of the workspace." })
  workspace?: string | null;

  @Field(() => LineScalar, {
    nullable: true,
    description: "The vendor's own domain, such as pay.example.com, which is PENDING from now on; null for none.",
  })
  customDomain?: string | null;

  @Field(() => [ReturnUrlScalar], {
    nullable: true,
    description:
      "Origins that a payer's browser may be sent back to, such as https://shop.example.com, at most 20; they are set whole, and none means any.",
  })
  returnOrigins?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether an invoice is saved as a draft unless told otherwise.",
  })
  draftInvoicesByDefault?: boolean | null;

  @Field(() => OrderFinishTimesInput, {
    nullable: true,
    description:
      "When goods that arrived can no longer be exchanged or returned; set as a whole. An order item keeps the time of its next transition; later ones follow the new setting.",
  })
  finishTimes?: OrderFinishTimesInput | null;

  @Field(() => DeliveryChargeInput, { nullable: true, description: "How delivery is charged." })
  deliveryCharge?: DeliveryChargeInput | null;

  @Field(() => VendorTermsInput, { nullable: true, description: "What buyers agree to." })
  vendorTerms?: VendorTermsInput | null;

  @Field(() => CmsIntegrationInput, { nullable: true, description: "The shop system that products come from." })
  cmsIntegration?: CmsIntegrationInput | null;

  @Field(() => Boolean, { nullable: true, description: "Whether the first activation was checked." })
  checkFirstActivation?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Whether the first questions were answered." })
  surveyed?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Whether customers become dormant after a year." })
  useDormantCustomer?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Whether customers are warned before they become dormant." })
  useDormantNotification?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Whether customers sign in." })
  useAuth?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Whether there is a shop page." })
  useStore?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Whether the merchant is paid out by Recoup." })
  usePayout?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Whether the base currency is locked." })
  currencyLock?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Whether customers sign in with their e-mail address." })
  realmEmailAsUsername?: boolean | null;

  @Field(() => GraphQLUUID, { nullable: true, description: "Who says who the customers are; null for Recoup." })
  realmIdentityProviderId?: string | null;

  @Field(() => LineScalar, { nullable: true, description: "The realm in which customers sign in." })
  realmName?: string | null;

  @Field(() => LineScalar, { nullable: true, description: "What makes the notices of failed checks." })
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
