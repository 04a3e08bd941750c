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
  @Field(() => Product, { description: "The product; one of type INVOICE where the line was told by name and price." })
  product!: Product;

  @Field(() => PricePlan, { description: "The price plan." })
  pricePlan!: PricePlan;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "A price of one instead of the plan's; null where that holds.",
  })
  price!: string | null;

  @Field(() => PositiveIntScalar, {
    description: "The least that the payer may choose, and where the quantity starts.",
  })
  minimumQuantity!: number;

  @Field(() => PositiveIntScalar, { nullable: true, description: "The most that the payer may choose; null is fixed." })
  maximumQuantity!: number | null;
}

@ObjectType("Invoice", {
  description: "A request to pay that is sent to a customer. Sending it makes the order that is paid.",
  implements: Node,
  simpleResolvers: true,
})
export class Invoice extends Node {
  @Field(() => InvoiceStatus, { description: "Whether it was sent, and what became of it." })
  status!: InvoiceStatus;

  @Field(() => Customer, { description: "Who receives it." })
  customer!: Customer;

  @Field(() => [InvoiceItem], { description: "What is to be paid, in order." })
  items!: InvoiceItem[];

  @Field(() => Order, { nullable: true, description: "The order that is paid; null until it was sent." })
  order!: Order | null;

  @Field(() => PublishType, { description: "Whether it is sent at once or at a time." })
  publishType!: PublishType;

  @Field(() => [PublishMethod], { description: "The channels on which it is sent." })
  publishMethods!: PublishMethod[];

  @Field(() => [PaymentMethod], { description: "The only ways in which it can be paid; none is any." })
  invoicePayMethods!: PaymentMethod[];

  @Field(() => PaymentGateway, { nullable: true, description: "The only gateway it can be paid through; null is any." })
  paymentGateway!: PaymentGateway | null;

  @Field(() => RegionCodeScalar, { nullable: true, description: "Where it is sold; null is the vendor's country." })
  region!: RegionCode | null;

  @Field(() => String, { description: "ISO 4217 code of the currency." })
  currency!: string;

  @Field(() => DecimalScalar, { nullable: true, description: "What is taken off the whole." })
  discount!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: "What is due at once; the rest is due by the deadline." })
  instantAmount!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Until when it can be paid; null without an end." })
  purchaseDeadline!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it is to be sent; null for at once." })
  reservationAt!: Date | null;

  @Field(() => String, { description: "A note to the customer; empty where there is none." })
  memoToCustomer!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it was sent." })
  sentAt!: Date | null;

  @Field(() => DateTimeScalar, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "When it was last changed." })
  modifiedAt!: Date;
}

@InputType({ description: "A line of an invoice: a plan by its codes, or a name and a price." })
export class InvoiceItemInput {
  @Field(() => LineScalar, { nullable: true, description: "Code of the product; goes with priceCode." })
  productCode?: string | null;

  @Field(() => LineScalar, { nullable: true, description: "Code of the price plan; goes with productCode." })
  priceCode?: string | null;

  @Field(() => NonNegativeIntScalar, {
    nullable: true,
    description: "Where the quantity starts; one where absent or 0.",
  })
  minimumQuantity?: number | null;

  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "The most that the payer may choose; fixed unless told.",
  })
  maximumQuantity?: number | null;

  @Field(() => NameScalar, { nullable: true, description: "What is to be paid for, where there is no product." })
  productName?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "The price of one; beside codes it overrides the plan's.",
  })
  price?: Amount | null;
}

@InputType({ description: "An invoice to create." })
export class CreateInvoiceInput {
  @Field(() => ID, { description: "Global id or number of the customer who receives it." })
  customerId!: string;

  @Field(() => [InvoiceItemInput], { description: "What is to be paid: 1 to 500 lines." })
  items!: InvoiceItemInput[];

  @Field(() => [PublishMethod], { description: "The channels on which it is sent: at least one." })
  publishMethods!: PublishMethod[];

  @Field(() => PublishType, {
    nullable: true,
    description: "Whether it is sent at once or at a time; NOW unless told.",
  })
  publishType?: PublishType | null;

  @Field(() => [PaymentMethod], {
    nullable: true,
    description: "The only ways in which it can be paid; any unless told.",
  })
  invoicePayMethods?: PaymentMethod[] | null;

  @Field(() => PaymentGateway, {
    nullable: true,
    description: "The only gateway it can be paid through; any unless told.",
  })
  paymentGateway?: PaymentGateway | null;

  @Field(() => RegionCodeScalar, { nullable: true, description: "Where it is sold; the vendor's country unless told." })
  region?: RegionCode | null;

  @Field(() => CurrencyScalar, { nullable: true, description: "The currency to pay in; KRW unless told." })
  currency?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: "What is taken off the whole: greater than 0." })
  discount?: Amount | null;

  @Field(() => DecimalScalar, { nullable: true, description: "What is due at once: greater than 0." })
  instantAmount?: Amount | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Until when it can be paid." })
  purchaseDeadline?: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it is sent; needed, and in the future, for RESERVATION.",
  })
  reservationAt?: Date | null;

  @Field(() => TextScalar, { nullable: true, description: "A note to the customer." })
  memoToCustomer?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether to save a draft, which is not sent; the vendor's draftInvoicesByDefault unless told.",
  })
  temporary?: boolean | null;
}

@InputType({ description: "What changes of a draft: absent fields stay as they are." })
export class UpdateInvoiceInput {
  @Field(() => ID, { description: "Global id or number of the invoice." })
  invoiceId!: string;

  @Field(() => ID, { nullable: true, description: "Global id or number of the customer who receives it." })
  customerId?: string | null;

  @Field(() => [InvoiceItemInput], { nullable: true, description: "What is to be paid; the lines are set whole." })
  items?: InvoiceItemInput[] | null;

  @Field(() => [PublishMethod], { nullable: true, description: "The channels on which it is sent." })
  publishMethods?: PublishMethod[] | null;

  @Field(() => PublishType, { nullable: true, description: "Whether it is sent at once or at a time." })
  publishType?: PublishType | null;

  @Field(() => [PaymentMethod], { nullable: true, description: "The only ways in which it can be paid." })
  invoicePayMethods?: PaymentMethod[] | null;

  @Field(() => PaymentGateway, { nullable: true, description: "The only gateway it can be paid through." })
  paymentGateway?: PaymentGateway | null;

  @Field(() => RegionCodeScalar, { nullable: true, description: "Where it is sold." })
  region?: RegionCode | null;

  @Field(() => CurrencyScalar, { nullable: true, description: "The currency to pay in." })
  currency?: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: "What is taken off the whole: greater than 0." })
  discount?: Amount | null;

  @Field(() => DecimalScalar, { nullable: true, description: "What is due at once: greater than 0." })
  instantAmount?: Amount | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Until when it can be paid." })
  purchaseDeadline?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it is sent." })
  reservationAt?: Date | null;

  @Field(() => TextScalar, { nullable: true, description: "A note to the customer." })
  memoToCustomer?: string | null;
}

@InputType({ description: "An invoice to send or to delete." })
export class InvoiceInput {
  @Field(() => ID, { description: "Global id or number of the invoice." })
  invoiceId!: string;
}

@InputType({ description: "An invoice that no channel delivered." })
export class ReportInvoiceUndeliveredInput {
  @Field(() => ID, { description: "Global id or number of the invoice." })
  invoiceId!: string;

  @Field(() => TextScalar, {
    nullable: true,
    description: "Why no channel delivered the invoice. Defaults to null, which records no reason.",
  })
  reason?: string | null;
}

@ObjectType({ description: "The invoice after it was created, changed or sent.", simpleResolvers: true })
export class InvoicePayload {
  @Field(() => Invoice, { description: "The invoice." })
  invoice!: Invoice;
}

@ObjectType({ description: "What was deleted.", simpleResolvers: true })
export class DeleteInvoicePayload {
  @Field(() => ID, { description: "Global id of the draft that is gone." })
  deletedId!: string;
}

@InputType({ description: "Which invoices are asked for; all conditions hold together." })
export class InvoiceFilterInput {
  @Field(() => InvoiceStatus, { nullable: true, description: "Those with this status." })
  status?: InvoiceStatus | null;

  @Field(() => ID, { nullable: true, description: "Those of this customer: global id or number." })
  customerId?: string | null;

  @Field(() => PeriodInput, { nullable: true, description: "Those created in this period." })
  createdAt?: PeriodInput | null;
}

export const InvoiceSortInput = sortInputType("Invoice", { CREATED_AT: "When it was created." });
export type InvoiceSortInput = InstanceType<typeof InvoiceSortInput>;

export const InvoiceConnection = connectionType(() => Invoice, "Invoice");
