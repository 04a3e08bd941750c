import { and, eq, gte, ilike, like, lte, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { RegionCode } from "../../schema/regions.ts";
import { orders, orderStates, orderSubscriptions } from "../../schema/tables/index.ts";
import type { OrderItemStatus, OrderSearchTarget, OrderType } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import {
  isOneOf,
  containsPattern,
  phoneDigitsOf,
  matchesKeyword,
  isSetWithinRange,
  whenGiven,
  isWithinRange,
  type TimeRange,
  allOf,
} from "../database/conditions.ts";
import type { SortOrder } from "../database/lists/paged-list.ts";
import { ProjectedList } from "../database/lists/projected-list.ts";
import type { Amount } from "../kernel/amounts.ts";
import { OrderCountRepository } from "./order-count.repository.ts";
import { orderProjection } from "./order.projection.ts";

/** Filters for orders. */
export interface OrderFilter {
  /** Those with a product line in this state. */
  status?: OrderItemStatus | null;
  /** Those with a product line in one of these states. */
  statuses?: OrderItemStatus[] | null;
  /** Those that were paid in this period. */
  paymentDate?: TimeRange | null;
  createdAt?: TimeRange | null;
  type?: OrderType | null;
  region?: RegionCode | null;
  customerId?: number | null;
  keyword?: string | null;
  /** The texts to search for the keyword. Defaults to all. */
  target?: OrderSearchTarget | null;
  minimumAmount?: Amount | null;
  maximumAmount?: Amount | null;
}

export type OrderSortField =
  | "CREATED_AT"
  | "MODIFIED_AT"
  | "PAYMENT_DATE"
  | "PURCHASE_DEADLINE"
  | "PAID_AMOUNT"
  | "CUSTOMER_NAME"
  | "PRODUCT_NAME"
  | "CODE"
  | "ID";

/** The owner of the listed orders: a customer or a subscription. */
export type OrderParent = "customerId" | "subscriptionId";

/**
 * Lists the vendor's orders. If the filter has only a status and a period, daily counts answer totals and far pages.
 */
export class OrderList extends ProjectedList<OrderFilter, OrderSortField, OrderParent> {
  private readonly counts: OrderCountRepository;

  constructor(db: Handle) {
    super(db, {
      projection: orderProjection,
      sorts: {
        CREATED_AT: orders.createdAt,
        MODIFIED_AT: orders.modifiedAt,
        PAYMENT_DATE: orders.paymentDate,
        PURCHASE_DEADLINE: orders.purchaseDeadline,
        PAID_AMOUNT: orders.paidAmount,
        CUSTOMER_NAME: orders.customerName,
        PRODUCT_NAME: orders.productName,
        CODE: orders.code,
        ID: orders.id,
      },
      parentConditions: { customerId: orders.customerId, subscriptionId: belongsToSubscription },
      filterCondition,
    });
    this.counts = new OrderCountRepository(db);
  }

  override count(vendorId: number, filter: OrderFilter): Promise<number> {
    return isAnsweredByDailyCounts(filter)
      ? this.counts.count(vendorId, filter.status, filter.createdAt)
      : super.count(vendorId, filter);
  }

  protected override idsOfPage(
    vendorId: number,
    filter: OrderFilter,
    offset: number,
    size: number,
    sorting: SortOrder<OrderSortField>,
  ): SQL {
    const isNear = filter.status == null && offset <= MAX_NEAR_OFFSET;
    if (isNear || !isAnsweredByDailyCounts(filter) || sorting.field !== "CREATED_AT")
      return super.idsOfPage(vendorId, filter, offset, size, sorting);
    return this.counts.keysAt(vendorId, filter.status, filter.createdAt, offset, size, sorting.direction);
  }
}

/** The orders before a page that are passed over as fast as the counts of a year's days are read. */
const MAX_NEAR_OFFSET = 1_000;

/** True if the daily counts can answer this filter. */
const isAnsweredByDailyCounts = ({ status: _, createdAt: __, target: ___, ...others }: OrderFilter): boolean =>
  Object.values(others).every((value) => value == null);

/** The orders that belong to a subscription: its first, its renewals and its changes. */
const belongsToSubscription = (subscriptionId: SQL, vendorId: number): SQL =>
  sql`${orders.id} in (select ${orderSubscriptions.orderId} from ${orderSubscriptions}
    where ${orderSubscriptions.vendorId} = ${vendorId} and ${orderSubscriptions.subscriptionId} = ${subscriptionId})`;

/** The order has a product line whose status satisfies the condition. */
const hasLine = (state: SQL): SQL =>
  sql`exists (select from ${orderStates} where ${orderStates.vendorId} = ${orders.vendorId} and ${orderStates.orderId} = ${orders.id} and ${state})`;

const filterCondition = ({
  status,
  statuses,
  paymentDate,
  createdAt,
  type,
  region,
  customerId,
  keyword,
  target,
  minimumAmount,
  maximumAmount,
}: OrderFilter) =>
  and(
    whenGiven(status, (value) => hasLine(eq(orderStates.status, value))),
    whenGiven(statuses, (values) => hasLine(isOneOf(orderStates.status, values))),
    isSetWithinRange(orders.paymentDate, paymentDate),
    whenGiven(type, (value) => eq(orders.type, value)),
    whenGiven(region, (code) => eq(orders.region, code)),
    whenGiven(customerId, (id) => eq(orders.customerId, id)),
    whenGiven(keyword, (text) => keywordCondition(text, target)),
    whenGiven(minimumAmount, (amount) => gte(orders.amount, amount)),
    whenGiven(maximumAmount, (amount) => lte(orders.amount, amount)),
    isWithinRange(orders.createdAt, createdAt),
  );

const searchColumnByTarget: Record<Exclude<OrderSearchTarget, "PHONE">, PgColumn> = {
  ORDER_CODE: orders.code,
  PRODUCT_NAME: orders.productName,
  CUSTOMER_NAME: orders.customerName,
  EMAIL: orders.customerEmail,
};

/**
 * The target, or any text, contains the keyword. Phone numbers are compared by their digits. The search column finds
 * the orders; where it cannot distinguish its texts, the text itself is compared.
 */
function keywordCondition(keyword: string, target: OrderSearchTarget | null | undefined): SQL {
  const digits = phoneDigitsOf(keyword);
  const inTexts = matchesKeyword(orders.searchText, keyword);
  const inPhone =
    digits === null
      ? sql`false`
      : allOf(matchesKeyword(orders.searchText, digits), like(orders.customerPhone, containsPattern(digits)));
  if (target === "PHONE") return inPhone;
  if (target) return allOf(inTexts, ilike(searchColumnByTarget[target], containsPattern(keyword)));
  return digits === null || digits === keyword ? inTexts : sql`(${inTexts} or ${inPhone})`;
}
