import { Field, ID, InputType, ObjectType } from "type-graphql";
import { Actor, Initiator, Network, PaymentGateway, PaymentMethod, PaymentState } from "../../schema/vocabulary.ts";
import { StoredPaymentMethod } from "../customers/customer.type.ts";
import { connectionType, PeriodInput, sortInputType } from "../graphql/connection.ts";
import { Node } from "../graphql/node.ts";
import { DateTimeScalar, DecimalScalar, GraphQLBigInt, LineScalar } from "../graphql/scalars.ts";

@ObjectType({ description: "Payer of a payment, as sent to the gateway.", simpleResolvers: true })
export class PaymentCustomer {
  @Field(() => String, { description: "Name of the payer." })
  name!: string;

  @Field(() => String, { description: "E-mail address." })
  email!: string;

  @Field(() => String, { description: "Phone number of the payer." })
  phone!: string;
}

@ObjectType({ description: "A refund of a payment.", simpleResolvers: true })
export class Refund {
  @Field(() => GraphQLBigInt, { description: "Number of the refund." })
  databaseId!: number;

  @Field(() => PaymentState, { description: "State of the refund." })
  state!: PaymentState;

  @Field(() => DecimalScalar, { description: "Refunded amount, in the order's currency." })
  amount!: string;

  @Field(() => Actor, { description: "Actor who requested the refund." })
  actor!: Actor;

  @Field(() => String, {
    nullable: true,
    description: "Reason of the refund, as the actor gave it. Null if none was given.",
  })
  reason!: string | null;

  @Field(() => String, { nullable: true, description: "Error code of the gateway. Null unless it refused." })
  errorCode!: string | null;

  @Field(() => String, { nullable: true, description: "Error message of the gateway. Null unless it refused." })
  errorMessage!: string | null;

  @Field(() => DateTimeScalar, { description: "Time of the request." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time at which the outcome was known. Null until then." })
  settledAt!: Date | null;
}

@ObjectType({ description: "An account into which a payer transfers the amount of one order.", simpleResolvers: true })
export class VirtualBankAccount {
  @Field(() => String, { description: "Code of the bank. An empty string if it is not known." })
  bankCode!: string;

  @Field(() => String, { description: "Name of the bank." })
  bankName!: string;

  @Field(() => String, { description: "Account number to which the payer transfers the amount." })
  accountNumber!: string;

  @Field(() => String, { description: "Name of the account holder." })
  accountName!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Deadline of the transfer. Null if it is not known.",
  })
  bankDate!: string | null;
}

@ObjectType({ description: "Result that a gateway returned for a charge attempt.", simpleResolvers: true })
export class PaymentGatewayResponse {
  @Field(() => String, {
    nullable: true,
    description: "The gateway's own id of the charge. Null until the gateway returned one.",
  })
  reference!: string | null;

  @Field(() => PaymentState, { description: "State of the attempt." })
  state!: PaymentState;

  @Field(() => Network, { nullable: true, description: "Network of the card. Null if it is not known." })
  network!: Network | null;

  @Field(() => String, {
    nullable: true,
    description: "Advice of the card network after a decline. Null if there is none.",
  })
  adviceCode!: string | null;
}

@ObjectType("Payment", {
  description: "An attempt to charge an order. The newest payment is the order's payment.",
  implements: Node,
  simpleResolvers: true,
})
export class Payment extends Node {
  @Field(() => PaymentState, { description: "State of the attempt." })
  state!: PaymentState;

  @Field(() => DecimalScalar, { description: "Amount to pay, in the order's currency." })
  amount!: string;

  @Field(() => DecimalScalar, { description: "Amount of the discount that is subtracted." })
  discount!: string;

  @Field(() => PaymentMethod, { nullable: true, description: "Payment method. Null if the gateway did not report it." })
  paymentMethod!: PaymentMethod | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time at which the payment succeeded. Null if it did not.",
  })
  paymentDate!: Date | null;

  @Field(() => String, { description: "ISO 4217 code of the currency in which the order is paid." })
  currency!: string;

  @Field(() => Initiator, { description: "Initiator of the charge: the payer or the merchant." })
  initiator!: Initiator;

  @Field(() => String, {
    nullable: true,
    description: "The gateway's own id of the charge. Null until the gateway returned one.",
  })
  gatewayReference!: string | null;

  @Field(() => Network, { nullable: true, description: "Network of the card. Null if it is not known." })
  network!: Network | null;

  @Field(() => String, {
    nullable: true,
    description: "Address at which the payer confirms the charge. Null unless a confirmation is awaited.",
  })
  challengeUrl!: string | null;

  @Field(() => StoredPaymentMethod, {
    nullable: true,
    description: "Stored method that was charged, or that the payment stored. Null if there is none.",
  })
  storedMethod!: StoredPaymentMethod | null;

  @Field(() => [Refund], { description: "Refunds of the payment, oldest first." })
  refunds!: Refund[];

  @Field(() => String, {
    nullable: true,
    description: "Advice of the card network after a decline. Null if there is none.",
  })
  adviceCode!: string | null;

  @Field(() => DateTimeScalar, { description: "Time of the attempt." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time at which the outcome was known. Null until then." })
  settledAt!: Date | null;

  @Field(() => PaymentGateway, { description: "Gateway of the payment." })
  paymentGateway!: PaymentGateway;

  @Field(() => DecimalScalar, { description: "Amount that was refunded, in the order's currency." })
  paymentReturn!: string;

  @Field(() => String, { description: "Address of the receipt. An empty string if there is none." })
  paymentReceiptUrl!: string;

  @Field(() => String, {
    nullable: true,
    description: "Card number, masked to the last four digits. Null without a card.",
  })
  cardNumber!: string | null;

  @Field(() => VirtualBankAccount, {
    nullable: true,
    description: "Virtual account to pay into. Null if there is none.",
  })
  vbank!: VirtualBankAccount | null;

  @Field(() => PaymentGatewayResponse, {
    description: "Result that the gateway returned for the attempt, without secrets.",
  })
  gatewayResponse!: PaymentGatewayResponse;

  @Field(() => PaymentCustomer, { description: "Payer of the payment." })
  customer!: PaymentCustomer;

  @Field(() => String, { nullable: true, description: "Error code of the gateway. Null if the payment succeeded." })
  errorCode!: string | null;

  @Field(() => String, { nullable: true, description: "Error message of the gateway. Null if the payment succeeded." })
  errorMessage!: string | null;
}

@InputType({ description: "Filter of payments. All conditions must hold." })
export class PaymentFilterInput {
  @Field(() => ID, { nullable: true, description: "Returns only records of this order: global id or number." })
  orderId?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: "Returns only payments of this customer's orders: global id or number.",
  })
  customerId?: string | null;

  @Field(() => PaymentState, { nullable: true, description: "Returns only payments in this state." })
  state?: PaymentState | null;

  @Field(() => [PaymentState], {
    nullable: true,
    description: "Returns only payments in one of these states. An empty list returns nothing.",
  })
  states?: PaymentState[] | null;

  @Field(() => PaymentMethod, { nullable: true, description: "Returns only payments by this method." })
  paymentMethod?: PaymentMethod | null;

  @Field(() => PaymentGateway, { nullable: true, description: "Returns only payments of this gateway." })
  paymentGateway?: PaymentGateway | null;

  @Field(() => LineScalar, {
    nullable: true,
    description: "Returns only payments that failed with this code of the gateway.",
  })
  errorCode?: string | null;

  @Field(() => PeriodInput, { nullable: true, description: "Returns only payments that succeeded in this period." })
  paymentDate?: PeriodInput | null;

  @Field(() => PeriodInput, {
    nullable: true,
    description: "Returns only payments that were attempted in this period.",
  })
  createdAt?: PeriodInput | null;
}

export const PaymentSortInput = sortInputType("Payment", { CREATED_AT: "Time of the attempt." });
export type PaymentSortInput = InstanceType<typeof PaymentSortInput>;

export const PaymentConnection = connectionType(() => Payment, "Payment");
