import { Field, Int, ObjectType } from "type-graphql";
import { AppStatus, CustomDomainStatus, DeliveryChargeType } from "../../schema/vocabulary.ts";
import { DateTimeScalar, DecimalScalar, GraphQLBigInt, GraphQLJSONObject, GraphQLUUID } from "../graphql/scalars.ts";

/* The parts that a vendor is shown in. */

@ObjectType({ description: "A person who manages a vendor.", simpleResolvers: true })
export class VendorManager {
  @Field(() => GraphQLBigInt, { description: "Number of the person." })
  databaseId!: number;

  @Field(() => GraphQLUUID, { description: "A unique id." })
  uuid!: string;

  @Field(() => String, { description: "The name to sign in with." })
  username!: string;

  @Field(() => String, { description: "What the person is called; may be empty." })
  nickname!: string;

  @Field(() => Boolean, { description: "Whether the person may sign in." })
  enabled!: boolean;

  @Field(() => Boolean, { description: "Whether the e-mail address was confirmed." })
  emailVerified!: boolean;

  @Field(() => DateTimeScalar, { description: "When the person was added." })
  createdAt!: Date;

  @Field(() => String, { nullable: true, description: "Phone number: digits with an optional leading +." })
  phone!: string | null;

  @Field(() => String, { description: "A mark that the old contract has; always empty, it means nothing here." })
  choo!: string;
}

@ObjectType({
  description: "How a vendor charges for delivery. Amounts are in its base currency.",
  simpleResolvers: true,
})
export class DeliveryCharge {
  @Field(() => Boolean, { description: "Whether orders go by the default courier." })
  useDefaultCourier!: boolean;

  @Field(() => Boolean, { description: "Whether delivery is charged at all." })
  useDeliveryCharge!: boolean;

  @Field(() => Boolean, { description: "Whether remote places cost more." })
  useLocalShipCharge!: boolean;

  @Field(() => DecimalScalar, { description: "What delivery to Jeju costs more." })
  jejuShipAmount!: string;

  @Field(() => DecimalScalar, { description: "What delivery to islands and mountains costs more." })
  islandAndMountainShipAmount!: string;

  @Field(() => String, { nullable: true, description: "The default courier." })
  defaultCourierId!: string | null;

  @Field(() => DeliveryChargeType, { description: "When delivery is charged." })
  deliveryChargeType!: DeliveryChargeType;

  @Field(() => DecimalScalar, { description: "What delivery costs." })
  defaultDeliveryCharge!: string;

  @Field(() => DecimalScalar, { description: "The sum of an order from which delivery is free." })
  freeShipOverAmount!: string;
}

@ObjectType({ description: "A time of the day, in the vendor's zone.", simpleResolvers: true })
export class TimeOfDay {
  @Field(() => Int, { description: "0 to 23." })
  hour!: number;

  @Field(() => Int, { description: "0 to 59." })
  minute!: number;

  @Field(() => Int, { description: "0 to 59." })
  second!: number;

  @Field(() => Int, { description: "Nanoseconds; always 0." })
  nano!: number;
}

@ObjectType({ description: "A vendor's own domain for its payment pages.", simpleResolvers: true })
export class CustomDomain {
  @Field(() => CustomDomainStatus, { description: "How far it is connected." })
  status!: CustomDomainStatus;

  @Field(() => String, { nullable: true, description: "The domain; null where there is none." })
  domain!: string | null;
}

@ObjectType({
  description:
    "When goods that arrived become final, in hours after their arrival by the vendor's clock. A worker makes these transitions.",
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

@ObjectType({ description: "How a vendor bills.", simpleResolvers: true })
export class VendorSettings {
  @Field(() => Boolean, { description: "Whether prices contain value added tax." })
  vatIncluded!: boolean;

  @Field(() => DecimalScalar, { description: "Value added tax, in per cent." })
  vatRate!: string;

  @Field(() => Boolean, { description: "Whether customers are told before a renewal is charged." })
  notiBeforePayment!: boolean;

  @Field(() => Int, { description: "How many days before." })
  notiBeforePaymentDays!: number;

  @Field(() => TimeOfDay, { description: "At what time of that day." })
  notiBeforePaymentTime!: TimeOfDay;

  @Field(() => Boolean, { description: "Whether usage that was paid and not used is paid back by itself." })
  usageAutoRefund!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: "Decimals of charged amounts, 0 to 6; null means those of the currency.",
  })
  paymentAmountScale!: number | null;

  @Field(() => String, { description: "Name of the workspace; may be empty." })
  workspace!: string;

  @Field(() => CustomDomain, { description: "The vendor's own domain." })
  customDomain!: CustomDomain;

  @Field(() => [String], {
    description:
      "Origins that a payer's browser may be sent back to, such as https://shop.example.com; with none, any http or https address will do.",
  })
  returnOrigins!: string[];

  @Field(() => Boolean, { description: "Whether an invoice is saved as a draft unless told otherwise." })
  draftInvoicesByDefault!: boolean;

  @Field(() => OrderFinishTimes, { description: "When goods that arrived can no longer be exchanged or returned." })
  finishTimes!: OrderFinishTimes;
}

@ObjectType({ description: "An app that a vendor has.", simpleResolvers: true })
export class VendorApp {
  @Field(() => String, { description: "Code of the app's product." })
  productCode!: string;

  @Field(() => String, { description: "Code of the price plan that it was bought with." })
  priceCode!: string;

  @Field(() => AppStatus, { description: "Whether it is in use." })
  status!: AppStatus;

  @Field(() => Boolean, { description: "Whether it is installed." })
  installed!: boolean;

  @Field(() => GraphQLBigInt, { nullable: true, description: "Number of the subscription that pays for it." })
  subscriptionId!: number | null;

  @Field(() => GraphQLJSONObject, { description: "What the app is told." })
  settings!: Record<string, unknown>;
}

@ObjectType({
  description: "The shop system that a vendor's products come from.",
  simpleResolvers: true,
})
export class CmsIntegration {
  @Field(() => String, { nullable: true, description: "The name under which Recoup signs in there." })
  consumerKey!: string | null;

  @Field(() => String, { nullable: true, description: "Always null: the secret is stored encrypted and never shown." })
  consumerSecret!: string | null;

  @Field(() => Boolean, { description: "Whether there is a secret." })
  hasConsumerSecret!: boolean;
}

@ObjectType({ description: "A clause that buyers agree to.", simpleResolvers: true })
export class VendorTerm {
  @Field(() => Boolean, { description: "Whether buyers have to agree to it." })
  field!: boolean;

  @Field(() => String, { description: "Heading." })
  title!: string;

  @Field(() => Int, { description: "Where it stands among the others; the smallest comes first." })
  order!: number;

  @Field(() => String, { description: "What it says." })
  content!: string;
}

@ObjectType({ description: "What buyers of a vendor agree to.", simpleResolvers: true })
export class VendorTerms {
  @Field(() => Boolean, { description: "Whether buyers agree by a check box." })
  useCheckBox!: boolean;

  @Field(() => [VendorTerm], { description: "The clauses." })
  termsAgree!: VendorTerm[];
}
