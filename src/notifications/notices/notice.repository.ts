import { and, eq, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import type { RegionCode } from "../../../schema/regions.ts";
import {
  customers,
  orders,
  orderSubscriptions,
  paymentMethods,
  pricePlans,
  subscriptionItems,
  subscriptions,
} from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";

/** Queries for the subscriptions and the customers that notices are about. */
export class NoticeRepository {
  constructor(private readonly db: Handle) {}

  /** A subscription with its customer and its stored payment method. */
  async findSubscription(vendorId: number, subscriptionId: number) {
    const [found] = await this.db
      .select({
        id: subscriptions.id,
        nextPaymentDate: subscriptions.nextPaymentDate,
        trialEndDate: subscriptions.trialEndDate,
        interval: subscriptions.interval,
        intervalCount: subscriptions.intervalCount,
        paymentInfo: paymentMethods.paymentInfo,
        isMetered: isMetered(vendorId),
        region: regionOfFirstOrder(vendorId),
        customerId: customers.id,
        customerName: customers.name,
        customerRegion: customers.region,
        email: customers.email,
      })
      .from(subscriptions)
      .innerJoin(customers, and(eq(customers.vendorId, vendorId), eq(customers.id, subscriptions.customerId)))
      .leftJoin(
        paymentMethods,
        and(eq(paymentMethods.vendorId, vendorId), eq(paymentMethods.id, subscriptions.paymentMethodId)),
      )
      .where(and(eq(subscriptions.vendorId, vendorId), eq(subscriptions.id, subscriptionId)));
    return found;
  }

  /** A stored payment method with its customer, and the subscription that is charged by it next; undefined without one. */
  async findChargedMethod(vendorId: number, methodId: number) {
    const [found] = await this.db
      .select({
        id: paymentMethods.id,
        paymentInfo: paymentMethods.paymentInfo,
        expiresAt: paymentMethods.expiresAt,
        subscriptionId: subscriptions.id,
        nextPaymentDate: subscriptions.nextPaymentDate,
        region: regionOfFirstOrder(vendorId),
        customerId: customers.id,
        customerName: customers.name,
        customerRegion: customers.region,
        email: customers.email,
      })
      .from(paymentMethods)
      .innerJoin(
        subscriptions,
        and(eq(subscriptions.vendorId, vendorId), eq(subscriptions.paymentMethodId, paymentMethods.id)),
      )
      .innerJoin(customers, and(eq(customers.vendorId, vendorId), eq(customers.id, subscriptions.customerId)))
      .where(
        and(
          eq(paymentMethods.vendorId, vendorId),
          eq(paymentMethods.id, methodId),
          isNull(paymentMethods.removedAt),
          isNotNull(subscriptions.nextPaymentDate),
        ),
      )
      .orderBy(subscriptions.nextPaymentDate, subscriptions.id)
      .limit(1);
    return found;
  }

  /** A customer who may become dormant. */
  async findCustomer(vendorId: number, customerId: number) {
    const [found] = await this.db
      .select({ status: customers.status, name: customers.name, lastActiveAt: customers.lastActiveAt })
      .from(customers)
      .where(and(eq(customers.vendorId, vendorId), eq(customers.id, customerId), hasNoLiveSubscription(vendorId)));
    return found;
  }
}

/** Whether the amount of a charge depends on the use until then. */
const isMetered = (vendorId: number): SQL<boolean> =>
  sql<boolean>`exists (select from ${subscriptionItems}
    join ${pricePlans} on ${pricePlans.vendorId} = ${vendorId} and ${pricePlans.id} = ${subscriptionItems.priceId}
    where ${subscriptionItems.vendorId} = ${vendorId} and ${subscriptionItems.subscriptionId} = ${subscriptions.id}
      and ${subscriptionItems.activatedAt} is not null and ${subscriptionItems.removedAt} is null
      and ${pricePlans.claimMethodType} = 'POST' and ${pricePlans.type} in ('UNIT_BASED', 'USAGE_BASED'))`;

const hasNoLiveSubscription = (vendorId: number): SQL =>
  sql`not exists (select from ${subscriptions} where ${subscriptions.vendorId} = ${vendorId}
    and ${subscriptions.customerId} = ${customers.id} and ${subscriptions.status} not in ('CANCELED', 'EXPIRED'))`;

const regionOfFirstOrder = (vendorId: number): SQL<RegionCode | null> =>
  sql<RegionCode | null>`(select ${orders.region} from ${orderSubscriptions}
    join ${orders} on ${orders.vendorId} = ${vendorId} and ${orders.id} = ${orderSubscriptions.orderId}
    where ${orderSubscriptions.vendorId} = ${vendorId} and ${orderSubscriptions.subscriptionId} = ${subscriptions.id}
      and ${orders.type} = 'RECURRING_INITIAL' limit 1)`;

export type NoticeSubscription = NonNullable<Awaited<ReturnType<NoticeRepository["findSubscription"]>>>;
