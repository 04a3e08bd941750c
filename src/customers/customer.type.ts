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
  @Field(() => GraphQLBigInt, { description: "Number of the method: the id that REST uses." })
  databaseId!: number;

  @Field(() => String, { description: "How a human tells it from others: issuer and last four digits." })
  paymentInfo!: string;

  @Field(() => PaymentMethod, { description: "What kind of method it is." })
  method!: PaymentMethod;

  @Field(() => PaymentGateway, { description: "The gateway that keeps it." })
  gateway!: PaymentGateway;

  @Field(() => Network, { nullable: true, description: "The network of a card; null for anything else." })
  network!: Network | null;

  @Field(() => DateTimeScalar, { description: "When it was stored." })
  createdAt!: Date;
}

export const StoredPaymentMethodConnection = connectionType(() => StoredPaymentMethod, "StoredPaymentMethod");

@ObjectType("Customer", { description: "A customer of the billing side.", implements: Node, simpleResolvers: true })
export class Customer extends Node {
  @Field(() => GraphQLUUID, { description: "A unique id that says nothing of how many customers there are." })
  uuid!: string;

  @Field(() => String, { description: 'Code of the customer: "customer_" and nine letters or digits.' })
  code!: string;

  @Field(() => CustomerStatus, { description: "Whether the customer is active or dormant." })
  status!: CustomerStatus;

  @Field(() => String, { nullable: true, description: "The name the customer signs in with, where there is one." })
  username!: string | null;

  @Field(() => String, { description: "Name of the customer." })
  name!: string;

  @Field(() => String, { description: "E-mail address, as it was sent." })
  email!: string;

  @Field(() => String, { description: "Phone number: digits with an optional leading +." })
  phone!: string;

  @Field(() => Boolean, { description: "Whether the customer agreed to advertising by text message." })
  marketingSms!: boolean;

  @Field(() => Boolean, { description: "Whether the customer agreed to advertising by e-mail." })
  marketingEmail!: boolean;

  @Field(() => Boolean, { description: "Whether the customer agreed to advertising by the messenger app." })
  marketingMessenger!: boolean;

  @Field(() => GraphQLJSONObject, { description: "Custom fields: from their key to a JSON-encoded string." })
  attributes!: Record<string, string>;

  @Field(() => GraphQLJSONObject, { description: "Custom fields and their values." })
  customFields!: Record<string, unknown>;

  @Field(() => GraphQLJSONObject, {
    description: "Custom fields with their values as text; a value that is no text is JSON-encoded.",
  })
  customFieldTexts!: Record<string, string>;

  @Field(() => String, {
    description: 'ISO 3166-1 alpha-2 code of the customer\'s country, or "UNKNOWN" where it is not known.',
  })
  countryCode!: string;

  @Field(() => Region, { nullable: true, description: "Where the customer is; null where it is not known." })
  region!: Region | null;

  @Field(() => [String], { description: "E-mail addresses that get the customer's invoices besides." })
  additionalRecipients!: string[];

  @Field(() => Shipping, { nullable: true, description: "The address that was used last; null where there is none." })
  shipping!: Shipping | null;

  @Field(() => [StoredPaymentMethod], { description: "The payment methods that the customer stored, oldest first." })
  paymentMethods!: StoredPaymentMethod[];

  @Field(() => Int, { description: "How many orders the customer has made." })
  orderCount!: number;

  @Field(() => Int, { description: "How many subscriptions of the customer have not ended." })
  activeSubscriptionCount!: number;

  @Field(() => DecimalScalar, {
    description:
      "What the customer has paid less what was given back, in the vendor's base currency; other currencies count at the rate of their order. Rounded to the minor units of the base currency.",
  })
  totalPurchasedPrice!: string;

  @Field(() => DateTimeScalar, { description: "When the customer was created." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "When the customer was last changed." })
  modifiedAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "Since when the customer is dormant; null while not." })
  dormantAt!: Date | null;
}

@InputType({ description: "A customer to create." })
export class CreateCustomerInput {
  @Field(() => NameScalar, { description: "Name of the customer." })
  name!: string;

  @Field(() => EmailScalar, { description: "E-mail address." })
  email!: string;

  @Field(() => PhoneScalar, { description: "Phone number in any notation; punctuation is dropped." })
  phone!: string;

  @Field(() => LineScalar, { nullable: true, description: "The name the customer signs in with, unique per vendor." })
  username?: string | null;

  @Field(() => RegionCodeScalar, { nullable: true, description: "Where the customer is." })
  region?: RegionCode | null;

  @Field(() => Boolean, { nullable: true, description: "Agreement to advertising by text message; false unless told." })
  marketingSms?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Agreement to advertising by e-mail; false unless told." })
  marketingEmail?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Agreement to advertising by messenger; false unless told." })
  marketingMessenger?: boolean | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: "Custom fields and their values; they are set whole.",
  })
  customFields?: Record<string, unknown> | null;

  @Field(() => [EmailScalar], { nullable: true, description: "E-mail addresses that get the invoices besides." })
  additionalRecipients?: string[] | null;

  @Field(() => ShippingInput, { nullable: true, description: "An address; it is the customer's from now on." })
  shipping?: ShippingInput | null;
}

@InputType({ description: "What changes of a customer: absent fields stay as they are." })
export class UpdateCustomerInput implements Partial<CreateCustomerInput> {
  @Field(() => ID, { description: "Global id or number of the customer." })
  id!: string;

  @Field(() => NameScalar, { nullable: true, description: "Name of the customer." })
  name?: string;

  @Field(() => EmailScalar, { nullable: true, description: "E-mail address." })
  email?: string;

  @Field(() => PhoneScalar, { nullable: true, description: "Phone number in any notation; punctuation is dropped." })
  phone?: string;

  @Field(() => LineScalar, { nullable: true, description: "The name to sign in with; null takes it away." })
  username?: string | null;

  @Field(() => RegionCodeScalar, { nullable: true, description: "Where the customer is; null where it is not known." })
  region?: RegionCode | null;

  @Field(() => Boolean, { nullable: true, description: "Agreement to advertising by text message." })
  marketingSms?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Agreement to advertising by e-mail." })
  marketingEmail?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "Agreement to advertising by messenger." })
  marketingMessenger?: boolean | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: "Custom fields and their values; they are set whole.",
  })
  customFields?: Record<string, unknown> | null;

  @Field(() => [EmailScalar], { nullable: true, description: "E-mail addresses that get the invoices besides." })
  additionalRecipients?: string[] | null;

  @Field(() => ShippingInput, { nullable: true, description: "An address; it is the customer's from now on." })
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

@InputType({ description: "Which customers are asked for; all conditions hold together." })
export class CustomerFilterInput {
  @Field(() => CustomerStatus, { nullable: true, description: "Those with this status." })
  status?: CustomerStatus | null;

  @Field(() => RegionCodeScalar, { nullable: true, description: "Those in this region." })
  region?: RegionCode | null;

  @Field(() => KeywordScalar, {
    nullable: true,
    description: "Those whose name or e-mail address contains this text, in any case.",
  })
  keyword?: string | null;

  @Field(() => LineScalar, { nullable: true, description: "The one with this code." })
  code?: string | null;

  @Field(() => PhoneScalar, {
    nullable: true,
    description: "Those whose phone number contains these digits; punctuation is dropped.",
  })
  phone?: string | null;

  @Field(() => PeriodInput, { nullable: true, description: "Those created in this period." })
  createdAt?: PeriodInput | null;
}

export const CustomerSortInput = sortInputType("Customer", {
  CREATED_AT: "When it was created.",
  NAME: "By name, in the order of Unicode.",
  EMAIL: "By e-mail address, in the order of Unicode.",
  ID: "By number.",
});
export type CustomerSortInput = InstanceType<typeof CustomerSortInput>;

export const CustomerConnection = connectionType(() => Customer, "Customer");

export const CustomerPage = numberedPageType(() => Customer, "Customer");
