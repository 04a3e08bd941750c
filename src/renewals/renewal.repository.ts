import { and, eq, gte, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import {
  events,
  orderItems,
  orders,
  orderSubscriptions,
  payments,
  renewals,
  subscriptions,
} from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";

/** Which orders are to be charged at once: made since an instant, and at most so many. */
interface UnchargedFilter {
  now: Date;
  since: Date;
  /** Failures with these are nobody's but ours. */
  faultCodes: readonly string[];
  limit: number;
  /** The only order that is searched. Defaults to all. */
  orderId?: number | undefined;
}

/** Every question we ask of orders that are to be charged at once, without a renewal. */
export class RenewalRepository {
  constructor(private readonly db: Handle) {}

  /**
   * Orders of subscriptions that are to be charged at once and were not tried so far: the last one of a postpaid
   * subscription, items that were added, a raised quota. One that a fault kept from being charged was not tried; each of its
   * waits is twice the last one, from a minute to an hour. One that was put off waits for as long as that was told.
   */
  async findUncharged(vendorId: number, { now, since, faultCodes, limit, orderId }: UnchargedFilter) {
    const isOpen = sql`exists (select from ${orderItems} where ${orderItems.vendorId} = ${orders.vendorId}
      and ${orderItems.orderId} = ${orders.id} and ${orderItems.status} in ('CREATED', 'PAYMENT_FAILURE'))`;
    const currentDelay = sql`greatest(interval '1 minute', least(interval '1 hour', ${payments.createdAt} - ${orders.createdAt}))`;
    const isAttempted = sql`exists (select from ${payments} where ${payments.vendorId} = ${orders.vendorId} and ${payments.orderId} = ${orders.id}
      and not (${payments.state} = 'FAILED' and ${inArray(payments.errorCode, [...faultCodes])}
        and ${payments.createdAt} + ${currentDelay} <= ${now.toISOString()}::timestamptz))`;
    const isRenewal = sql`exists (select from ${renewals} where ${renewals.vendorId} = ${orders.vendorId} and ${renewals.orderId} = ${orders.id})`;
    const isDeferred = sql`exists (select from ${events} where ${events.vendorId} = ${orders.vendorId} and ${events.orderId} = ${orders.id}
      and ${events.trigger} = 'postponeRenewal' and (${events.facts} ->> 'until')::timestamptz > ${now.toISOString()}::timestamptz)`;
    return this.db
      .select({
        orderId: orders.id,
        subscriptionId: subscriptions.id,
        createdAt: orders.createdAt,
        methodId: subscriptions.paymentMethodId,
      })
      .from(orders)
      .innerJoin(
        orderSubscriptions,
        and(eq(orderSubscriptions.vendorId, orders.vendorId), eq(orderSubscriptions.orderId, orders.id)),
      )
      .innerJoin(
        subscriptions,
        and(
          eq(subscriptions.vendorId, orderSubscriptions.vendorId),
          eq(subscriptions.id, orderSubscriptions.subscriptionId),
        ),
      )
      .where(
        and(
          eq(orders.vendorId, vendorId),
          orderId === undefined ? undefined : eq(orders.id, orderId),
          eq(orderSubscriptions.vendorId, vendorId),
          eq(subscriptions.vendorId, vendorId),
          inArray(orders.type, ["RECURRING", "ADDITIONAL", "ADD_USAGE"]),
          gte(orders.createdAt, since),
          isNull(orders.paymentDate),
          isNull(orders.stockReturnedAt),
          isNotNull(subscriptions.paymentMethodId),
          sql`${isOpen} and not ${isAttempted} and not ${isRenewal} and not ${isDeferred}`,
        ),
      )
      .orderBy(orders.id)
      .limit(limit);
  }
}
