import { Field, InputType, Int, ObjectType } from "type-graphql";
import { GatewayAdapter, PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import { CurrencyScalar, DateTimeScalar, GraphQLBigInt, CredentialScalar } from "../../graphql/scalars.ts";

@ObjectType({
  description: "An account of the vendor at a payment gateway. Its secrets are never shown.",
  simpleResolvers: true,
})
export class GatewayAccount {
  @Field(() => GraphQLBigInt, { description: "Number of the account." })
  databaseId!: number;

  @Field(() => PaymentGateway, { description: "Where the account is; a vendor has one at each gateway." })
  gateway!: PaymentGateway;

  @Field(() => GatewayAdapter, { description: "What speaks to the gateway." })
  adapter!: GatewayAdapter;

  @Field(() => Boolean, { description: "Whether it charges." })
  enabled!: boolean;

  @Field(() => Int, { description: "Of the accounts that can charge an order, the one with the lowest number does." })
  priority!: number;

  @Field(() => [PaymentMethod], { description: "The ways to pay that it takes." })
  methods!: PaymentMethod[];

  @Field(() => [String], { description: "ISO 4217 codes of the currencies that it takes; none is any." })
  currencies!: string[];

  @Field(() => Boolean, { description: "Whether credentials are stored." })
  hasCredentials!: boolean;

  @Field(() => String, {
    description: "The path below this service's address to which the gateway sends its callbacks.",
  })
  callbackPath!: string;

  @Field(() => DateTimeScalar, { description: "When it was set up." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "When it was last changed." })
  modifiedAt!: Date;
}

@InputType({ description: "An account at a payment gateway; of one that is set up already, what is absent stays." })
export class ConfigurePaymentGatewayInput {
  @Field(() => PaymentGateway, { description: "Where the account is: HOUSE or a provider." })
  gateway!: PaymentGateway;

  @Field(() => GatewayAdapter, { nullable: true, description: "What speaks to the gateway; SIMULATED unless told." })
  adapter?: GatewayAdapter | null;

  @Field(() => Boolean, { nullable: true, description: "Whether it charges; true unless told." })
  enabled?: boolean | null;

  @Field(() => Int, { nullable: true, description: "The account with the lowest number charges; 0 unless told." })
  priority?: number | null;

  @Field(() => [PaymentMethod], { nullable: true, description: "The ways to pay that it takes; all unless told." })
  methods?: PaymentMethod[] | null;

  @Field(() => [CurrencyScalar], { nullable: true, description: "The currencies that it takes; any unless told." })
  currencies?: string[] | null;

  @Field(() => CredentialScalar, {
    nullable: true,
    description: "What the gateway knows the vendor by. It is encrypted.",
  })
  credentials?: string | null;

  @Field(() => CredentialScalar, {
    nullable: true,
    description: "What the gateway signs its callbacks with; made by chance unless told. It is encrypted.",
  })
  callbackSecret?: string | null;
}

@ObjectType({ description: "The account after it was set up.", simpleResolvers: true })
export class ConfigurePaymentGatewayPayload {
  @Field(() => GatewayAccount, { description: "The account." })
  account!: GatewayAccount;
}
