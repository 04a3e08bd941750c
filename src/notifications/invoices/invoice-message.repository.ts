import { and, eq } from "drizzle-orm";
import { customers, invoices, orderItems, orders } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";

/** Queries for the invoices that messages are about. */
export class InvoiceMessageRepository {
  constructor(private readonly db: Handle) {}

  /** An invoice with its customer and its order; undefined before it was sent. */
  async findSent(vendorId: number, invoiceId: number) {
    const [found] = await this.db
      .select({
        id: invoices.id,
        status: invoices.status,
        sentAt: invoices.sentAt,
        publishMethods: invoices.publishMethods,
        region: invoices.region,
        memo: invoices.memoToCustomer,
        instantAmount: invoices.instantAmount,
        customerId: customers.id,
        customerName: customers.name,
        email: customers.email,
        phone: customers.phone,
        customerRegion: customers.region,
        additionalRecipients: customers.additionalRecipients,
        orderId: orders.id,
        orderCode: orders.code,
        currency: orders.currency,
        amount: orders.amount,
        paidAmount: orders.paidAmount,
        purchaseDeadline: orders.purchaseDeadline,
      })
      .from(invoices)
      .innerJoin(customers, and(eq(customers.vendorId, vendorId), eq(customers.id, invoices.customerId)))
      .innerJoin(orders, and(eq(orders.vendorId, vendorId), eq(orders.id, invoices.orderId)))
      .where(and(eq(invoices.vendorId, vendorId), eq(invoices.id, invoiceId)));
    return found;
  }

  /** The lines of an order, in their order. */
  linesOf(vendorId: number, orderId: number) {
    return this.db
      .select({
        type: orderItems.type,
        name: orderItems.orderedProductName,
        planName: orderItems.orderedPlanName,
        optionLabel: orderItems.optionLabel,
        discountName: orderItems.discountName,
        quantity: orderItems.quantity,
        amount: orderItems.amount,
      })
      .from(orderItems)
      .where(and(eq(orderItems.vendorId, vendorId), eq(orderItems.orderId, orderId)))
      .orderBy(orderItems.position);
  }
}

export type SentInvoice = NonNullable<Awaited<ReturnType<InvoiceMessageRepository["findSent"]>>>;
export type SentInvoiceLine = Awaited<ReturnType<InvoiceMessageRepository["linesOf"]>>[number];
