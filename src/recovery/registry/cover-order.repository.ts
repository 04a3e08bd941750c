import { and, eq, sql } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { among, when, within, type Period } from "../../database/conditions.ts";
import { anyOf, Keyset } from "../../database/keyset-list.ts";
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

/** Which orders are asked for. */
export interface CoverOrderFilter {
  statuses?: CoverOrderStatus[] | null;
  customerId?: number | null;
  subscriptionId?: number | null;
  createdAt?: Period | null;
}

/** How many renewals a subscription embeds, newest first; the connection has them all. */
const EMBEDDED_RENEWALS = 100;

/** Every question we ask of the registered orders and their lines. */
export class CoverOrderRepository extends RegisteredRepository<typeof coverOrders> {
  readonly list: Keyset<CoverOrderRecord, CoverOrderFilter, "CREATED_AT", "customerId" | "subscriptionId">;

  constructor(db: Handle) {
    super(db, coverOrders, coverOrders.partnerOrderId);
    this.list = new Keyset(db, {
      table: coverOrders,
      sorts: { CREATED_AT: { expression: coverOrders.createdAt, valueOf: (row) => row.createdAt } },
      parents: { customerId: coverOrders.customerId, subscriptionId: coverOrders.subscriptionId },
      matching: ({ statuses, customerId, subscriptionId, createdAt }) =>
        and(
          when(statuses, (words) => among(coverOrders.status, words)),
          when(customerId, (id) => eq(coverOrders.customerId, id)),
          when(subscriptionId, (id) => eq(coverOrders.subscriptionId, id)),
          within(coverOrders.createdAt, createdAt),
        ),
    });
  }

  /** For the loader: the lines of many orders, in the order in which they were sent. */
  itemsOf(vendorId: number, orderIds: readonly number[]): Promise<CoverOrderItemRecord[]> {
    return this.db
      .select()
      .from(coverOrderItems)
      .where(and(eq(coverOrderItems.vendorId, vendorId), anyOf(coverOrderItems.orderId, orderIds)))
      .orderBy(coverOrderItems.orderId, coverOrderItems.position);
  }

  /** Swaps the lines of an order for others. */
  async setItems(vendorId: number, orderId: number, lines: readonly CoverOrderLine[]): Promise<void> {
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

  /** For the loader: the newest orders of many subscriptions besides the one that each began with. */
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
          anyOf(coverOrders.subscriptionId, subscriptionIds),
          sql`${coverSubscriptions.initialOrderId} is distinct from ${coverOrders.id}`,
        ),
      )
      .as("ranked");
    const rows = await this.db
      .select({ order: coverOrders, rank: ranked.rank })
      .from(ranked)
      .innerJoin(coverOrders, and(eq(coverOrders.vendorId, vendorId), eq(coverOrders.id, ranked.id)))
      .where(sql`${ranked.rank} <= ${EMBEDDED_RENEWALS}`)
      .orderBy(ranked.rank);
    return rows.map(({ order }) => order);
  }
}
