import { and, eq, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import {
  customers,
  orders,
  orderSubscriptions,
  products,
  subscriptionItems,
  subscriptions,
  subscriptionUnits,
} from "../../schema/tables/index.ts";
import type { SubscriptionStatus } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import {
  isOneOf,
  idIsOneOf,
  matchesKeyword,
  type TimeRange,
  isSetWithinRange,
  whenGiven,
  isWithinRange,
  allOf,
} from "../database/conditions.ts";
import { dueRowsOf, timestamp, type DueRows } from "../database/due-rows.ts";
import { ProjectedList, type ProjectedRow, type RecordSelection } from "../database/lists/projected-list.ts";
import { firstRow } from "../database/rows.ts";
import { subscriptionProjection } from "./subscription.projection.ts";

export type SubscriptionRecord = typeof subscriptions.$inferSelect;
export type SubscriptionItemRecord = typeof subscriptionItems.$inferSelect;
export type UnitRecord = typeof subscriptionUnits.$inferSelect;
export type SubscriptionValues = Omit<typeof subscriptions.$inferInsert, "id" | "vendorId">;
export type SubscriptionItemValues = Omit<typeof subscriptionItems.$inferInsert, "id" | "vendorId">;
export type UnitValues = Omit<typeof subscriptionUnits.$inferInsert, "id" | "vendorId">;

/** Filters for subscriptions. */
export interface SubscriptionFilter {
  status?: SubscriptionStatus | null;
  statuses?: SubscriptionStatus[] | null;
  customerId?: number | null;
  /** Searched in the customer's name and e-mail address and in the names of the products; or the code. */
  keyword?: string | null;
  /** Those that charge this product, or by this plan. */
  productId?: number | null;
  pricePlanId?: number | null;
  nextPaymentDate?: TimeRange | null;
  createdAt?: TimeRange | null;
}

export type SubscriptionSortField = "CREATED_AT" | "NEXT_PAYMENT_DATE";

const filterCondition = (
  { status, statuses, customerId, keyword, productId, pricePlanId, nextPaymentDate, createdAt }: SubscriptionFilter,
  vendorId: number,
) =>
  and(
    whenGiven(status, (value) => eq(subscriptions.status, value)),
    whenGiven(statuses, (values) => isOneOf(subscriptions.status, values)),
    whenGiven(customerId, (id) => eq(subscriptions.customerId, id)),
    whenGiven(keyword, (text) => keywordCondition(vendorId, text)),
    whenGiven(productId, (id) => chargesItem(vendorId, eq(subscriptionItems.productId, id))),
    whenGiven(pricePlanId, (id) => chargesItem(vendorId, eq(subscriptionItems.priceId, id))),
    isSetWithinRange(subscriptions.nextPaymentDate, nextPaymentDate),
    isWithinRange(subscriptions.createdAt, createdAt),
  );

/** Items that are charged each period: they were activated, and not removed. */
const activeItemsCondition = (vendorId: number): SQL =>
  allOf(
    eq(subscriptionItems.vendorId, vendorId),
    isNotNull(subscriptionItems.activatedAt),
    isNull(subscriptionItems.removedAt),
  );

/** The subscription charges an item that satisfies the condition. */
const chargesItem = (vendorId: number, condition: SQL): SQL =>
  sql`${subscriptions.id} in (select ${subscriptionItems.subscriptionId} from ${subscriptionItems}
    where ${and(activeItemsCondition(vendorId), condition)})`;

/** The keyword leads to customers and products by their search columns, and from them to their subscriptions; or it is the code. */
const keywordCondition = (vendorId: number, keyword: string): SQL =>
  sql`${subscriptions.id} in (
    select s."id" from ${subscriptions} s where s."vendor_id" = ${vendorId} and s."code" = ${keyword}
    union all
    select s."id" from ${customers} join ${subscriptions} s on s."vendor_id" = ${vendorId} and s."customer_id" = ${customers.id}
      where ${and(eq(customers.vendorId, vendorId), matchesKeyword(customers.searchText, keyword))}
    union all
    select ${subscriptionItems.subscriptionId} from ${products}
      join ${subscriptionItems} on ${subscriptionItems.productId} = ${products.id} and ${activeItemsCondition(vendorId)}
      where ${and(eq(products.vendorId, vendorId), matchesKeyword(products.searchText, keyword))})`;

/**
 * Subscriptions whose next charge is due and that no worker has leased. An imported one is not due before its
 * switch-over. The last charge of an ending postpaid one is made as it ends. The index over all vendors excludes leased ones.
 */
export const dueRenewals: DueRows = {
  table: subscriptions,
  isDue: (at) => sql`${subscriptions.status} in ('ACTIVE', 'QUEUEING', 'PENDING_PAUSE', 'PENDING_CANCEL')
    and ${subscriptions.nextPaymentDate} is not null
    and greatest(${subscriptions.nextPaymentDate}, ${subscriptions.leaseUntil}) <= ${at}
    and (${subscriptions.chargesFrom} is null or ${subscriptions.chargesFrom} <= ${at})
    and (${subscriptions.claimMethodType} = 'PRE'
      or ${subscriptions.nextPaymentDate} < coalesce(least(${subscriptions.endDate}, ${subscriptions.cancelAt}), 'infinity'))`,
  ofOneVendor: (at) => sql`${subscriptions.nextPaymentDate} <= ${at}`,
};

/**
 * Subscriptions with a due transition other than a charge. A charge in progress comes first, and so does one that is
 * due before a pause (`findDueTransition` returns the transition).
 */
export const dueTransitions: DueRows = {
  table: subscriptions,
  isDue: (
    at,
  ) => sql`${subscriptions.actAt} is not null and ${subscriptions.actAt} <= ${at} and ${subscriptions.status} <> 'QUEUEING'
    and (${subscriptions.actAt} = ${subscriptions.pauseAt} and ${subscriptions.nextPaymentDate} <= ${subscriptions.actAt}
      and ${subscriptions.actAt} is distinct from least(${subscriptions.endDate}, ${subscriptions.cancelAt})) is not true`,
};

/** UNPAID subscriptions with a new payment method, of which recovery has taken no note. */
export const changedMethods: DueRows = {
  table: subscriptions,
  isDue: (at) =>
    sql`${subscriptions.methodChangedAt} is not null and ${subscriptions.methodChangedAt} <= ${at} and ${subscriptions.status} = 'UNPAID'`,
};

/** Queries for the subscriptions of the billing side. */
export class SubscriptionRepository {
  readonly list: ProjectedList<SubscriptionFilter, SubscriptionSortField, "customerId">;

  constructor(private readonly db: Handle) {
    this.list = new ProjectedList(db, {
      projection: subscriptionProjection,
      sorts: { CREATED_AT: subscriptions.createdAt, NEXT_PAYMENT_DATE: subscriptions.nextPaymentDate },
      parentConditions: { customerId: subscriptions.customerId },
      filterCondition,
    });
  }

  byCode(vendorId: number, code: string, selection: RecordSelection): Promise<ProjectedRow | null> {
    return this.list.findOne(vendorId, eq(subscriptions.code, code), selection);
  }

  async add(vendorId: number, values: SubscriptionValues): Promise<SubscriptionRecord> {
    const row = firstRow(
      await this.db
        .insert(subscriptions)
        .values({ vendorId, ...values })
        .returning(),
    );
    return row;
  }

  async update(vendorId: number, id: number, values: Partial<SubscriptionValues>): Promise<void> {
    await this.db
      .update(subscriptions)
      .set(values)
      .where(and(eq(subscriptions.vendorId, vendorId), eq(subscriptions.id, id)));
  }

  /** The subscription, locked until the transaction ends, so that no two changes of it overlap. */
  async lock(vendorId: number, id: number): Promise<SubscriptionRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(subscriptions)
      .where(and(eq(subscriptions.vendorId, vendorId), eq(subscriptions.id, id)))
      .for("no key update");
    return row;
  }

  async byId(vendorId: number, id: number): Promise<SubscriptionRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(subscriptions)
      .where(and(eq(subscriptions.vendorId, vendorId), eq(subscriptions.id, id)));
    return row;
  }

  /**
   * Subscriptions whose charge is due, the longest due first, locked until the transaction ends; rows that another worker has
   * locked are skipped. One that is being charged is among them when its lease is over.
   */
  lockDue(vendorId: number, now: Date, limit: number, onlyId?: number): Promise<SubscriptionRecord[]> {
    return this.db
      .select()
      .from(subscriptions)
      .where(
        and(
          dueRowsOf(dueRenewals, vendorId, timestamp(now)),
          onlyId === undefined ? undefined : eq(subscriptions.id, onlyId),
        ),
      )
      .orderBy(subscriptions.nextPaymentDate, subscriptions.id)
      .limit(limit)
      .for("no key update", { skipLocked: true });
  }

  /** Subscriptions with another due transition, locked like those that are charged. */
  lockDueTransitions(vendorId: number, now: Date, limit: number): Promise<SubscriptionRecord[]> {
    return this.db
      .select()
      .from(subscriptions)
      .where(dueRowsOf(dueTransitions, vendorId, timestamp(now)))
      .orderBy(subscriptions.actAt, subscriptions.id)
      .limit(limit)
      .for("no key update", { skipLocked: true });
  }

  /** Numbers of the UNPAID subscriptions whose method was changed, those that wait longest first. */
  async findChangedMethods(vendorId: number, now: Date, limit: number): Promise<number[]> {
    const rows = await this.db
      .select({ id: subscriptions.id })
      .from(subscriptions)
      .where(dueRowsOf(changedMethods, vendorId, timestamp(now)))
      .orderBy(subscriptions.methodChangedAt, subscriptions.id)
      .limit(limit);
    return rows.map(({ id }) => id);
  }

  /** Numbers of the subscriptions that the payment of an order activated. */
  async idsStartedBy(vendorId: number, orderId: number): Promise<number[]> {
    const rows = await this.db
      .select({ id: orderSubscriptions.subscriptionId })
      .from(orderSubscriptions)
      .innerJoin(
        orders,
        and(eq(orders.vendorId, orderSubscriptions.vendorId), eq(orders.id, orderSubscriptions.orderId)),
      )
      .where(
        and(
          eq(orderSubscriptions.vendorId, vendorId),
          eq(orders.vendorId, vendorId),
          eq(orderSubscriptions.orderId, orderId),
          eq(orders.type, "RECURRING_INITIAL"),
        ),
      )
      .orderBy(orderSubscriptions.subscriptionId);
    return rows.map(({ id }) => id);
  }

  /** Items of a subscription, those that were removed and those not paid for yet among them, in order. */
  itemsOf(vendorId: number, subscriptionId: number): Promise<SubscriptionItemRecord[]> {
    return this.db
      .select()
      .from(subscriptionItems)
      .where(and(eq(subscriptionItems.vendorId, vendorId), eq(subscriptionItems.subscriptionId, subscriptionId)))
      .orderBy(subscriptionItems.position);
  }

  async addItem(vendorId: number, values: SubscriptionItemValues): Promise<SubscriptionItemRecord> {
    const row = firstRow(
      await this.db
        .insert(subscriptionItems)
        .values({ vendorId, ...values })
        .returning(),
    );
    return row;
  }

  async updateItem(vendorId: number, id: number, values: Partial<SubscriptionItemValues>): Promise<void> {
    await this.db
      .update(subscriptionItems)
      .set(values)
      .where(and(eq(subscriptionItems.vendorId, vendorId), eq(subscriptionItems.id, id)));
  }

  /** Changes of units of items, in order of time. */
  unitsOf(vendorId: number, itemIds: readonly number[]): Promise<UnitRecord[]> {
    return this.db
      .select()
      .from(subscriptionUnits)
      .where(and(eq(subscriptionUnits.vendorId, vendorId), idIsOneOf(subscriptionUnits.itemId, itemIds)))
      .orderBy(subscriptionUnits.at, subscriptionUnits.id);
  }

  async addUnits(vendorId: number, changes: readonly UnitValues[]): Promise<void> {
    if (changes.length > 0)
      await this.db.insert(subscriptionUnits).values(changes.map((change) => ({ vendorId, ...change })));
  }
}
