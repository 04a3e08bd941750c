import { and, eq, inArray, isNotNull, isNull, ne, notInArray, or, sql } from "drizzle-orm";
import {
  customers,
  orderItems,
  orders,
  payments,
  pricePlans,
  products,
  subscriptionItems,
  subscriptions,
} from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { idIsOneOf } from "../database/conditions.ts";
import { required } from "../kernel/required-values.ts";

/** An attempt to pay another order of a customer for a product. */
export interface CompetingPayment {
  productId: number;
  paymentId: number;
  /** Whether it waits for its payer: for a confirmation, or for a deposit. */
  waits: boolean;
}

/** States of unpaid lines. */
const unpaidStatuses = ["CREATED", "DEPOSIT_WAITING", "PAYMENT_FAILURE"] as const;

/** Questions about what a customer may use once: what it bought, what it subscribes to, and what it is paying for now. */
export class OrderEligibilityRepository {
  constructor(private readonly db: Handle) {}

  /** The products among these that the customer has paid for in another order, including later refunded ones. */
  async productsBoughtBefore(
    vendorId: number,
    customerId: number,
    productIds: readonly number[],
    exceptOrderId: number | null = null,
  ): Promise<Set<number>> {
    if (productIds.length === 0) return new Set();
    const rows = await this.db
      .selectDistinct({ productId: orderItems.productId })
      .from(orderItems)
      .innerJoin(orders, and(eq(orders.vendorId, orderItems.vendorId), eq(orders.id, orderItems.orderId)))
      .where(
        and(
          eq(orderItems.vendorId, vendorId),
          eq(orders.vendorId, vendorId),
          eq(orders.customerId, customerId),
          exceptOrderId === null ? undefined : ne(orders.id, exceptOrderId),
          idIsOneOf(orderItems.productId, productIds),
          notInArray(orderItems.status, [...unpaidStatuses, "CANCELLED"]),
        ),
      );
    return new Set(rows.flatMap(({ productId }) => productId ?? []));
  }

  /** Locks a customer until the transaction ends, so that no two of its orders use what it may use once. */
  async lockCustomer(vendorId: number, customerId: number): Promise<void> {
    await this.db
      .select({ id: customers.id })
      .from(customers)
      .where(and(eq(customers.vendorId, vendorId), eq(customers.id, customerId)))
      .for("no key update");
  }

  /**
   * Attempts to pay other orders of a customer that have some of the products: those whose outcome is open, and those by which
   * a part was paid. An order that is paid whole has none.
   */
  async competingPayments(
    vendorId: number,
    customerId: number,
    orderId: number,
    productIds: readonly number[],
  ): Promise<CompetingPayment[]> {
    const rows = await this.db
      .selectDistinct({
        productId: orderItems.productId,
        paymentId: payments.id,
        waits: sql<boolean>`${payments.state} <> 'SUCCEEDED' and (${payments.challengeUrl} is not null or ${payments.vbank} is not null)`,
      })
      .from(orders)
      .innerJoin(orderItems, and(eq(orderItems.vendorId, orders.vendorId), eq(orderItems.orderId, orders.id)))
      .innerJoin(payments, and(eq(payments.vendorId, orders.vendorId), eq(payments.orderId, orders.id)))
      .where(
        and(
          eq(orders.vendorId, vendorId),
          eq(orderItems.vendorId, vendorId),
          eq(payments.vendorId, vendorId),
          eq(orders.customerId, customerId),
          ne(orders.id, orderId),
          inArray(orders.type, ["ONE_TIME", "RECURRING_INITIAL", "ADDITIONAL"]),
          idIsOneOf(orderItems.productId, productIds),
          inArray(orderItems.status, [...unpaidStatuses]),
          ne(payments.state, "FAILED"),
        ),
      );
    return rows.map((row) => ({ ...row, productId: required(row.productId, "productId") }));
  }

  /** Products of an order that start a subscription and allow only one: those of its lines, and those that join by it. */
  async oneTimeProductsOf(vendorId: number, orderId: number): Promise<number[]> {
    const rows = await this.db
      .selectDistinct({ id: products.id })
      .from(orderItems)
      .innerJoin(products, and(eq(products.vendorId, orderItems.vendorId), eq(products.id, orderItems.productId)))
      .innerJoin(pricePlans, and(eq(pricePlans.vendorId, orderItems.vendorId), eq(pricePlans.id, orderItems.priceId)))
      .where(
        and(
          eq(orderItems.vendorId, vendorId),
          eq(products.vendorId, vendorId),
          eq(pricePlans.vendorId, vendorId),
          eq(orderItems.orderId, orderId),
          isNull(orderItems.parentItemId),
          eq(products.isOnetimePurchasable, true),
          isNotNull(pricePlans.recurringInterval),
          or(
            eq(orderItems.type, "SKU"),
            // An item that is raised is there already.
            and(
              eq(orderItems.type, "ADDS"),
              sql`exists (select from ${subscriptionItems} where ${subscriptionItems.vendorId} = ${orderItems.vendorId}
                and ${subscriptionItems.id} = ${orderItems.relatedSubscriptionItemId} and ${subscriptionItems.activatedAt} is null)`,
            ),
          ),
        ),
      );
    return rows.map(({ id }) => id);
  }

  /**
   * The products among these that the customer has in a live subscription; excludes items that are to join one, or have
   * left it.
   */
  async productsWithLiveSubscription(
    vendorId: number,
    customerId: number,
    productIds: readonly number[],
  ): Promise<Set<number>> {
    if (productIds.length === 0) return new Set();
    const rows = await this.db
      .selectDistinct({ productId: subscriptionItems.productId })
      .from(subscriptions)
      .innerJoin(
        subscriptionItems,
        and(
          eq(subscriptionItems.vendorId, subscriptions.vendorId),
          eq(subscriptionItems.subscriptionId, subscriptions.id),
        ),
      )
      .where(
        and(
          eq(subscriptions.vendorId, vendorId),
          eq(subscriptionItems.vendorId, vendorId),
          eq(subscriptions.customerId, customerId),
          sql`${subscriptions.status} not in ('CANCELED', 'EXPIRED')`,
          isNotNull(subscriptionItems.activatedAt),
          isNull(subscriptionItems.removedAt),
          idIsOneOf(subscriptionItems.productId, productIds),
        ),
      );
    return new Set(rows.map(({ productId }) => productId));
  }
}
