import { Field, ID, InputType, ObjectType } from "type-graphql";
import type { RegionCode } from "../../schema/regions.ts";
import {
  ClaimMethodType,
  type OrderItemStatus,
  OrderItemStatusByName,
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

@ObjectType({ description: "An entry in the log of an order.", simpleResolvers: true })
export class OrderLog {
  @Field(() => GraphQLBigInt, { description: "Number of the entry." })
  databaseId!: number;

  @Field(() => OrderLogType, { description: "Source of the entry." })
  type!: OrderLogType;

  @Field(() => String, { description: "Text of the entry." })
  content!: string;

  @Field(() => DateTimeScalar, { description: "Time of the event." })
  createdAt!: Date;
}

@ObjectType("Order", {
  description: "An order: products that a customer agreed to buy, and their payment.",
  implements: Node,
  simpleResolvers: true,
})
export class Order extends Node {
  @Field(() => String, { description: 'Code of the order: "order_" and nine letters or digits.' })
  code!: string;

  @Field(() => String, { description: "Payment key of the order, by which its payment is looked up." })
  idKey!: string;

  @Field(() => OrderType, { description: "Purpose of the order." })
  type!: OrderType;

  @Field(() => Customer, { description: "Customer of the order." })
  customer!: Customer;

  @Field(() => String, { description: "Name of the customer at the time of the order." })
  customerName!: string;

  @Field(() => String, { description: "Names of the ordered products, joined to one text." })
  productName!: string;

  @Field(() => [OrderItem], {
    description: "Lines of the order, in order. Their amounts add up to the amount of the order.",
  })
  items!: OrderItem[];

  @Field(() => DecimalScalar, { description: "Total price of the order, in its currency." })
  amount!: string;

  @Field(() => DecimalScalar, { description: "Total of the discounts, in the order's currency." })
  discountedAmount!: string;

  @Field(() => DecimalScalar, { description: "Amount that was paid, in the order's currency." })
  paidAmount!: string;

  @Field(() => DecimalScalar, { description: "Part of the paid amount that was refunded, in the order's currency." })
  returnedAmount!: string;

  @Field(() => DecimalScalar, {
    description: "Part of the paid amount that was not refunded. 0 while the order is unpaid.",
  })
  leftAmount!: string;

  @Field(() => String, { description: "ISO 4217 code of the currency in which the order is paid." })
  currency!: string;

  @Field(() => String, { description: "ISO 4217 code of the vendor's base currency at the time of the order." })
  baseCurrency!: string;

  @Field(() => RateScalar, { description: "Factor by which amounts in the base currency were multiplied." })
  exchangeRate!: string;

  @Field(() => CurrencyAmountsScalar, {
    description: "Price of the order in each currency for which all its plans have a price.",
  })
  currencyPrice!: Record<string, string>;

  @Field(() => Region, { description: "Sales region of the order." })
  region!: Region;

  @Field(() => ClaimMethodType, { description: "Claim method of its plan: before or after the period." })
  claimMethodType!: ClaimMethodType;

  @Field(() => PaymentMethod, { nullable: true, description: "Payment method of the order. Null until one is chosen." })
  paymentMethod!: PaymentMethod | null;

  @Field(() => [PaymentMethod], { description: "Payment methods that the order accepts. Empty for all methods." })
  allowedPaymentMethods!: PaymentMethod[];

  @Field(() => PaymentGateway, {
    nullable: true,
    description: "Gateway through which the order must be paid. Null for any gateway.",
  })
  paymentGateway!: PaymentGateway | null;

  @Field(() => Payment, { nullable: true, description: "Newest payment of the order. Null before the first attempt." })
  payment!: Payment | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time of the payment. Null while unpaid." })
  paymentDate!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time for which the charge is scheduled. Null if none is scheduled.",
  })
  paymentDueDate!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Deadline for the payment. Null for no deadline." })
  purchaseDeadline!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Start of the metered period of a postpaid order. Null for other orders.",
  })
  calculateStartDate!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "End of the metered period of a postpaid order. Null for other orders.",
  })
  calculateEndDate!: Date | null;

  @Field(() => Shipping, {
    nullable: true,
    description: "The customer's most recent address. Null without an address.",
  })
  shipping!: Shipping | null;

  @Field(() => [OrderLog], { description: "Log of the order, oldest first." })
  orderLogs!: OrderLog[];

  @Field(() => [Subscription], { description: "Subscriptions that the order belongs to." })
  subscriptions!: Subscription[];

  @Field(() => Subscription, {
    nullable: true,
    description: "Subscription that the order renews. Null for other orders.",
  })
  parentSubscription!: Subscription | null;

  @Field(() => [Order], { description: "Newest 100 other orders of the same subscriptions." })
  relatedOrders!: Order[];

  @Field(() => [Order], { description: "Orders that this order created at child vendors, for their products." })
  childOrders!: Order[];

  @Field(() => DateTimeScalar, { description: "Time of the creation." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the last change." })
  modifiedAt!: Date;
}

@InputType({ description: "Filter of orders. All conditions must hold." })
export class OrderFilterInput {
  @Field(() => OrderItemStatusByName, {
    nullable: true,
    description: "Returns only orders with at least one product line in this state.",
  })
  status?: OrderItemStatus | null;

  @Field(() => [OrderItemStatusByName], {
    nullable: true,
    description:
      "Returns only orders with at least one product line in one of these states. An empty list returns nothing.",
  })
  statuses?: OrderItemStatus[] | null;

  @Field(() => PeriodInput, { nullable: true, description: "Returns only orders that were paid in this period." })
  paymentDate?: PeriodInput | null;

  @Field(() => PeriodInput, { nullable: true, description: "Returns only orders that were created in this period." })
  createdAt?: PeriodInput | null;

  @Field(() => OrderType, { nullable: true, description: "Returns only records of this type." })
  type?: OrderType | null;

  @Field(() => RegionCodeScalar, { nullable: true, description: "Returns only orders of this sales region." })
  region?: RegionCode | null;

  @Field(() => ID, { nullable: true, description: "Returns only records of this customer: global id or number." })
  customerId?: string | null;

  @Field(() => KeywordScalar, {
    nullable: true,
    description:
      "Returns only orders whose search target contains this text, compared without case. Phone numbers are compared by their digits.",
  })
  keyword?: string | null;

  @Field(() => OrderSearchTarget, {
    nullable: true,
    description: "Field in which the keyword is searched. Defaults to all fields.",
  })
  target?: OrderSearchTarget | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Returns only orders with at least this amount." })
  minimumAmount?: Amount | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Returns only orders with at most this amount." })
  maximumAmount?: Amount | null;
}

export const OrderSortInput = sortInputType("Order", {
  CREATED_AT: "By the time of the creation.",
  MODIFIED_AT: "Time of the last change.",
  PAID_AMOUNT: "By the paid amount.",
  CUSTOMER_NAME: "By the customer's name, in Unicode order.",
  PRODUCT_NAME: "By the products' names, in Unicode order.",
  CODE: "By code.",
  ID: "By number.",
  PAYMENT_DATE: "By the time of the payment. Unpaid orders count as earliest.",
  PURCHASE_DEADLINE: "By the payment deadline. Orders without a deadline count as earliest.",
});
export type OrderSortInput = InstanceType<typeof OrderSortInput>;

export const OrderPage = numberedPageType(() => Order, "Order");

export const OrderConnection = connectionType(() => Order, "Order");
