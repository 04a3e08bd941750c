import { and, desc, eq, gte, inArray, isNull, sql } from "drizzle-orm";
import { orderItems, orders, orderSubscriptions, renewals } from "../../schema/tables/index.ts";
import type { RegionCode } from "../../schema/regions.ts";
import type { Handle } from "../database/client.ts";
import { bigintArray } from "../database/conditions.ts";
import { required } from "../kernel/required-values.ts";

const joinOrder = and(eq(orders.vendorId, orderSubscriptions.vendorId), eq(orders.id, orderSubscriptions.orderId));
const joinLines = and(eq(orderItems.vendorId, orders.vendorId), eq(orderItems.orderId, orders.id));

const methodOrdersOf = (vendorId: number, subscriptionId: number) =>
  and(
    eq(orderSubscriptions.vendorId, vendorId),
    eq(orderSubscriptions.subscriptionId, subscriptionId),
    eq(orders.vendorId, vendorId),
    eq(orders.type, "PAYMENT_METHOD"),
  );

/** Queries for the orders that start, renew and change subscriptions. */
export class SubscriptionOrderRepository {
  constructor(private readonly db: Handle) {}

  /** Numbers of the subscriptions that an order belongs to. */
  async subscriptionsOf(vendorId: number, orderId: number): Promise<number[]> {
    const rows = await this.db
      .select({ id: orderSubscriptions.subscriptionId })
      .from(orderSubscriptions)
      .where(and(eq(orderSubscriptions.vendorId, vendorId), eq(orderSubscriptions.orderId, orderId)))
      .orderBy(orderSubscriptions.subscriptionId);
    return rows.map(({ id }) => id);
  }

  async addSubscription(vendorId: number, orderId: number, subscriptionId: number): Promise<void> {
    await this.db.insert(orderSubscriptions).values({ vendorId, orderId, subscriptionId });
  }

  /** Number of the order that charges a period, if there is one. */
  async renewalOrderId(vendorId: number, subscriptionId: number, dueAt: Date): Promise<number | undefined> {
    const [row] = await this.db
      .select({ orderId: renewals.orderId })
      .from(renewals)
      .where(
        and(eq(renewals.vendorId, vendorId), eq(renewals.subscriptionId, subscriptionId), eq(renewals.dueAt, dueAt)),
      );
    return row?.orderId;
  }

  async addRenewal(vendorId: number, values: Omit<typeof renewals.$inferInsert, "vendorId">): Promise<void> {
    await this.db.insert(renewals).values({ vendorId, ...values });
  }

  /** The region in which the first order of a subscription was sold. */
  async regionOf(vendorId: number, subscriptionId: number): Promise<RegionCode | null> {
    const [first] = await this.db
      .select({ region: orders.region })
      .from(orderSubscriptions)
      .innerJoin(orders, joinOrder)
      .where(
        and(
          eq(orderSubscriptions.vendorId, vendorId),
          eq(orders.vendorId, vendorId),
          eq(orderSubscriptions.subscriptionId, subscriptionId),
          eq(orders.type, "RECURRING_INITIAL"),
        ),
      );
    return first?.region ?? null;
  }

  /** Codes of the orders, by items of subscriptions, that are about to be charged for a change of them. */
  async pendingChanges(vendorId: number, itemIds: readonly number[]): Promise<Map<number, string>> {
    const rows = await this.db
      .select({ itemId: orderItems.relatedSubscriptionItemId, code: orders.code })
      .from(orderItems)
      .innerJoin(orders, joinLines)
      .where(
        and(
          eq(orderItems.vendorId, vendorId),
          eq(orders.vendorId, vendorId),
          inArray(orderItems.relatedSubscriptionItemId, [...itemIds]),
          eq(orderItems.type, "ADDS"),
          inArray(orderItems.status, ["CREATED", "DEPOSIT_WAITING"]),
          isNull(orders.stockReturnedAt),
        ),
      );
    return new Map(rows.map(({ itemId, code }) => [required(itemId, "itemId"), code]));
  }

  /** Numbers of the orders that were to change the plan of an item, and whose charge failed. */
  async failedPlanChanges(vendorId: number, itemId: number): Promise<number[]> {
    const rows = await this.db
      .selectDistinct({ id: orderItems.orderId })
      .from(orderItems)
      .where(
        and(
          eq(orderItems.vendorId, vendorId),
          eq(orderItems.relatedSubscriptionItemId, itemId),
          eq(orderItems.changesPlan, true),
          eq(orderItems.status, "PAYMENT_FAILURE"),
        ),
      );
    return rows.map(({ id }) => id);
  }

  /**
   * Numbers of the unpaid orders for changes of a subscription: they are about to be charged, or their charge failed.
   */
  async unpaidChanges(vendorId: number, subscriptionId: number): Promise<number[]> {
    const rows = await this.db
      .selectDistinct({ id: orders.id })
      .from(orderSubscriptions)
      .innerJoin(orders, joinOrder)
      .innerJoin(orderItems, joinLines)
      .where(
        and(
          eq(orderSubscriptions.vendorId, vendorId),
          eq(orders.vendorId, vendorId),
          eq(orderItems.vendorId, vendorId),
          eq(orderSubscriptions.subscriptionId, subscriptionId),
          inArray(orders.type, ["ADDITIONAL", "ADD_USAGE"]),
          inArray(orderItems.status, ["CREATED", "DEPOSIT_WAITING", "PAYMENT_FAILURE"]),
        ),
      )
      .orderBy(orders.id);
    return rows.map(({ id }) => id);
  }

  /** Number of the newest order by which a payer stores a payment method for a subscription, if it is unpaid. */
  async findOpenMethodOrder(vendorId: number, subscriptionId: number): Promise<number | undefined> {
    const [newest] = await this.db
      .select({ id: orders.id, status: orderItems.status })
      .from(orderSubscriptions)
      .innerJoin(orders, joinOrder)
      .innerJoin(orderItems, joinLines)
      .where(and(methodOrdersOf(vendorId, subscriptionId), eq(orderItems.vendorId, vendorId)))
      .orderBy(desc(orders.id))
      .limit(1);
    return newest?.status === "CREATED" || newest?.status === "PAYMENT_FAILURE" ? newest.id : undefined;
  }

  /** The number of orders by which payers stored payment methods for a subscription since an instant, or can still do so. */
  async countMethodOrders(vendorId: number, subscriptionId: number, since: Date): Promise<number> {
    const rows = await this.db
      .select({ id: orders.id })
      .from(orderSubscriptions)
      .innerJoin(orders, joinOrder)
      .where(and(methodOrdersOf(vendorId, subscriptionId), gte(orders.createdAt, since)));
    return rows.length;
  }

  /**
   * Those of some subscriptions whose renewal depends on more than their own rows: stock that is counted, options, bundles, child
   * vendors, a change of a plan, or a customer who is woken or was erased.
   */
  async findSharedRenewals(vendorId: number, ids: readonly number[]): Promise<number[]> {
    const rows = (await this.db.execute(sql`
      select s."id" from "subscriptions" s join "customers" c on c."vendor_id" = ${vendorId}::bigint and c."id" = s."customer_id"
      where s."vendor_id" = ${vendorId}::bigint and s."id" = any(${bigintArray(ids)})
        and (c."status" <> 'NORMAL' or c."erased_at" is not null or exists (
          select from "subscription_items" i join "products" p on p."vendor_id" = ${vendorId}::bigint and p."id" = i."product_id"
          where i."vendor_id" = ${vendorId}::bigint and i."subscription_id" = s."id" and i."removed_at" is null
            and (p."quantity" is not null or p."use_combination" or p."child_vendor_id" is not null or i."option_ids" <> '{}'
              or i."parent_item_id" is not null or i."next_price_id" is not null)))`)) as Iterable<{ id: string }>;
    return Array.from(rows, ({ id }) => Number(id));
  }

  /** Number of the last order that charges a subscription. */
  async latestRenewalOrderId(vendorId: number, subscriptionId: number): Promise<number | undefined> {
    const [newest] = await this.db
      .select({ id: orders.id })
      .from(orders)
      .where(
        and(
          eq(orders.vendorId, vendorId),
          eq(orders.parentSubscriptionId, subscriptionId),
          eq(orders.type, "RECURRING"),
        ),
      )
      .orderBy(desc(orders.createdAt), desc(orders.id))
      .limit(1);
    return newest?.id;
  }
}
