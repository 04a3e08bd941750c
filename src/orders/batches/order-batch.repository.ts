import { and, eq, inArray } from "drizzle-orm";
import { orderItemHistories, orderItems, orderLogs, orders } from "../../../schema/tables/index.ts";
import { batchCalls, batchListReads, batchReads, batchWrites } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";
import { insertRowBatch, updateRowBatch } from "../../database/row-batches.ts";
import { getOrThrow } from "../../kernel/required-values.ts";
import {
  OrderRepository,
  type LineLink,
  type LineMove,
  type OrderItemRecord,
  type OrderRecord,
} from "../order.repository.ts";
import { OrderTotalsRepository, type NewOrder } from "../order-totals.repository.ts";

type OrderValues = Parameters<OrderRepository["add"]>[1];
type OrderChange = Parameters<OrderRepository["update"]>[2];
type ItemChange = Parameters<OrderRepository["updateItem"]>[2];
type NewLines = { orderId: number; lines: Parameters<OrderRepository["addLines"]>[2] };

/** Orders of work that runs many times at once in one transaction: one statement for the calls of all. */
export class OrderBatchRepository extends OrderRepository {
  private readonly inserts;
  private readonly lineInserts;
  private readonly newCounts;
  private readonly moves;
  private readonly logInserts;
  private readonly historyInserts;
  private readonly locks;
  private readonly itemReads;
  private readonly childReads;
  private readonly updates;
  private readonly itemUpdates;

  constructor(private readonly handle: Handle) {
    super(handle);
    this.inserts = batchCalls<OrderValues, OrderRecord>(async (vendorId, all) => {
      await insertRowBatch(handle, orders, vendorId, all);
      const keys = all.map(({ idKey }) => idKey);
      const added = await handle
        .select()
        .from(orders)
        .where(and(eq(orders.vendorId, vendorId), inArray(orders.idKey, keys)));
      const byKey = new Map(added.map((order) => [order.idKey, order]));
      return keys.map((key) => getOrThrow(byKey, key));
    });
    this.lineInserts = batchWrites<NewLines>((vendorId, all) =>
      insertRowBatch(
        handle,
        orderItems,
        vendorId,
        all.flatMap(({ orderId, lines }) => lines.map((line) => ({ orderId, ...line }))),
      ),
    );
    const totals = new OrderTotalsRepository(handle);
    this.newCounts = batchWrites<NewOrder>((vendorId, all) => totals.addOrders(vendorId, all));
    this.moves = batchWrites<{ orderId: number; moves: readonly LineMove[] }>(async (vendorId, all) => {
      const moves = all.flatMap((call) => call.moves);
      await updateRowBatch(handle, orderItems, vendorId, moves);
      await totals.updateStates(vendorId, [...new Set(all.map(({ orderId }) => orderId))]);
    });
    this.logInserts = batchWrites<Omit<typeof orderLogs.$inferInsert, "vendorId">>((vendorId, all) =>
      insertRowBatch(handle, orderLogs, vendorId, all),
    );
    this.historyInserts = batchWrites<Parameters<OrderRepository["addHistories"]>[1]>((vendorId, all) =>
      insertRowBatch(handle, orderItemHistories, vendorId, all.flat()),
    );
    this.locks = batchListReads<number, OrderRecord>(
      (vendorId, ids) => super.lock(vendorId, ids),
      ({ id }) => id,
    );
    this.itemReads = batchReads<number, OrderItemRecord>(
      (vendorId, orderIds) =>
        handle
          .select()
          .from(orderItems)
          .where(and(eq(orderItems.vendorId, vendorId), idIsOneOf(orderItems.orderId, orderIds)))
          .orderBy(orderItems.orderId, orderItems.position),
      ({ orderId }) => orderId,
    );
    this.childReads = batchReads<number, OrderRecord>(
      (vendorId, ids) =>
        handle
          .select()
          .from(orders)
          .where(and(eq(orders.parentVendorId, vendorId), idIsOneOf(orders.parentOrderId, ids)))
          .orderBy(orders.vendorId, orders.id),
      ({ parentOrderId }) => parentOrderId ?? 0,
    );
    this.updates = batchWrites<{ id: number; values: OrderChange }>((vendorId, all) =>
      updateRowBatch(handle, orders, vendorId, all),
    );
    this.itemUpdates = batchWrites<{ id: number; values: ItemChange }>((vendorId, all) =>
      updateRowBatch(handle, orderItems, vendorId, all),
    );
  }

  override add(vendorId: number, values: OrderValues): Promise<OrderRecord> {
    return this.inserts(vendorId, values);
  }

  protected override insertLines(
    vendorId: number,
    orderId: number,
    lines: NewLines["lines"],
    links: readonly LineLink[],
  ): Promise<void> {
    // Linked lines need the numbers of the others.
    return links.length > 0
      ? super.insertLines(vendorId, orderId, lines, links)
      : this.lineInserts(vendorId, { orderId, lines });
  }

  protected override countNewOrder(vendorId: number, order: NewOrder): Promise<void> {
    return this.newCounts(vendorId, order);
  }

  override moveLines(vendorId: number, orderId: number, moves: readonly LineMove[]): Promise<void> {
    return this.moves(vendorId, { orderId, moves });
  }

  override addLog(vendorId: number, orderId: number, values: Parameters<OrderRepository["addLog"]>[2]): Promise<void> {
    return this.logInserts(vendorId, { orderId, ...values });
  }

  override addHistories(vendorId: number, entries: Parameters<OrderRepository["addHistories"]>[1]): Promise<void> {
    return this.historyInserts(vendorId, entries);
  }

  override lock(vendorId: number, orderIds: readonly number[]): Promise<OrderRecord[]> {
    return this.locks(vendorId, orderIds);
  }

  override itemsOf(vendorId: number, orderId: number): Promise<OrderItemRecord[]> {
    return this.itemReads(vendorId, orderId);
  }

  override childrenOf(vendorId: number, id: number): Promise<OrderRecord[]> {
    return this.childReads(vendorId, id);
  }

  override update(vendorId: number, id: number, values: OrderChange): Promise<void> {
    return this.updates(vendorId, { id, values });
  }

  override updateItem(vendorId: number, id: number, values: ItemChange): Promise<void> {
    return this.itemUpdates(vendorId, { id, values });
  }
}
