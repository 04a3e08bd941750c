import { and, eq } from "drizzle-orm";
import { invoices, orderItems, orders, vendors, vendorSettings } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";

const shown = {
  id: orders.id,
  code: orders.code,
  currency: orders.currency,
  amount: orders.amount,
  paidAmount: orders.paidAmount,
  returnedAmount: orders.returnedAmount,
  purchaseDeadline: orders.purchaseDeadline,
  shop: vendors.name,
  zoneId: vendors.zoneId,
  shopEmail: vendorSettings.email,
  memo: invoices.memoToCustomer,
};

const shownItem = {
  type: orderItems.type,
  status: orderItems.status,
  name: orderItems.orderedProductName,
  planName: orderItems.orderedPlanName,
  optionLabel: orderItems.optionLabel,
  discountName: orderItems.discountName,
  quantity: orderItems.quantity,
  amount: orderItems.amount,
  demoCycleNum: orderItems.demoCycleNum,
  demoCycleType: orderItems.demoCycleType,
};

/** Every question that the checkout asks of an order and its shop. */
export class CheckoutRepository {
  constructor(private readonly db: Handle) {}

  /** What a link to an order is made from, by the order's number or its code. */
  async linked(vendorId: number, order: { id: number } | { code: string }) {
    const [found] = await this.db
      .select({ id: orders.id, code: orders.code, returnOrigins: vendorSettings.returnOrigins })
      .from(orders)
      .innerJoin(vendorSettings, eq(vendorSettings.vendorId, orders.vendorId))
      .where(and(eq(orders.vendorId, vendorId), "id" in order ? eq(orders.id, order.id) : eq(orders.code, order.code)));
    return found;
  }

  /** What a payer sees of an order, its lines in order. */
  async order(vendorId: number, orderId: number) {
    const [order] = await this.db
      .select(shown)
      .from(orders)
      .innerJoin(vendors, eq(vendors.id, orders.vendorId))
      .innerJoin(vendorSettings, eq(vendorSettings.vendorId, orders.vendorId))
      .leftJoin(invoices, and(eq(invoices.vendorId, orders.vendorId), eq(invoices.orderId, orders.id)))
      .where(and(eq(orders.vendorId, vendorId), eq(orders.id, orderId)));
    if (!order) return undefined;
    const items = await this.db
      .select(shownItem)
      .from(orderItems)
      .where(and(eq(orderItems.vendorId, vendorId), eq(orderItems.orderId, orderId)))
      .orderBy(orderItems.position);
    return { ...order, items };
  }
}

export type CheckoutOrder = NonNullable<Awaited<ReturnType<CheckoutRepository["order"]>>>;
