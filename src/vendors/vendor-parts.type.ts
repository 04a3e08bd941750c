import { Field, Int, ObjectType } from "type-graphql";
import { AppStatus, CustomDomainStatus, DeliveryChargeType } from "../../schema/vocabulary.ts";
import { DateTimeScalar, DecimalScalar, GraphQLBigInt, GraphQLJSONObject, GraphQLUUID } from "../graphql/scalars.ts";

/* The object types of a vendor's fields. */

@ObjectType({ description: "A person who manages a vendor.", simpleResolvers: true })
export class VendorManager {
  @Field(() => GraphQLBigInt, { description: "Number of the person." })
  databaseId!: number;

  @Field(() => GraphQLUUID, { description: "Unique id of the person." })
  uuid!: string;

  @Field(() => String, { description: "Login name of the person." })
  username!: string;

  @Field(() => String, { description: "Display name of the person. May be an empty string." })
  nickname!: string;

  @Field(() => Boolean, { description: "True if the person may sign in." })
  enabled!: boolean;

  @Field(() => Boolean, { description: "True if the e-mail address was confirmed." })
  emailVerified!: boolean;

  @Field(() => DateTimeScalar, { description: "Time at which the person was added." })
  createdAt!: Date;

  @Field(() => String, {
    nullable: true,
    description: "Phone number: digits with an optional leading +. Null if it is not known.",
  })
  phone!: string | null;

  @Field(() => String, { description: "A field of the old contract. It is always an empty string and has no meaning." })
  choo!: string;
}

@ObjectType({
  description: "Delivery fees of a vendor. Amounts are in its base currency.",
  simpleResolvers: true,
})
export class DeliveryCharge {
  @Field(() => Boolean, { description: "True if orders use the default courier." })
  useDefaultCourier!: boolean;

  @Field(() => Boolean, { description: "True if delivery is charged." })
  useDeliveryCharge!: boolean;

  @Field(() => Boolean, { description: "True if remote places have a surcharge." })
  useLocalShipCharge!: boolean;

  @Field(() => DecimalScalar, { description: "Surcharge for delivery to Jeju." })
  jejuShipAmount!: string;

  @Field(() => DecimalScalar, { description: "Surcharge for delivery to islands and mountains." })
  islandAndMountainShipAmount!: string;

  @Field(() => String, { nullable: true, description: "The default courier. Null if there is none." })
  defaultCourierId!: string | null;

  @Field(() => DeliveryChargeType, { description: "Rule by which delivery is charged." })
  deliveryChargeType!: DeliveryChargeType;

  @Field(() => DecimalScalar, { description: "Delivery fee." })
  defaultDeliveryCharge!: string;

  @Field(() => DecimalScalar, { description: "Amount of an order from which delivery is free." })
  freeShipOverAmount!: string;
}

@ObjectType({ description: "A time of day, in the vendor's time zone.", simpleResolvers: true })
export class TimeOfDay {
  @Field(() => Int, { description: "Hour, 0 to 23." })
  hour!: number;

  @Field(() => Int, { description: "Minute, 0 to 59." })
  minute!: number;

  @Field(() => Int, { description: "Second, 0 to 59." })
  second!: number;

  @Field(() => Int, { description: "Nanoseconds; always 0." })
  nano!: number;
}

@ObjectType({ description: "A vendor's own domain for its payment pages.", simpleResolvers: true })
export class CustomDomain {
  @Field(() => CustomDomainStatus, { description: "Status of the domain." })
  status!: CustomDomainStatus;

  @Field(() => String, { nullable: true, description: "The domain. Null if there is none." })
  domain!: string | null;
}

@ObjectType({
  description:
    "Periods after which delivered goods become final, in hours after the delivery by the vendor's clock. A worker makes these transitions.",
  simpleResolvers: true,
})
export class OrderFinishTimes {
  @Field(() => Int, {
    description: "Hours after which an order item becomes FINISHED_EXCHANGE_AVAILABLE. Defaults to 24.",
  })
  finishedAfterHours!: number;

  @Field(() => Int, {
    description:
      "Hours after which an order item becomes FINISHED_RETURN_AVAILABLE and can no longer be exchanged. Defaults to 168, a week.",
  })
  exchangeUntilHours!: number;

  @Field(() => Int, {
    description:
      "Hours after which an order item becomes FINISHED_SUCCESSFULLY and can no longer be returned. Defaults to 720, 30 days.",
  })
  returnUntilHours!: number;
}

@ObjectType({ description: "Billing settings of a vendor.", simpleResolvers: true })
export class VendorSettings {
  @Field(() => Boolean, { description: "True if prices include value added tax." })
  vatIncluded!: boolean;

  @Field(() => DecimalScalar, { description: "Value added tax in per cent." })
  vatRate!: string;

  @Field(() => Boolean, {
    description: "True if customers are notified by e-mail before a subscription is charged. New vendors have true.",
  })
  notiBeforePayment!: boolean;

  @Field(() => Int, {
    description:
      "Number of days before the charge at which customers are notified. Subscriptions with a shorter cycle have no notice.",
  })
  notiBeforePaymentDays!: number;

  @Field(() => TimeOfDay, {
    description: "Time of day at which customers are notified of a charge, in the vendor's time zone.",
  })
  notiBeforePaymentTime!: TimeOfDay;

  @Field(() => Boolean, { description: "True if prepaid usage that was not used is refunded automatically." })
  usageAutoRefund!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: "Decimals of charged amounts, 0 to 6. Null for the decimals of the currency.",
  })
  paymentAmountScale!: number | null;

  @Field(() => String, { description: "Name of the workspace. May be an empty string." })
  workspace!: string;

  @Field(() => CustomDomain, { description: "The vendor's own domain." })
  customDomain!: CustomDomain;

  @Field(() => [String], {
    description:
      "Origins to which a payer's browser may be redirected, such as https://shop.example.com. If empty, any http or https address is allowed.",
  })
  returnOrigins!: string[];

  @Field(() => Boolean, { description: "True if new invoices are saved as drafts by default." })
  draftInvoicesByDefault!: boolean;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "True if covers of registered orders only record what they would advise. Null if the parent's setting applies; without a parent, false.",
  })
  recoveryShadowMode!: boolean | null;

  @Field(() => Boolean, {
    description:
      "True if the retries of the vendor and its children go into the pooled models of their countries. Defaults to false; always false for a child vendor, whose parent decides for the family.",
  })
  recoveryPooling!: boolean;

  @Field(() => OrderFinishTimes, {
    description: "Periods after which delivered goods can no longer be exchanged or returned.",
  })
  finishTimes!: OrderFinishTimes;
}

@ObjectType({ description: "An app of a vendor.", simpleResolvers: true })
export class VendorApp {
  @Field(() => String, { description: "Code of the app's product." })
  productCode!: string;

  @Field(() => String, { description: "Code of the price plan with which the app was bought." })
  priceCode!: string;

  @Field(() => AppStatus, { description: "Status of the app." })
  status!: AppStatus;

  @Field(() => Boolean, { description: "True if the app is installed." })
  installed!: boolean;

  @Field(() => GraphQLBigInt, {
    nullable: true,
    description: "Number of the subscription that pays for the app. Null if there is none.",
  })
  subscriptionId!: number | null;

  @Field(() => GraphQLJSONObject, { description: "Settings that are sent to the app." })
  settings!: Record<string, unknown>;
}

@ObjectType({
  description: "The shop system that a vendor's products come from.",
  simpleResolvers: true,
})
export class CmsIntegration {
  @Field(() => String, {
    nullable: true,
    description: "Key with which Recoup signs in at the shop system. Null if there is none.",
  })
  consumerKey!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Always null: the secret is stored encrypted and never returned.",
  })
  consumerSecret!: string | null;

  @Field(() => Boolean, { description: "True if a secret is stored." })
  hasConsumerSecret!: boolean;
}

@ObjectType({ description: "A clause of the terms that buyers accept.", simpleResolvers: true })
export class VendorTerm {
  @Field(() => Boolean, { description: "True if buyers must accept the clause." })
  field!: boolean;

  @Field(() => String, { description: "Heading of the clause." })
  title!: string;

  @Field(() => Int, { description: "Position of the clause, the smallest first." })
  order!: number;

  @Field(() => String, { description: "Text of the clause." })
  content!: string;
}

@ObjectType({ description: "Terms that buyers of a vendor accept.", simpleResolvers: true })
export class VendorTerms {
  @Field(() => Boolean, { description: "True if buyers accept the terms by a check box." })
  useCheckBox!: boolean;

  @Field(() => [VendorTerm], { description: "Clauses of the terms." })
  termsAgree!: VendorTerm[];
}
