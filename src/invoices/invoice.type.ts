import { Field, ID, InputType, ObjectType } from "type-graphql";
import type { RegionCode } from "../../schema/regions.ts";
import { InvoiceStatus, PaymentGateway, PaymentMethod, PublishMethod, PublishType } from "../../schema/vocabulary.ts";
import { Customer } from "../customers/customer.type.ts";
import { connectionType, PeriodInput, sortInputType } from "../graphql/connection.ts";
import { Node } from "../graphql/node.ts";
import {
  CurrencyScalar,
  DateTimeScalar,
  DecimalScalar,
  LineScalar,
  NameScalar,
  NonNegativeIntScalar,
  PositiveIntScalar,
  RegionCodeScalar,
  TextScalar,
} from "../graphql/scalars.ts";
import type { Amount } from "../kernel/amounts.ts";
import { Order } from "../orders/order.type.ts";
import { PricePlan } from "../products/price-plans/price-plan.type.ts";
import { Product } from "../products/product.type.ts";

@ObjectType({ description: "A line of an invoice.", simpleResolvers: true })
export class InvoiceItem {
  @Field(() => Product, {
    description: "Product of the line. A line that was created by name and price has a product of type INVOICE.",
  })
  product!: Product;

  @Field(() => PricePlan, { description: "The price plan." })
  pricePlan!: PricePlan;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Unit price that replaces the plan's price. Null if the plan's price applies.",
  })
  price!: string | null;

  @Field(() => PositiveIntScalar, {
    description: "Smallest quantity that the payer can choose, which is also the initial quantity.",
  })
  minimumQuantity!: number;

  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "Largest quantity that the payer can choose. Null if the quantity is fixed.",
  })
  maximumQuantity!: number | null;
}

@ObjectType("Invoice", {
  description: "An invoice: a request for payment to a customer. Sending it creates the order that the customer pays.",
  implements: Node,
  simpleResolvers: true,
})
export class Invoice extends Node {
  @Field(() => InvoiceStatus, { description: "State of the invoice." })
  status!: InvoiceStatus;

  @Field(() => Customer, { description: "Customer who receives the invoice." })
  customer!: Customer;

  @Field(() => [InvoiceItem], { description: "Lines of the invoice, in order." })
  items!: InvoiceItem[];

  @Field(() => Order, { nullable: true, description: "Order of the invoice. Null until the invoice is sent." })
  order!: Order | null;

  @Field(() => PublishType, { description: "Time of sending: at once or scheduled." })
  publishType!: PublishType;

  @Field(() => [PublishMethod], { description: "Channels on which the invoice is sent." })
  publishMethods!: PublishMethod[];

  @Field(() => [PaymentMethod], { description: "Payment methods that the invoice accepts. Empty for all methods." })
  invoicePayMethods!: PaymentMethod[];

  @Field(() => PaymentGateway, {
    nullable: true,
    description: "Gateway through which the invoice must be paid. Null for any gateway.",
  })
  paymentGateway!: PaymentGateway | null;

  @Field(() => RegionCodeScalar, {
    nullable: true,
    description: "Sales region of the invoice. Null for the vendor's country.",
  })
  region!: RegionCode | null;

  @Field(() => String, { description: "ISO 4217 code of the currency." })
  currency!: string;

  @Field(() => DecimalScalar, { nullable: true, description: "Discount on the whole invoice. Null if there is none." })
  discount!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "Amount that is due at once. The rest is due by the deadline. Null if the whole amount is due by the deadline.",
  })
  instantAmount!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Deadline for the payment. Null for no deadline." })
  purchaseDeadline!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time at which the invoice is scheduled to be sent. Null if it is sent at once.",
  })
  reservationAt!: Date | null;

  @Field(() => String, { description: "Note to the customer. An empty string if there is none." })
  memoToCustomer!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time at which the invoice was sent. Null if it was not.",
  })
  sentAt!: Date | null;

  @Field(() => DateTimeScalar, { description: "Time of the creation." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the last change." })
  modifiedAt!: Date;
}

@InputType({ description: "A line of an invoice: a price plan by its codes, or a name and a price." })
export class InvoiceItemInput {
  @Field(() => LineScalar, { nullable: true, description: "Code of the product. Requires priceCode." }) productCode?:
    string | null;

  @Field(() => LineScalar, { nullable: true, description: "Code of the price plan. Requires productCode." })
  priceCode?: string | null;

  @Field(() => NonNegativeIntScalar, {
    nullable: true,
    description: "Initial quantity. Defaults to 1; 0 also means 1.",
  })
  minimumQuantity?: number | null;

  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "Largest quantity that the payer can choose. Defaults to a fixed quantity.",
  })
  maximumQuantity?: number | null;

  @Field(() => NameScalar, { nullable: true, description: "Name of the line, if it has no product." }) productName?:
    string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Unit price. With productCode and priceCode, it replaces the plan's price.",
  })
  price?: Amount | null;
}

@InputType({ description: "An invoice to create." })
export class CreateInvoiceInput {
  @Field(() => ID, { description: "Global id or number of the customer who receives the invoice." })
  customerId!: string;

  @Field(() => [InvoiceItemInput], { description: "Lines of the invoice: 1 to 500." })
  items!: InvoiceItemInput[];

  @Field(() => [PublishMethod], { description: "Channels on which the invoice is sent: at least one." })
  publishMethods!: PublishMethod[];

  @Field(() => PublishType, {
    nullable: true,
    description: "Time of sending: at once or scheduled. Defaults to NOW.",
  })
  publishType?: PublishType | null;

  @Field(() => [PaymentMethod], {
    nullable: true,
    description: "Payment methods that the invoice accepts. Defaults to all methods.",
  })
  invoicePayMethods?: PaymentMethod[] | null;

  @Field(() => PaymentGateway, {
    nullable: true,
    description: "Gateway through which the invoice must be paid. Defaults to any gateway.",
  })
  paymentGateway?: PaymentGateway | null;

  @Field(() => RegionCodeScalar, {
    nullable: true,
    description: "Sales region of the invoice. Defaults to the vendor's country.",
  })
  region?: RegionCode | null;

  @Field(() => CurrencyScalar, { nullable: true, description: "Currency of the invoice. Defaults to KRW." }) currency?:
    string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Discount on the whole invoice. It must be greater than 0.",
  })
  discount?: Amount | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Amount that is due at once. It must be greater than 0." })
  instantAmount?: Amount | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Deadline for the payment." })
  purchaseDeadline?: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time at which the invoice is sent. Required for RESERVATION; it must be in the future.",
  })
  reservationAt?: Date | null;

  @Field(() => TextScalar, { nullable: true, description: "Note to the customer." })
  memoToCustomer?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "True saves a draft, which is not sent. Defaults to the vendor's draftInvoicesByDefault.",
  })
  temporary?: boolean | null;
}

@InputType({ description: "Changes of a draft. Absent fields keep their values." })
export class UpdateInvoiceInput {
  @Field(() => ID, { description: "Global id or number of the invoice." })
  invoiceId!: string;

  @Field(() => ID, { nullable: true, description: "Global id or number of the customer who receives the invoice." })
  customerId?: string | null;

  @Field(() => [InvoiceItemInput], { nullable: true, description: "Lines of the invoice. Replaces all stored lines." })
  items?: InvoiceItemInput[] | null;

  @Field(() => [PublishMethod], { nullable: true, description: "Channels on which the invoice is sent." })
  publishMethods?: PublishMethod[] | null;

  @Field(() => PublishType, { nullable: true, description: "Time of sending: at once or scheduled." })
  publishType?: PublishType | null;

  @Field(() => [PaymentMethod], { nullable: true, description: "Payment methods that the invoice accepts." })
  invoicePayMethods?: PaymentMethod[] | null;

  @Field(() => PaymentGateway, { nullable: true, description: "Gateway through which the invoice must be paid." })
  paymentGateway?: PaymentGateway | null;

  @Field(() => RegionCodeScalar, { nullable: true, description: "Sales region of the invoice." })
  region?: RegionCode | null;

  @Field(() => CurrencyScalar, { nullable: true, description: "Currency of the invoice." })
  currency?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Discount on the whole invoice. It must be greater than 0.",
  })
  discount?: Amount | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Amount that is due at once. It must be greater than 0." })
  instantAmount?: Amount | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Deadline for the payment." })
  purchaseDeadline?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time at which the invoice is sent." })
  reservationAt?: Date | null;

  @Field(() => TextScalar, { nullable: true, description: "Note to the customer." })
  memoToCustomer?: string | null;
}

@InputType({ description: "An invoice to send." })
export class SendInvoiceInput {
  @Field(() => ID, { description: "Global id or number of the invoice." })
  invoiceId!: string;
}

@InputType({ description: "A draft of an invoice to delete." })
export class DeleteInvoiceInput extends SendInvoiceInput {}

@InputType({ description: "An invoice that no channel delivered." })
export class ReportInvoiceUndeliveredInput {
  @Field(() => ID, { description: "Global id or number of the invoice." })
  invoiceId!: string;

  @Field(() => TextScalar, {
    nullable: true,
    description: "Reason of the failure. Defaults to null, which records no reason.",
  })
  reason?: string | null;
}

@ObjectType({ description: "The invoice after it was created.", simpleResolvers: true })
export class CreateInvoicePayload {
  @Field(() => Invoice, { description: "The invoice." })
  invoice!: Invoice;
}

@ObjectType({ description: "The invoice after it was changed.", simpleResolvers: true })
export class UpdateInvoicePayload extends CreateInvoicePayload {}

@ObjectType({ description: "The invoice after it was sent.", simpleResolvers: true })
export class SendInvoicePayload extends CreateInvoicePayload {}

@ObjectType({ description: "The invoice after its failed delivery was recorded.", simpleResolvers: true })
export class ReportInvoiceUndeliveredPayload extends CreateInvoicePayload {}

@ObjectType({ description: "The invoice that was deleted.", simpleResolvers: true })
export class DeleteInvoicePayload {
  @Field(() => ID, { description: "Global id of the deleted draft." })
  deletedId!: string;
}

@InputType({ description: "Filter of invoices. All conditions must hold." })
export class InvoiceFilterInput {
  @Field(() => InvoiceStatus, { nullable: true, description: "Returns only records with this status." })
  status?: InvoiceStatus | null;

  @Field(() => ID, { nullable: true, description: "Returns only records of this customer: global id or number." })
  customerId?: string | null;

  @Field(() => PeriodInput, { nullable: true, description: "Returns only records that were created in this period." })
  createdAt?: PeriodInput | null;
}

export const InvoiceSortInput = sortInputType("Invoice", { CREATED_AT: "By the time of the creation." });
export type InvoiceSortInput = InstanceType<typeof InvoiceSortInput>;

export const InvoiceConnection = connectionType(() => Invoice, "Invoice");
