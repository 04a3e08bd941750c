import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import type { RegionCode } from "../../schema/regions.ts";
import { CustomerStatus, Network, PaymentGateway, PaymentMethod } from "../../schema/vocabulary.ts";
import { connectionType, PeriodInput, sortInputType } from "../graphql/connection.ts";
import { Node } from "../graphql/node.ts";
import { numberedPageType } from "../graphql/numbered-page.ts";
import {
  DateTimeScalar,
  DecimalScalar,
  EmailScalar,
  GraphQLBigInt,
  GraphQLJSONObject,
  GraphQLUUID,
  LineScalar,
  NameScalar,
  PhoneScalar,
  RegionCodeScalar,
  KeywordScalar,
} from "../graphql/scalars.ts";
import { Region } from "./region.type.ts";
import { Shipping, ShippingInput } from "./shipping.type.ts";

@ObjectType({ description: "A payment method that a customer stored.", simpleResolvers: true })
export class StoredPaymentMethod {
  @Field(() => GraphQLBigInt, { description: "Number of the method. REST uses it as the id." })
  databaseId!: number;

  @Field(() => String, {
    description: "Description by which people recognise the method: issuer and last four digits.",
  })
  paymentInfo!: string;

  @Field(() => PaymentMethod, { description: "Type of the method." })
  paymentMethod!: PaymentMethod;

  @Field(() => PaymentGateway, { description: "Gateway that stores the method." })
  paymentGateway!: PaymentGateway;

  @Field(() => Network, { nullable: true, description: "Network of a card. Null for other methods." })
  network!: Network | null;

  @Field(() => DateTimeScalar, { description: "Time at which the method was stored." })
  createdAt!: Date;
}

export const StoredPaymentMethodConnection = connectionType(() => StoredPaymentMethod, "StoredPaymentMethod");

@ObjectType("Customer", { description: "A customer of the vendor.", implements: Node, simpleResolvers: true })
export class Customer extends Node {
  @Field(() => GraphQLUUID, { description: "Unique id of the customer. It does not reveal the number of customers." })
  uuid!: string;

  @Field(() => String, { description: 'Code of the customer: "customer_" and nine letters or digits.' })
  code!: string;

  @Field(() => CustomerStatus, { description: "State of the customer's account: active or dormant." })
  status!: CustomerStatus;

  @Field(() => String, { nullable: true, description: "Login name of the customer. Null if there is none." })
  username!: string | null;

  @Field(() => String, { description: "Name of the customer." })
  name!: string;

  @Field(() => String, { description: "E-mail address, as sent." })
  email!: string;

  @Field(() => String, { description: "Phone number: digits with an optional leading +." })
  phone!: string;

  @Field(() => Boolean, { description: "True if the customer agreed to advertising by text message." })
  marketingSms!: boolean;

  @Field(() => Boolean, { description: "True if the customer agreed to advertising by e-mail." })
  marketingEmail!: boolean;

  @Field(() => Boolean, { description: "True if the customer agreed to advertising by the messenger app." })
  marketingMessenger!: boolean;

  @Field(() => GraphQLJSONObject, { description: "Custom fields as an object from key to JSON-encoded string." })
  attributes!: Record<string, string>;

  @Field(() => GraphQLJSONObject, { description: "Custom fields as an object from key to value." })
  customFields!: Record<string, unknown>;

  @Field(() => GraphQLJSONObject, {
    description: "Custom fields as an object from key to text. A value that is not a string is JSON-encoded.",
  })
  customFieldTexts!: Record<string, string>;

  @Field(() => String, {
    description: 'ISO 3166-1 alpha-2 code of the customer\'s country, or "UNKNOWN".',
  })
  countryCode!: string;

  @Field(() => Region, { nullable: true, description: "Region of the customer. Null if it is not known." })
  region!: Region | null;

  @Field(() => [String], { description: "Additional e-mail addresses that receive the customer's invoices." })
  additionalRecipients!: string[];

  @Field(() => Shipping, { nullable: true, description: "Most recently used address. Null if there is none." })
  shipping!: Shipping | null;

  @Field(() => [StoredPaymentMethod], { description: "Payment methods that the customer stored, oldest first." })
  paymentMethods!: StoredPaymentMethod[];

  @Field(() => Int, { description: "Number of orders of the customer." })
  orderCount!: number;

  @Field(() => Int, { description: "Number of the customer's subscriptions that have not ended." })
  activeSubscriptionCount!: number;

  @Field(() => DecimalScalar, {
    description:
      "Amount that the customer has paid minus refunds, in the vendor's base currency. Other currencies are converted at the rate of their order. Rounded to the minor unit of the base currency.",
  })
  totalPurchasedPrice!: string;

  @Field(() => DateTimeScalar, { description: "Time at which the customer was created." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the last change." })
  modifiedAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time since which the customer is dormant. Null if the customer is not dormant.",
  })
  dormantAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'Time at which the customer\'s personal data was erased. The name is then "[erased]", and other data is empty. Null if it was not erased.',
  })
  erasedAt!: Date | null;
}

@InputType({ description: "A customer to create." })
export class CreateCustomerInput {
  @Field(() => NameScalar, { description: "Name of the customer." })
  name!: string;

  @Field(() => EmailScalar, { description: "E-mail address." })
  email!: string;

  @Field(() => PhoneScalar, { description: "Phone number in any notation. Punctuation is removed." })
  phone!: string;

  @Field(() => LineScalar, { nullable: true, description: "Login name of the customer, unique for the vendor." })
  username?: string | null;

  @Field(() => RegionCodeScalar, { nullable: true, description: "Region of the customer." })
  region?: RegionCode | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "True if the customer agrees to advertising by text message. Defaults to false.",
  })
  marketingSms?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "True if the customer agrees to advertising by e-mail. Defaults to false.",
  })
  marketingEmail?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "True if the customer agrees to advertising by messenger. Defaults to false.",
  })
  marketingMessenger?: boolean | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: "Custom fields as an object from key to value. Replaces all stored fields.",
  })
  customFields?: Record<string, unknown> | null;

  @Field(() => [EmailScalar], { nullable: true, description: "Additional e-mail addresses that receive the invoices." })
  additionalRecipients?: string[] | null;

  @Field(() => ShippingInput, { nullable: true, description: "An address, which is stored for the customer." })
  shipping?: ShippingInput | null;
}

@InputType({ description: "Changes of a customer. Absent fields keep their values." })
export class UpdateCustomerInput implements Partial<CreateCustomerInput> {
  @Field(() => ID, { description: "Global id or number of the customer." })
  id!: string;

  @Field(() => NameScalar, { nullable: true, description: "Name of the customer." })
  name?: string;

  @Field(() => EmailScalar, { nullable: true, description: "E-mail address." })
  email?: string;

  @Field(() => PhoneScalar, { nullable: true, description: "Phone number in any notation. Punctuation is removed." })
  phone?: string;

  @Field(() => LineScalar, { nullable: true, description: "Login name. Null removes it." })
  username?: string | null;

  @Field(() => RegionCodeScalar, { nullable: true, description: "Region of the customer. Null removes it." })
  region?: RegionCode | null;

  @Field(() => Boolean, { nullable: true, description: "True if the customer agrees to advertising by text message." })
  marketingSms?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "True if the customer agrees to advertising by e-mail." })
  marketingEmail?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "True if the customer agrees to advertising by messenger." })
  marketingMessenger?: boolean | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: "Custom fields as an object from key to value. Replaces all stored fields.",
  })
  customFields?: Record<string, unknown> | null;

  @Field(() => [EmailScalar], { nullable: true, description: "Additional e-mail addresses that receive the invoices." })
  additionalRecipients?: string[] | null;

  @Field(() => ShippingInput, { nullable: true, description: "An address, which is stored for the customer." })
  shipping?: ShippingInput | null;
}

@ObjectType({ description: "The customer after its creation.", simpleResolvers: true })
export class CreateCustomerPayload {
  @Field(() => Customer, { description: "The customer." })
  customer!: Customer;
}

@ObjectType({ description: "The customer after the change.", simpleResolvers: true })
export class UpdateCustomerPayload {
  @Field(() => Customer, { description: "The customer." })
  customer!: Customer;
}

@InputType({ description: "Filter of customers. All conditions must hold." })
export class CustomerFilterInput {
  @Field(() => CustomerStatus, { nullable: true, description: "Returns only records with this status." })
  status?: CustomerStatus | null;

  @Field(() => RegionCodeScalar, { nullable: true, description: "Returns only customers in this region." })
  region?: RegionCode | null;

  @Field(() => KeywordScalar, {
    nullable: true,
    description: "Returns only customers whose name or e-mail address contains this text, compared without case.",
  })
  keyword?: string | null;

  @Field(() => LineScalar, { nullable: true, description: "Returns only the customer with this code." }) code?:
    string | null;

  @Field(() => PhoneScalar, {
    nullable: true,
    description: "Returns only customers whose phone number contains these digits. Punctuation is removed.",
  })
  phone?: string | null;

  @Field(() => PeriodInput, { nullable: true, description: "Returns only records that were created in this period." })
  createdAt?: PeriodInput | null;
}

export const CustomerSortInput = sortInputType("Customer", {
  CREATED_AT: "By the time of the creation.",
  NAME: "By name, in Unicode order.",
  EMAIL: "By e-mail address, in Unicode order.",
  ID: "By number.",
});
export type CustomerSortInput = InstanceType<typeof CustomerSortInput>;

export const CustomerConnection = connectionType(() => Customer, "Customer");

export const CustomerPage = numberedPageType(() => Customer, "Customer");
