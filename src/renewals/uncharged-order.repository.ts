import { and, eq, isNotNull, sql } from "drizzle-orm";
import {
  eventLog,
  orderItems,
  orders,
  orderSubscriptions,
  payments,
  subscriptions,
} from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { dueRowsOf, interval, literals, timestamp, type DueRows } from "../database/due-rows.ts";

/** An order that could not be charged at once for so long is left to the merchant. */
const IMMEDIATE_CHARGE_WINDOW_MS = 7 * 86_400_000;

/** The subscription that an order is of, where it has a stored method to charge. */
const itsSubscription = and(
  eq(orderSubscriptions.vendorId, orders.vendorId),
  eq(orderSubscriptions.orderId, orders.id),
  eq(subscriptions.vendorId, orderSubscriptions.vendorId),
  eq(subscriptions.id, orderSubscriptions.subscriptionId),
  isNotNull(subscriptions.paymentMethodId),
);

/**
 * Orders of subscriptions that are to be charged at once and were not tried so far: the last one of a postpaid subscription,
 * items that were added, a raised quota. An attempt that failed with one of the codes is no try: the order waits as long as
 * its faults have lasted, from a minute to an hour. An order that was deferred waits until the recorded time.
 */
export const unchargedOrders = (faultCodes: readonly string[]): DueRows => ({
  table: orders,
  isDue: (at) => {
    const waited = sql`greatest(interval '1 minute', least(interval '1 hour', ${payments.createdAt} - ${orders.createdAt}))`;
    return sql`${orders.chargedAtOnce} and ${orders.createdAt} >= ${at} - ${interval(IMMEDIATE_CHARGE_WINDOW_MS)}
      and ${orders.paymentDate} is null and ${orders.stockReturnedAt} is null
      and exists (select from ${orderSubscriptions}, ${subscriptions} where ${itsSubscription})
      and exists (select from ${orderItems} where ${orderItems.vendorId} = ${orders.vendorId} and ${orderItems.orderId} = ${orders.id}
        and ${orderItems.status} in ('CREATED', 'PAYMENT_FAILURE'))
      and not exists (select from ${payments} where ${payments.vendorId} = ${orders.vendorId} and ${payments.orderId} = ${orders.id}
        and not (${payments.state} = 'FAILED' and ${payments.errorCode} in (${literals(faultCodes)})
          and ${payments.createdAt} + ${waited} <= ${at}))
      and not exists (select from ${eventLog} where ${eventLog.vendorId} = ${orders.vendorId} and ${eventLog.orderId} = ${orders.id}
        and ${eventLog.trigger} = 'postponeRenewal' and (${eventLog.facts} ->> 'until')::timestamptz > ${at})`;
  },
});

/** The search for uncharged orders: its filters and its limit. */
interface UnchargedFilter {
  now: Date;
  /** Codes of failures that are the service's own. */
  faultCodes: readonly string[];
  limit: number;
  /** The only order that is searched. Defaults to all. */
  orderId?: number | undefined;
}

/** Queries for orders that are to be charged at once, without a renewal. */
export class UnchargedOrderRepository {
  constructor(private readonly db: Handle) {}

  /** Orders that are to be charged at once, with their subscription and its stored method. */
  async findUncharged(vendorId: number, { now, faultCodes, limit, orderId }: UnchargedFilter) {
    return this.db
      .select({
        orderId: orders.id,
        subscriptionId: subscriptions.id,
        createdAt: orders.createdAt,
        methodId: subscriptions.paymentMethodId,
      })
      .from(orders)
      .innerJoin(orderSubscriptions, eq(orderSubscriptions.orderId, orders.id))
      .innerJoin(subscriptions, itsSubscription)
      .where(
        and(
          dueRowsOf(unchargedOrders(faultCodes), vendorId, timestamp(now)),
          orderId === undefined ? undefined : eq(orders.id, orderId),
          eq(orderSubscriptions.vendorId, vendorId),
          eq(subscriptions.vendorId, vendorId),
        ),
      )
      .orderBy(orders.id)
      .limit(limit);
  }
}
