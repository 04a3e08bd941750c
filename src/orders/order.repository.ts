import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import {
  orderItemHistories,
  orderItems,
  orderLogs,
  orders,
  subscriptions,
  timedStatuses,
} from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { idIsOneOf } from "../database/conditions.ts";
import { dueRowsOf, literals, timestamp, type DueRows } from "../database/due-rows.ts";
import { insertRows } from "../database/prepared-statements.ts";
import { insertRowBatch, updateRowBatch } from "../database/row-batches.ts";
import { ProjectedList, type ProjectedRow, type RecordSelection } from "../database/lists/projected-list.ts";
import { firstRow } from "../database/rows.ts";
import { getOrThrow } from "../kernel/required-values.ts";
import { startInOrder } from "../kernel/scheduling/start-in-order.ts";
import { OrderList, type OrderFilter, type OrderParent, type OrderSortField } from "./order-list.repository.ts";
import { CreatedOrderList } from "./created-order-list.repository.ts";
import { OrderTotalsRepository, type NewOrder } from "./order-totals.repository.ts";
import { orderItemProjection } from "./order.projection.ts";

export type OrderRecord = typeof orders.$inferSelect;
export type OrderItemRecord = typeof orderItems.$inferSelect;
export type OrderItemValues = Omit<typeof orderItems.$inferInsert, "id" | "vendorId" | "orderId">;
type LogValues = Omit<typeof orderLogs.$inferInsert, "id" | "vendorId" | "orderId">;
type HistoryValues = Omit<typeof orderItemHistories.$inferInsert, "id" | "vendorId">;
type OrderValues = Omit<typeof orders.$inferInsert, "id" | "vendorId">;
/** Columns by which no list counts orders. A line changes its state by moveLines, and stays of its type. */
type ItemChange = Partial<Omit<OrderItemValues, "status" | "type">>;
type OrderChange = Partial<Omit<OrderValues, "createdAt">>;

/** The new values of a line that changes its state. */
export interface LineMove {
  id: number;
  values: Partial<OrderItemValues>;
}

/** A line that belongs to others: the one that it reduces or taxes, and its bundle's; by their places. */
export interface LineLink {
  position: number;
  related: number | null;
  parent: number | null;
}

/**
 * Orders that reserve stock although they are unpaid after their deadline. Child orders are included through their
 * parents', and a failed renewal keeps its stock until its subscription has ended. No deadline is before the creation,
 * with which the index begins.
 */
export const ordersToReleaseStock: DueRows = {
  table: orders,
  isDue: (
    at,
  ) => sql`${orders.stockReturnedAt} is null and ${orders.paymentDate} is null and ${orders.parentOrderId} is null
    and coalesce(${orders.purchaseDeadline}, ${orders.createdAt} + interval '24 hours') <= ${at}
    and (${orders.type} in ('ONE_TIME', 'RECURRING_INITIAL') or (${orders.type} = 'RECURRING' and ${orders.claimMethodType} = 'PRE'
      and exists (select from ${subscriptions} where ${subscriptions.vendorId} = ${orders.vendorId}
        and ${subscriptions.id} = ${orders.parentSubscriptionId} and ${subscriptions.status} in ('CANCELED', 'EXPIRED'))))`,
  ofOneVendor: (at) => sql`${orders.createdAt} <= ${at}`,
};

/**
 * The due time of an order item's transition. An item that an older version of the gateway moved has no time yet: its
 * last change counts.
 */
const itemDueAt = sql`coalesce(${orderItems.transitionAt}, ${orderItems.modifiedAt})`;

/** Order items that time alone leads on by now. */
export const dueOrderItems: DueRows = {
  table: orderItems,
  isDue: (at) => sql`${orderItems.status} in (${literals(timedStatuses)}) and ${itemDueAt} <= ${at}`,
};

/** Queries for orders. */
export class OrderRepository {
  readonly list: ProjectedList<OrderFilter, OrderSortField, OrderParent>;
  /** Orders that were just created: what they cannot have is not read. */
  readonly created: ProjectedList<object>;
  readonly items: ProjectedList<object>;
  private readonly totals: OrderTotalsRepository;

  constructor(private readonly db: Handle) {
    this.totals = new OrderTotalsRepository(db);
    this.list = new OrderList(db);
    this.created = new CreatedOrderList(db, this.list);
    this.items = new ProjectedList(db, {
      projection: orderItemProjection,
      sorts: {},
      parentConditions: {},
      filterCondition: () => undefined,
    });
  }

  byCode(vendorId: number, code: string, selection: RecordSelection): Promise<ProjectedRow | null> {
    return this.list.findOne(vendorId, eq(orders.code, code), selection);
  }

  byIdKey(vendorId: number, idKey: string, selection: RecordSelection): Promise<ProjectedRow | null> {
    return this.list.findOne(vendorId, eq(orders.idKey, idKey), selection);
  }

  async add(vendorId: number, values: OrderValues): Promise<OrderRecord> {
    return firstRow(await insertRows(this.db, orders, [{ vendorId, ...values }]));
  }

  /** The lines of a new order, in order, and which of them belong to which others; the order is counted with them. */
  async addLines(
    vendorId: number,
    { id, createdAt }: Pick<OrderRecord, "id" | "createdAt">,
    lines: readonly OrderItemValues[],
    links: readonly LineLink[],
  ): Promise<void> {
    const writes = await startInOrder(
      () => this.insertLines(vendorId, id, lines, links),
      () => this.countNewOrder(vendorId, { id, createdAt, lines }),
    );
    for (const write of writes) await write;
  }

  protected async insertLines(
    vendorId: number,
    orderId: number,
    lines: readonly OrderItemValues[],
    links: readonly LineLink[],
  ): Promise<void> {
    const rows = await insertRowBatch(
      this.db,
      orderItems,
      vendorId,
      lines.map((line) => ({ orderId, ...line })),
      [orderItems.id, orderItems.position],
    );
    const ids = new Map(rows.map(({ id, position }) => [Number(position), Number(id)]));
    const idAt = (position: number | null) => (position === null ? null : getOrThrow(ids, position));
    for (const { position, related, parent } of links) {
      await this.db
        .update(orderItems)
        .set({ relatedItemId: idAt(related), parentItemId: idAt(parent) })
        .where(and(eq(orderItems.vendorId, vendorId), eq(orderItems.id, getOrThrow(ids, position))));
    }
  }

  protected countNewOrder(vendorId: number, order: NewOrder): Promise<void> {
    return this.totals.addOrders(vendorId, [order]);
  }

  /** One more line of a locked order. @returns its number. */
  async addLine(vendorId: number, orderId: number, line: OrderItemValues): Promise<number> {
    const row = firstRow(
      await this.db
        .insert(orderItems)
        .values({ vendorId, orderId, ...line })
        .returning({ id: orderItems.id }),
    );
    if (line.type === "SKU") await this.totals.updateStates(vendorId, [orderId]);
    return row.id;
  }

  /** Changes lines of a locked order with their states, and the states of the order with them. */
  async moveLines(vendorId: number, orderId: number, moves: readonly LineMove[]): Promise<void> {
    await updateRowBatch(this.db, orderItems, vendorId, moves);
    await this.totals.updateStates(vendorId, [orderId]);
  }

  async addLog(vendorId: number, orderId: number, values: LogValues): Promise<void> {
    await this.db.insert(orderLogs).values({ vendorId, orderId, ...values });
  }

  /** The orders, locked until the transaction ends, so that no two transitions of their lines overlap. */
  lock(vendorId: number, orderIds: readonly number[]): Promise<OrderRecord[]> {
    return this.db
      .select()
      .from(orders)
      .where(and(eq(orders.vendorId, vendorId), idIsOneOf(orders.id, orderIds)))
      .orderBy(orders.id)
      .for("no key update");
  }

  async byId(vendorId: number, id: number): Promise<OrderRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(orders)
      .where(and(eq(orders.vendorId, vendorId), eq(orders.id, id)));
    return row;
  }

  /** Orders that reserve stock past their deadline, the oldest first, locked until the transaction ends. */
  lockExpiredUnpaid(vendorId: number, now: Date, limit: number): Promise<OrderRecord[]> {
    return this.db
      .select()
      .from(orders)
      .where(dueRowsOf(ordersToReleaseStock, vendorId, timestamp(now)))
      .orderBy(orders.createdAt, orders.id)
      .limit(limit)
      .for("no key update", { skipLocked: true });
  }

  /** Orders after the given number with an unpaid amount, by their numbers, without child orders. */
  unpaidAfter(vendorId: number, orderId: number, limit: number): Promise<OrderRecord[]> {
    return this.db
      .select()
      .from(orders)
      .where(
        and(
          eq(orders.vendorId, vendorId),
          gt(orders.id, orderId),
          isNull(orders.parentOrderId),
          lt(orders.paidAmount, orders.amount),
        ),
      )
      .orderBy(orders.id)
      .limit(limit);
  }

  /**
   * Orders with due order items, locked until the transaction ends; those that another transaction has locked are
   * skipped.
   */
  lockWithDueItems(vendorId: number, now: Date, limit: number): Promise<OrderRecord[]> {
    const due = sql`select ${orderItems.orderId} from ${orderItems} where ${dueRowsOf(dueOrderItems, vendorId, timestamp(now))}
      order by ${itemDueAt}, ${orderItems.id} limit ${limit}`;
    return this.db
      .select()
      .from(orders)
      .where(and(eq(orders.vendorId, vendorId), sql`${orders.id} in (${due})`))
      .orderBy(orders.id)
      .for("no key update", { skipLocked: true });
  }

  /** The orders that it made at child vendors. */
  childrenOf(vendorId: number, id: number): Promise<OrderRecord[]> {
    return this.db
      .select()
      .from(orders)
      .where(and(eq(orders.parentVendorId, vendorId), eq(orders.parentOrderId, id)))
      .orderBy(orders.vendorId, orders.id);
  }

  /** Lines by their numbers. */
  itemsByIds(vendorId: number, ids: readonly number[]): Promise<OrderItemRecord[]> {
    return this.db
      .select()
      .from(orderItems)
      .where(and(eq(orderItems.vendorId, vendorId), idIsOneOf(orderItems.id, ids)))
      .orderBy(orderItems.id);
  }

  /** All lines of an order, in order. */
  itemsOf(vendorId: number, orderId: number): Promise<OrderItemRecord[]> {
    return this.db
      .select()
      .from(orderItems)
      .where(and(eq(orderItems.vendorId, vendorId), eq(orderItems.orderId, orderId)))
      .orderBy(orderItems.position);
  }

  async updateItem(vendorId: number, id: number, values: ItemChange): Promise<void> {
    await this.db
      .update(orderItems)
      .set(values)
      .where(and(eq(orderItems.vendorId, vendorId), eq(orderItems.id, id)));
  }

  async update(vendorId: number, id: number, values: OrderChange): Promise<void> {
    await this.db
      .update(orders)
      .set(values)
      .where(and(eq(orders.vendorId, vendorId), eq(orders.id, id)));
  }

  async addHistories(vendorId: number, entries: readonly HistoryValues[]): Promise<void> {
    await this.db.insert(orderItemHistories).values(entries.map((entry) => ({ vendorId, ...entry })));
  }
}
