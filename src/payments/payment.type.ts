import { Field, ID, InputType, ObjectType } from "type-graphql";
import { Actor, Initiator, Network, PaymentGateway, PaymentMethod, PaymentState } from "../../schema/vocabulary.ts";
import { StoredPaymentMethod } from "../customers/customer.type.ts";
import { connectionType, PeriodInput, sortInputType } from "../graphql/connection.ts";
import { Node } from "../graphql/node.ts";
import { DateTimeScalar, DecimalScalar, GraphQLBigInt, LineScalar } from "../graphql/scalars.ts";

@ObjectType({ description: "Who paid, as the gateway was told.", simpleResolvers: true })
export class PaymentCustomer {
  @Field(() => String, { description: "Name." })
  name!: string;

  @Field(() => String, { description: "E-mail address." })
  email!: string;

  @Field(() => String, { description: "Phone number." })
  phone!: string;
}

@ObjectType({ description: "Money that is given back of a payment.", simpleResolvers: true })
export class Refund {
  @Field(() => GraphQLBigInt, { description: "Number of the refund." })
  databaseId!: number;

  @Field(() => PaymentState, { description: "How far it has come." })
  state!: PaymentState;

  @Field(() => DecimalScalar, { description: "How much is given back, in the order's currency." })
  amount!: string;

  @Field(() => Actor, { description: "Who wanted it." })
  actor!: Actor;

  @Field(() => String, { nullable: true, description: "Why, in the words of who wanted it." })
  reason!: string | null;

  @Field(() => String, { nullable: true, description: "The gateway's error code; null unless it refused." })
  errorCode!: string | null;

  @Field(() => String, { nullable: true, description: "The gateway's error message; null unless it refused." })
  errorMessage!: string | null;

  @Field(() => DateTimeScalar, { description: "When it was asked for." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "When its outcome was known; null until then." })
  settledAt!: Date | null;
}

@ObjectType({ description: "An account into which a payer transfers the money of one order.", simpleResolvers: true })
export class VirtualBankAccount {
  @Field(() => String, { description: "Code of the bank; empty where it is not known." })
  bankCode!: string;

  @Field(() => String, { description: "Name of the bank." })
  bankName!: string;

  @Field(() => String, { description: "Number of the account." })
  accountNumber!: string;

  @Field(() => String, { description: "Name of the account's holder." })
  accountName!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Until when the money can be transferred; null where that is not known.",
  })
  bankDate!: string | null;
}

@ObjectType({ description: "What a gateway returned of an attempt to charge.", simpleResolvers: true })
export class GatewayReturn {
  @Field(() => String, { nullable: true, description: "The gateway's own name of the charge; null until it told one." })
  reference!: string | null;

  @Field(() => PaymentState, { description: "How far the attempt has come." })
  state!: PaymentState;

  @Field(() => Network, { nullable: true, description: "The network of the card; null where it is not known." })
  network!: Network | null;

  @Field(() => String, { nullable: true, description: "What the card network advises after a decline; null without." })
  adviceCode!: string | null;
}

@ObjectType("Payment", {
  description: "An attempt to charge an order. The newest one is the order's payment.",
  implements: Node,
  simpleResolvers: true,
})
export class Payment extends Node {
  @Field(() => PaymentState, { description: "How far it has come." })
  state!: PaymentState;

  @Field(() => DecimalScalar, { description: "What was to be paid, in the order's currency." })
  amount!: string;

  @Field(() => DecimalScalar, { description: "What a discount had taken off it." })
  discount!: string;

  @Field(() => PaymentMethod, { nullable: true, description: "How it was paid; null where the gateway did not say." })
  paymentMethod!: PaymentMethod | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When the money came; null where it did not." })
  paymentDate!: Date | null;

  @Field(() => String, { description: "ISO 4217 code of the currency that it is paid in." })
  currency!: string;

  @Field(() => Initiator, { description: "Whether the payer was there, or the merchant charged." })
  initiator!: Initiator;

  @Field(() => String, { nullable: true, description: "The gateway's own name of the charge; null until it told one." })
  gatewayReference!: string | null;

  @Field(() => Network, { nullable: true, description: "The network of the card; null where it is not known." })
  network!: Network | null;

  @Field(() => String, {
    nullable: true,
    description: "Where the payer's browser goes to confirm the charge; null unless that is awaited.",
  })
  challengeUrl!: string | null;

  @Field(() => StoredPaymentMethod, { nullable: true, description: "The stored method that was charged, or stored." })
  storedMethod!: StoredPaymentMethod | null;

  @Field(() => [Refund], { description: "What was given back of it, oldest first." })
  refunds!: Refund[];

  @Field(() => String, { nullable: true, description: "What the card network advises after a decline; null without." })
  adviceCode!: string | null;

  @Field(() => DateTimeScalar, { description: "When it was tried." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "When its outcome was known; null until then." })
  settledAt!: Date | null;

  @Field(() => PaymentGateway, { description: "The gateway that took it." })
  paymentGateway!: PaymentGateway;

  @Field(() => DecimalScalar, { description: "What was given back of it." })
  paymentReturn!: string;

  @Field(() => String, { description: "Address of the receipt; empty where there is none." })
  paymentReceiptUrl!: string;

  @Field(() => String, { nullable: true, description: "Card number, masked to its last four digits." })
  cardNumber!: string | null;

  @Field(() => VirtualBankAccount, {
    nullable: true,
    description: "The virtual account to pay into; null where there is none.",
  })
  vbank!: VirtualBankAccount | null;

  @Field(() => GatewayReturn, { description: "What the gateway returned of the attempt, without secrets." })
  gatewayReturn!: GatewayReturn;

  @Field(() => PaymentCustomer, { description: "Who paid." })
  customer!: PaymentCustomer;

  @Field(() => String, { nullable: true, description: "The gateway's error code; null where it succeeded." })
  errorCode!: string | null;

  @Field(() => String, { nullable: true, description: "The gateway's error message; null where it succeeded." })
  errorMessage!: string | null;
}

@InputType({ description: "Which payments are asked for. Conditions hold together." })
export class PaymentFilterInput {
  @Field(() => ID, { nullable: true, description: "Those of this order: global id or number." })
  orderId?: string | null;

  @Field(() => ID, { nullable: true, description: "Those of this customer's orders: global id or number." })
  customerId?: string | null;

  @Field(() => PaymentState, { nullable: true, description: "Those that have come so far." })
  state?: PaymentState | null;

  @Field(() => [PaymentState], {
    nullable: true,
    description: "Those in one of these states. An empty list finds none.",
  })
  states?: PaymentState[] | null;

  @Field(() => PaymentMethod, { nullable: true, description: "Those that were paid in this way." })
  paymentMethod?: PaymentMethod | null;

  @Field(() => PaymentGateway, { nullable: true, description: "Those that this gateway took." })
  paymentGateway?: PaymentGateway | null;

  @Field(() => LineScalar, { nullable: true, description: "Those that failed with this code of the gateway." })
  errorCode?: string | null;

  @Field(() => PeriodInput, { nullable: true, description: "Those whose money came in this period." })
  paymentDate?: PeriodInput | null;

  @Field(() => PeriodInput, { nullable: true, description: "Those that were tried in this period." })
  createdAt?: PeriodInput | null;
}

export const PaymentSortInput = sortInputType("Payment", { CREATED_AT: "When it was tried." });
export type PaymentSortInput = InstanceType<typeof PaymentSortInput>;

export const PaymentConnection = connectionType(() => Payment, "Payment");
