import { and, desc, eq, isNotNull, isNull } from "drizzle-orm";
import {
  covers,
  orders,
  orderSubscriptions,
  paymentMethods,
  subscriptionItems,
  subscriptions,
  products,
  vendors,
  vendorSettings,
} from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";

/** Queries for the page on which a payer stores another payment method. */
export class PaymentMethodPageRepository {
  constructor(private readonly db: Handle) {}

  /** Finds an order by its id, with the subscription that it charges. */
  async findOrder(vendorId: number, orderId: number) {
    const [found] = await this.db
      .select({ type: orders.type, parentSubscriptionId: orders.parentSubscriptionId })
      .from(orders)
      .where(and(eq(orders.vendorId, vendorId), eq(orders.id, orderId)));
    return found;
  }

  /** Finds a subscription with its payment method, its first product and its shop. */
  async findSubscription(vendorId: number, subscriptionId: number) {
    const [found] = await this.db
      .select({
        id: subscriptions.id,
        code: subscriptions.code,
        status: subscriptions.status,
        customerId: subscriptions.customerId,
        currency: subscriptions.currency,
        paymentMethodId: subscriptions.paymentMethodId,
        methodChangedAt: subscriptions.methodChangedAt,
        paymentInfo: paymentMethods.paymentInfo,
        shop: vendors.name,
        zoneId: vendors.zoneId,
        shopEmail: vendorSettings.email,
      })
      .from(subscriptions)
      .innerJoin(vendors, eq(vendors.id, subscriptions.vendorId))
      .innerJoin(vendorSettings, eq(vendorSettings.vendorId, subscriptions.vendorId))
      .leftJoin(
        paymentMethods,
        and(eq(paymentMethods.vendorId, subscriptions.vendorId), eq(paymentMethods.id, subscriptions.paymentMethodId)),
      )
      .where(and(eq(subscriptions.vendorId, vendorId), eq(subscriptions.id, subscriptionId)));
    return found;
  }

  /** The name of the product that a subscription charges first. */
  async findProductName(vendorId: number, subscriptionId: number): Promise<string | undefined> {
    const [found] = await this.db
      .select({ name: products.name })
      .from(subscriptionItems)
      .innerJoin(
        products,
        and(eq(products.vendorId, subscriptionItems.vendorId), eq(products.id, subscriptionItems.productId)),
      )
      .where(
        and(
          eq(subscriptionItems.vendorId, vendorId),
          eq(subscriptionItems.subscriptionId, subscriptionId),
          isNotNull(subscriptionItems.activatedAt),
          isNull(subscriptionItems.removedAt),
        ),
      )
      .orderBy(subscriptionItems.position)
      .limit(1);
    return found?.name;
  }

  /** The newest cover of a subscription's renewals, with the order that it recovers. */
  async findLatestCover(vendorId: number, subscriptionId: number) {
    const [found] = await this.db
      .select({
        state: covers.state,
        retryAt: covers.retryAt,
        promisedAt: covers.promisedAt,
        windowStart: covers.windowStart,
        zoneId: covers.zoneId,
        currency: orders.currency,
        amount: orders.amount,
        paidAmount: orders.paidAmount,
      })
      .from(covers)
      .innerJoin(orders, and(eq(orders.vendorId, covers.vendorId), eq(orders.id, covers.renewalOrderId)))
      .where(and(eq(covers.vendorId, vendorId), eq(covers.renewalSubscriptionId, subscriptionId)))
      .orderBy(desc(covers.startedAt), desc(covers.id))
      .limit(1);
    return found;
  }

  /** The newest order by which the payer of a subscription stores a payment method. */
  async findNewestMethodOrder(vendorId: number, subscriptionId: number): Promise<number | undefined> {
    const [newest] = await this.db
      .select({ id: orders.id })
      .from(orderSubscriptions)
      .innerJoin(
        orders,
        and(eq(orders.vendorId, orderSubscriptions.vendorId), eq(orders.id, orderSubscriptions.orderId)),
      )
      .where(
        and(
          eq(orderSubscriptions.vendorId, vendorId),
          eq(orderSubscriptions.subscriptionId, subscriptionId),
          eq(orders.vendorId, vendorId),
          eq(orders.type, "PAYMENT_METHOD"),
        ),
      )
      .orderBy(desc(orders.id))
      .limit(1);
    return newest?.id;
  }
}

type Repository = PaymentMethodPageRepository;
export type PageSubscription = NonNullable<Awaited<ReturnType<Repository["findSubscription"]>>>;
