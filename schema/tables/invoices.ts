import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { InvoiceStatus, PaymentGateway, PaymentMethod, PublishMethod, PublishType } from "../vocabulary.ts";
import type { RegionCode } from "../regions.ts";
import {
  amount,
  identity,
  instant,
  enumValues,
  enumCheck,
  vendorForeignKey,
  reference,
  vendorPrimaryKey,
  vendorReference,
} from "./columns.ts";
import { customers } from "./customers.ts";
import { orders } from "./orders.ts";
import { pricePlans } from "./price-plans.ts";
import { products } from "./products.ts";

/** A request to pay that is sent to a customer. Sending it creates the order that is paid. */
export const invoices = pgTable(
  "invoices",
  {
    vendorId: vendorReference(),
    id: identity(),
    customerId: reference("customer_id").notNull(),
    status: text("status", { enum: enumValues(InvoiceStatus) }).notNull(),
    publishType: text("publish_type", { enum: enumValues(PublishType) }).notNull(),
    publishMethods: text("publish_methods", { enum: enumValues(PublishMethod) })
      .array()
      .notNull(),
    invoicePayMethods: text("invoice_pay_methods", { enum: enumValues(PaymentMethod) })
      .array()
      .notNull()
      .default(sql`'{}'`),
    paymentGateway: text("payment_gateway", { enum: enumValues(PaymentGateway) }),
    region: text("region").$type<RegionCode>(),
    currency: text("currency").notNull(),
    discount: amount("discount"),
    instantAmount: amount("instant_amount"),
    purchaseDeadline: instant("purchase_deadline"),
    reservationAt: instant("reservation_at"),
    memoToCustomer: text("memo_to_customer").notNull().default(""),
    orderId: reference("order_id"),
    sentAt: instant("sent_at"),
    createdAt: instant("created_at").notNull(),
    modifiedAt: instant("modified_at").notNull(),
  },
  (table) => [
    vendorPrimaryKey("invoices_pk", table),
    index("invoices_created").on(table.vendorId, table.createdAt, table.id),
    index("invoices_status").on(table.vendorId, table.status, table.createdAt, table.id),
    index("invoices_customer").on(table.vendorId, table.customerId, table.createdAt, table.id),
    index("invoices_reserved")
      .on(table.vendorId, table.reservationAt, table.id)
      .where(sql`status = 'RESERVATION'`),
    index("invoices_unpaid")
      .on(table.vendorId, table.purchaseDeadline, table.id)
      .where(sql`status in ('SENT', 'SEND_FAIL')`),
    index("invoices_order").on(table.vendorId, table.orderId),
    vendorForeignKey("invoices_customer_fk", table.vendorId, table.customerId, customers),
    vendorForeignKey("invoices_order_fk", table.vendorId, table.orderId, orders),
    enumCheck("invoices_status_word", table.status, InvoiceStatus),
    enumCheck("invoices_publish_word", table.publishType, PublishType),
    enumCheck("invoices_gateway_word", table.paymentGateway, PaymentGateway),
  ],
);

/** Lines of an invoice, in the order in which they were sent. */
export const invoiceItems = pgTable(
  "invoice_items",
  {
    vendorId: vendorReference(),
    invoiceId: reference("invoice_id").notNull(),
    position: integer("position").notNull(),
    productId: reference("product_id").notNull(),
    priceId: reference("price_id").notNull(),
    /** Overrides the plan's price of one. */
    price: amount("price"),
    minimumQuantity: integer("minimum_quantity").notNull(),
    maximumQuantity: integer("maximum_quantity"),
  },
  (table) => [
    primaryKey({ name: "invoice_items_pk", columns: [table.vendorId, table.invoiceId, table.position] }),
    index("invoice_items_product").on(table.vendorId, table.productId),
    index("invoice_items_price").on(table.vendorId, table.priceId),
    vendorForeignKey("invoice_items_invoice_fk", table.vendorId, table.invoiceId, invoices),
    vendorForeignKey("invoice_items_product_fk", table.vendorId, table.productId, products),
    vendorForeignKey("invoice_items_price_fk", table.vendorId, table.priceId, pricePlans),
    check(
      "invoice_items_quantity",
      sql`${table.minimumQuantity} >= 1 and (${table.maximumQuantity} is null or ${table.maximumQuantity} >= ${table.minimumQuantity})`,
    ),
  ],
);
