import { and, desc, eq } from "drizzle-orm";
import {
  gatewayAccounts,
  invoices,
  orderItems,
  orders,
  payments,
  vendors,
  vendorSettings,
} from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";

const orderColumns = {
  id: orders.id,
  code: orders.code,
  type: orders.type,
  currency: orders.currency,
  amount: orders.amount,
  paidAmount: orders.paidAmount,
  returnedAmount: orders.returnedAmount,
  purchaseDeadline: orders.purchaseDeadline,
  paymentGateway: orders.paymentGateway,
  allowedPaymentMethods: orders.allowedPaymentMethods,
  parentOrderId: orders.parentOrderId,
  shop: vendors.name,
  zoneId: vendors.zoneId,
  shopEmail: vendorSettings.email,
  termsUseCheckBox: vendorSettings.termsUseCheckBox,
  termsAgree: vendorSettings.termsAgree,
  memo: invoices.memoToCustomer,
  instantAmount: invoices.instantAmount,
};

const itemColumns = {
  id: orderItems.id,
  type: orderItems.type,
  status: orderItems.status,
  name: orderItems.orderedProductName,
  planName: orderItems.orderedPlanName,
  optionLabel: orderItems.optionLabel,
  discountName: orderItems.discountName,
  quantity: orderItems.quantity,
  minimumQuantity: orderItems.minimumQuantity,
  maximumQuantity: orderItems.maximumQuantity,
  amount: orderItems.amount,
  demoCycleNum: orderItems.demoCycleNum,
  demoCycleType: orderItems.demoCycleType,
};

const paymentColumns = {
  id: payments.id,
  state: payments.state,
  challengeUrl: payments.challengeUrl,
  vbank: payments.vbank,
  paymentMethod: payments.paymentMethod,
  paymentGateway: payments.paymentGateway,
  cardNumber: payments.cardNumber,
  network: payments.network,
  errorCode: payments.errorCode,
  errorMessage: payments.errorMessage,
  adviceCode: payments.adviceCode,
  settledAt: payments.settledAt,
};

/** The checkout's queries for an order and its shop. */
export class CheckoutRepository {
  constructor(private readonly db: Handle) {}

  /** Finds the order of a link by its id or its code, with the vendor's return origins. */
  async findLinkTarget(vendorId: number, order: { id: number } | { code: string }) {
    const [found] = await this.db
      .select({ id: orders.id, code: orders.code, returnOrigins: vendorSettings.returnOrigins })
      .from(orders)
      .innerJoin(vendorSettings, eq(vendorSettings.vendorId, orders.vendorId))
      .where(and(eq(orders.vendorId, vendorId), "id" in order ? eq(orders.id, order.id) : eq(orders.code, order.code)));
    return found;
  }

  /** Finds an order with its lines and its last payment. */
  async findOrder(vendorId: number, orderId: number) {
    const [order] = await this.db
      .select(orderColumns)
      .from(orders)
      .innerJoin(vendors, eq(vendors.id, orders.vendorId))
      .innerJoin(vendorSettings, eq(vendorSettings.vendorId, orders.vendorId))
      .leftJoin(invoices, and(eq(invoices.vendorId, orders.vendorId), eq(invoices.orderId, orders.id)))
      .where(and(eq(orders.vendorId, vendorId), eq(orders.id, orderId)));
    if (!order) return undefined;
    const items = await this.db
      .select(itemColumns)
      .from(orderItems)
      .where(and(eq(orderItems.vendorId, vendorId), eq(orderItems.orderId, orderId)))
      .orderBy(orderItems.position);
    const [payment = null] = await this.db
      .select(paymentColumns)
      .from(payments)
      .where(and(eq(payments.vendorId, vendorId), eq(payments.orderId, orderId)))
      .orderBy(desc(payments.id))
      .limit(1);
    return { ...order, items, payment };
  }

  /** Lists the vendor's gateway accounts by priority. */
  listGatewayAccounts(vendorId: number) {
    return this.db
      .select({
        gateway: gatewayAccounts.gateway,
        adapter: gatewayAccounts.adapter,
        methods: gatewayAccounts.methods,
        currencies: gatewayAccounts.currencies,
        enabled: gatewayAccounts.enabled,
      })
      .from(gatewayAccounts)
      .where(eq(gatewayAccounts.vendorId, vendorId))
      .orderBy(gatewayAccounts.priority, gatewayAccounts.id);
  }
}

export type CheckoutOrder = NonNullable<Awaited<ReturnType<CheckoutRepository["findOrder"]>>>;
