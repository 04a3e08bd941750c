import { Field, InputType, Int, ObjectType } from "type-graphql";
import { GatewayAdapter, GatewayMode, PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import { CurrencyScalar, DateTimeScalar, GraphQLBigInt, CredentialScalar } from "../../graphql/scalars.ts";

@ObjectType({
  description: "An account of the vendor at a payment gateway. Its secrets are never returned.",
  simpleResolvers: true,
})
export class GatewayAccount {
  @Field(() => GraphQLBigInt, { description: "Number of the account." })
  databaseId!: number;

  @Field(() => PaymentGateway, {
    description: "Gateway of the account. A vendor has at most one account at each gateway.",
  })
  paymentGateway!: PaymentGateway;

  @Field(() => GatewayAdapter, { description: "Adapter that connects to the gateway." })
  adapter!: GatewayAdapter;

  @Field(() => Boolean, { description: "True if the account is used for charges." })
  enabled!: boolean;

  @Field(() => Int, {
    description:
      "Priority of the account. Of the accounts that can charge an order, the one with the lowest number charges it.",
  })
  priority!: number;

  @Field(() => [PaymentMethod], { description: "Payment methods that the account accepts." })
  paymentMethods!: PaymentMethod[];

  @Field(() => [String], {
    description: "ISO 4217 codes of the currencies that the account accepts. Empty for all currencies.",
  })
  currencies!: string[];

  @Field(() => Boolean, { description: "True if credentials are stored." })
  hasCredentials!: boolean;

  @Field(() => String, {
    nullable: true,
    description: "Beginning and last four characters of the credentials, to recognize them. Null without credentials.",
  })
  credentialsHint!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Public key with which payers' browsers open the gateway's window. Null if the adapter has no window, or none is stored.",
  })
  clientKey!: string | null;

  @Field(() => GatewayMode, {
    nullable: true,
    description: "Mode of the credentials. Null if the adapter has no modes, or there are no credentials.",
  })
  mode!: GatewayMode | null;

  @Field(() => String, {
    description: "Path of this service to which the gateway sends its callbacks.",
  })
  callbackPath!: string;

  @Field(() => DateTimeScalar, { description: "Time of the creation." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the last change." })
  modifiedAt!: Date;
}

@InputType({
  description: "An account at a payment gateway. For an existing account, absent fields keep their values.",
})
export class ConfigurePaymentGatewayInput {
  @Field(() => PaymentGateway, {
    nullable: true,
    description: "Gateway of the account: HOUSE or a provider. Defaults to HOUSE.",
  })
  paymentGateway?: PaymentGateway | null;

  @Field(() => GatewayAdapter, {
    nullable: true,
    description:
      "Adapter that connects to the gateway. Defaults to that of the existing account, for a new one to SIMULATED.",
  })
  adapter?: GatewayAdapter | null;

  @Field(() => Boolean, { nullable: true, description: "True if the account is used for charges. Defaults to true." })
  enabled?: boolean | null;

  @Field(() => Int, {
    nullable: true,
    description: "Priority of the account; the lowest number charges. Defaults to 0.",
  })
  priority?: number | null;

  @Field(() => [PaymentMethod], {
    nullable: true,
    description: "Payment methods that the account accepts. Defaults to all methods of the adapter.",
  })
  paymentMethods?: PaymentMethod[] | null;

  @Field(() => [CurrencyScalar], {
    nullable: true,
    description:
      "Currencies that the account accepts. Defaults to all currencies of the adapter; TOSS charges KRW only.",
  })
  currencies?: string[] | null;

  @Field(() => CredentialScalar, {
    nullable: true,
    description:
      "Credentials of the vendor at the gateway. STRIPE requires a secret or restricted key, TOSS a secret key of the individual API integration; a sandbox accepts test keys only. They are stored encrypted, and never returned.",
  })
  credentials?: string | null;

  @Field(() => CredentialScalar, {
    nullable: true,
    description:
      "Public key with which payers' browsers open the gateway's window: for TOSS the client key of the same integration and mode as the secret key. Without it, only stored methods are charged.",
  })
  clientKey?: string | null;

  @Field(() => CredentialScalar, {
    nullable: true,
    description:
      "Secret with which the gateway signs its callbacks; for STRIPE the signing secret of its webhook endpoint. TOSS signs none and takes none. Defaults to a random secret. It is stored encrypted, and never returned.",
  })
  callbackSecret?: string | null;
}

@ObjectType({ description: "The account after the change.", simpleResolvers: true })
export class ConfigurePaymentGatewayPayload {
  @Field(() => GatewayAccount, { description: "The account." })
  account!: GatewayAccount;
}
