import { Field, ObjectType } from "type-graphql";
import { PaymentGateway, PaymentMethod } from "../../schema/vocabulary.ts";
import { DateTimeScalar, DecimalScalar, GraphQLBigInt, GraphQLJSONObject } from "../graphql/scalars.ts";

@ObjectType({ description: "Who paid, as the gateway was told.", simpleResolvers: true })
export class PaymentCustomer {
  @Field(() => String, { description: "Name." })
  name!: string;

  @Field(() => String, { description: "E-mail address." })
  email!: string;

  @Field(() => String, { description: "Phone number." })
  phone!: string;
}

@ObjectType({ description: "The payment of an order: the newest attempt, paid or failed.", simpleResolvers: true })
export class Payment {
  @Field(() => GraphQLBigInt, { description: "Number of the payment." })
  databaseId!: number;

  @Field(() => DecimalScalar, { description: "What was to be paid, in the order's currency." })
  amount!: string;

  @Field(() => DecimalScalar, { description: "What a discount had taken off it." })
  discount!: string;

  @Field(() => PaymentMethod, { nullable: true, description: "How it was paid; null where the gateway did not say." })
  paymentMethod!: PaymentMethod | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When the money came; null where it did not." })
  paymentDate!: Date | null;

  @Field(() => PaymentGateway, { description: "The gateway that took it." })
  paymentGateway!: PaymentGateway;

  @Field(() => DecimalScalar, { description: "What was given back of it." })
  paymentReturn!: string;

  @Field(() => String, { description: "Address of the receipt; empty where there is none." })
  paymentReceiptUrl!: string;

  @Field(() => String, { nullable: true, description: "Card number, masked to its last four digits." })
  cardNumber!: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: "The virtual account to pay into, where there is one.",
  })
  vbank!: Record<string, string> | null;

  @Field(() => PaymentCustomer, { description: "Who paid." })
  customer!: PaymentCustomer;

  @Field(() => String, { nullable: true, description: "The gateway's error code; null where it succeeded." })
  errorCode!: string | null;

  @Field(() => String, { nullable: true, description: "The gateway's error message; null where it succeeded." })
  errorMessage!: string | null;
}
