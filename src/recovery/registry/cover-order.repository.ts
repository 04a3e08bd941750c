import { and, eq, sql } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { isOneOf, idIsOneOf, type TimeRange, whenGiven, isWithinRange } from "../../database/conditions.ts";
import { RecordList } from "../../database/lists/record-list.ts";
import { RegisteredRepository } from "../../database/registered.repository.ts";
import { coverOrderItems, coverOrders, coverSubscriptions } from "../../../schema/tables/index.ts";
import type { CoverOrderStatus } from "../../../schema/vocabulary.ts";

export type CoverOrderRecord = typeof coverOrders.$inferSelect;
export type CoverOrderItemRecord = typeof coverOrderItems.$inferSelect;

/** One line as a merchant sends it. */
export interface CoverOrderLine {
  priceId: number;
  quantity: number;
}

/** Filters for registered orders. */
export interface CoverOrderFilter {
  statuses?: CoverOrderStatus[] | null;
  customerId?: number | null;
  subscriptionId?: number | null;
  createdAt?: TimeRange | null;
}

/** Number of renewals that a subscription embeds, newest first; the connection has all of them. */
const MAX_EMBEDDED_RENEWALS = 100;

/** Queries for the registered orders and their lines. */
export class CoverOrderRepository extends RegisteredRepository<typeof coverOrders> {
  readonly list: RecordList<CoverOrderRecord, CoverOrderFilter, "CREATED_AT", "customerId" | "subscriptionId">;

  constructor(db: Handle) {
    super(db, coverOrders, coverOrders.partnerOrderId);
    this.list = new RecordList(db, {
      table: coverOrders,
      sorts: { CREATED_AT: coverOrders.createdAt },
      parentConditions: { customerId: coverOrders.customerId, subscriptionId: coverOrders.subscriptionId },
      filterCondition: ({ statuses, customerId, subscriptionId, createdAt }) =>
        and(
          whenGiven(statuses, (words) => isOneOf(coverOrders.status, words)),
          whenGiven(customerId, (id) => eq(coverOrders.customerId, id)),
          whenGiven(subscriptionId, (id) => eq(coverOrders.subscriptionId, id)),
          isWithinRange(coverOrders.createdAt, createdAt),
        ),
    });
  }

  /** For the loader: the lines of many orders, in the order in which they were sent. */
  itemsOf(vendorId: number, orderIds: readonly number[]): Promise<CoverOrderItemRecord[]> {
    return this.db
      .select()
      .from(coverOrderItems)
      .where(and(eq(coverOrderItems.vendorId, vendorId), idIsOneOf(coverOrderItems.orderId, orderIds)))
      .orderBy(coverOrderItems.orderId, coverOrderItems.position);
  }

  /** Swaps the lines of an order for others. */
  async replaceItems(vendorId: number, orderId: number, lines: readonly CoverOrderLine[]): Promise<void> {
    await this.db
      .delete(coverOrderItems)
      .where(and(eq(coverOrderItems.vendorId, vendorId), eq(coverOrderItems.orderId, orderId)));
    await this.addItems(vendorId, orderId, lines);
  }

  /** Gives a new order its lines. */
  async addItems(vendorId: number, orderId: number, lines: readonly CoverOrderLine[]): Promise<void> {
    const rows = lines.map(({ priceId, quantity }, position) => ({ vendorId, orderId, position, priceId, quantity }));
    await this.db.insert(coverOrderItems).values(rows);
  }

  /** For the loader: the newest orders of many subscriptions, without the first one of each. */
  async renewalsOf(vendorId: number, subscriptionIds: readonly number[]): Promise<CoverOrderRecord[]> {
    const rank = sql<number>`row_number() over (partition by ${coverOrders.subscriptionId} order by ${coverOrders.createdAt} desc, ${coverOrders.id} desc)`;
    const ranked = this.db
      .select({ id: coverOrders.id, rank: rank.as("rank") })
      .from(coverOrders)
      .innerJoin(
        coverSubscriptions,
        and(eq(coverSubscriptions.vendorId, vendorId), eq(coverSubscriptions.id, coverOrders.subscriptionId)),
      )
      .where(
        and(
          eq(coverOrders.vendorId, vendorId),
          idIsOneOf(coverOrders.subscriptionId, subscriptionIds),
          sql`${coverSubscriptions.initialOrderId} is distinct from ${coverOrders.id}`,
        ),
      )
      .as("ranked");
    const rows = await this.db
      .select({ order: coverOrders, rank: ranked.rank })
      .from(ranked)
      .innerJoin(coverOrders, and(eq(coverOrders.vendorId, vendorId), eq(coverOrders.id, ranked.id)))
      .where(sql`${ranked.rank} <= ${MAX_EMBEDDED_RENEWALS}`)
      .orderBy(ranked.rank);
    return rows.map(({ order }) => order);
  }
}
