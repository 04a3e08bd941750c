import { Field, ID, InputType, ObjectType } from "type-graphql";
import type { RegionCode } from "../../schema/regions.ts";
import {
  ClaimMethodType,
  OrderItemStatus,
  OrderLogType,
  OrderSearchTarget,
  OrderType,
  PaymentGateway,
  PaymentMethod,
} from "../../schema/vocabulary.ts";
import { Customer } from "../customers/customer.type.ts";
import { Region } from "../customers/region.type.ts";
import { Shipping } from "../customers/shipping.type.ts";
import { connectionType, PeriodInput, sortInputType } from "../graphql/connection.ts";
import { Node } from "../graphql/node.ts";
import { numberedPageType } from "../graphql/numbered-page.ts";
import {
  CurrencyAmountsScalar,
  DateTimeScalar,
  DecimalScalar,
  GraphQLBigInt,
  RateScalar,
  RegionCodeScalar,
  KeywordScalar,
} from "../graphql/scalars.ts";
import type { Amount } from "../kernel/amounts.ts";
import { Subscription } from "../subscriptions/subscription.type.ts";
import { OrderItem } from "./order-item.type.ts";
import { Payment } from "../payments/payment.type.ts";

@ObjectType({ description: "What happened to an order, in words.", simpleResolvers: true })
export class OrderLog {
  @Field(() => GraphQLBigInt, { description: "Number of the entry." })
  databaseId!: number;

  @Field(() => OrderLogType, { description: "Who or what made the entry." })
  type!: OrderLogType;

  @Field(() => String, { description: "What happened." })
  content!: string;

  @Field(() => DateTimeScalar, { description: "When it happened." })
  createdAt!: Date;
}

@ObjectType("Order", { description: "What a customer agreed to buy.", implements: Node, simpleResolvers: true })
export class Order extends Node {
  @Field(() => String, { description: 'Code of the order: "order_" and nine letters or digits.' })
  code!: string;

  @Field(() => String, { description: "The key under which its payment is looked up." })
  idKey!: string;

  @Field(() => OrderType, { description: "Why the order was made." })
  type!: OrderType;

  @Field(() => Customer, { description: "Who ordered." })
  customer!: Customer;

  @Field(() => String, { description: "Name of the customer when the order was made." })
  customerName!: string;

  @Field(() => String, { description: "Names of the ordered products, joined." })
  productName!: string;

  @Field(() => [OrderItem], { description: "Its lines, in order. They add up to its amount." })
  items!: OrderItem[];

  @Field(() => DecimalScalar, { description: "What the order costs, in its currency." })
  amount!: string;

  @Field(() => DecimalScalar, { description: "What discounts took off it." })
  discountedAmount!: string;

  @Field(() => DecimalScalar, { description: "What was paid." })
  paidAmount!: string;

  @Field(() => DecimalScalar, { description: "What was given back of what was paid." })
  returnedAmount!: string;

  @Field(() => DecimalScalar, {
    description: "The part of the paid amount that was not refunded. 0 while nothing is paid.",
  })
  leftAmount!: string;

  @Field(() => String, { description: "ISO 4217 code of the currency that it is paid in." })
  currency!: string;

  @Field(() => String, { description: "ISO 4217 code of the vendor's base currency when the order was made." })
  baseCurrency!: string;

  @Field(() => RateScalar, { description: "What amounts in the base currency were multiplied by." })
  exchangeRate!: string;

  @Field(() => CurrencyAmountsScalar, {
    description: "What the order costs in each currency that all its plans have a price in.",
  })
  currencyPrice!: Record<string, string>;

  @Field(() => Region, { description: "Where it was sold." })
  region!: Region;

  @Field(() => ClaimMethodType, { description: "Whether its plan is charged before or after its period." })
  claimMethodType!: ClaimMethodType;

  @Field(() => PaymentMethod, { nullable: true, description: "How it was or will be paid; null until that is chosen." })
  paymentMethod!: PaymentMethod | null;

  @Field(() => [PaymentMethod], { description: "The only ways in which it can be paid; none is any." })
  allowedPaymentMethods!: PaymentMethod[];

  @Field(() => PaymentGateway, { nullable: true, description: "The only gateway it can be paid through; null is any." })
  paymentGateway!: PaymentGateway | null;

  @Field(() => Payment, { nullable: true, description: "Its newest payment; null until one was tried." })
  payment!: Payment | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it was paid." })
  paymentDate!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When its charge is set for." })
  paymentDueDate!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Until when it can be paid; null without an end." })
  purchaseDeadline!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Start of the metered period of a postpaid order." })
  calculateStartDate!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "End of the metered period of a postpaid order." })
  calculateEndDate!: Date | null;

  @Field(() => Shipping, { nullable: true, description: "The customer's most recent address; null without one." })
  shipping!: Shipping | null;

  @Field(() => [OrderLog], { description: "What happened to it, in order." })
  orderLogs!: OrderLog[];

  @Field(() => [Subscription], { description: "The subscriptions that it belongs to." })
  subscriptions!: Subscription[];

  @Field(() => Subscription, { nullable: true, description: "The subscription that it renews; null for others." })
  parentSubscription!: Subscription | null;

  @Field(() => [Order], { description: "The newest 100 other orders of the same subscriptions." })
  relatedOrders!: Order[];

  @Field(() => [Order], { description: "The orders that it made at child vendors, for products of theirs." })
  childOrders!: Order[];

  @Field(() => DateTimeScalar, { description: "When it was made." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "When it was last changed." })
  modifiedAt!: Date;
}

@InputType({ description: "Which orders are asked for; all conditions hold together." })
export class OrderFilterInput {
  @Field(() => OrderItemStatus, { nullable: true, description: "Those with at least one product line in this state." })
  status?: OrderItemStatus | null;

  @Field(() => [OrderItemStatus], {
    nullable: true,
    description: "Those with at least one product line in one of these states. An empty list finds none.",
  })
  statuses?: OrderItemStatus[] | null;

  @Field(() => PeriodInput, { nullable: true, description: "Those that were paid in this period." })
  paymentDate?: PeriodInput | null;

  @Field(() => PeriodInput, { nullable: true, description: "Those made in this period." })
  createdAt?: PeriodInput | null;

  @Field(() => OrderType, { nullable: true, description: "Those of this type." })
  type?: OrderType | null;

  @Field(() => RegionCodeScalar, { nullable: true, description: "Those sold in this region." })
  region?: RegionCode | null;

  @Field(() => ID, { nullable: true, description: "Those of this customer: global id or number." })
  customerId?: string | null;

  @Field(() => KeywordScalar, {
    nullable: true,
    description:
      "Those in which this text stands anywhere in the target, in any case; phone numbers are compared by their digits.",
  })
  keyword?: string | null;

  @Field(() => OrderSearchTarget, {
    nullable: true,
    description: "Where the keyword is looked for; everywhere unless told.",
  })
  target?: OrderSearchTarget | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Those that cost at least this." })
  leastAmount?: Amount | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Those that cost at most this." })
  mostAmount?: Amount | null;
}

export const OrderSortInput = sortInputType("Order", {
  CREATED_AT: "When it was made.",
  MODIFIED_AT: "When it was last changed.",
  PAID_AMOUNT: "By what was paid.",
  CUSTOMER_NAME: "By the customer's name, in the order of Unicode.",
  PRODUCT_NAME: "By the products' names, in the order of Unicode.",
  CODE: "By code.",
  ID: "By number.",
  PAYMENT_DATE: "When it was paid; unpaid ones count as earliest.",
  PURCHASE_DEADLINE: "Until when it can be paid; those without an end count as earliest.",
});
export type OrderSortInput = InstanceType<typeof OrderSortInput>;

export const OrderPage = numberedPageType(() => Order, "Order");

export const OrderConnection = connectionType(() => Order, "Order");
