import { and, eq, inArray, sql } from "drizzle-orm";
import { refundItems, refunds } from "../../../schema/tables/index.ts";
import type { PaymentState } from "../../../schema/vocabulary.ts";
import type { Handle } from "../../database/client.ts";
import { dueRowsOf, literals, timestamp, type DueRows } from "../../database/due-rows.ts";
import { firstRow } from "../../database/rows.ts";
import type { Amount } from "../../kernel/amounts.ts";

export type RefundRecord = typeof refunds.$inferSelect;
type RefundValues = Omit<typeof refunds.$inferInsert, "id" | "vendorId">;

/** The refunded part of a line. */
export interface RefundItem {
  itemId: number;
  amount: Amount;
}

const OPEN_STATES: PaymentState[] = ["PENDING", "UNKNOWN"];

/** Open refunds that are due to be sent, or looked up at their gateway. */
export const dueRefunds: DueRows = {
  table: refunds,
  isDue: (at) =>
    sql`${refunds.lookUpAt} is not null and ${refunds.lookUpAt} <= ${at} and ${refunds.state} in (${literals(OPEN_STATES)})`,
};

/** Queries for refunds. */
export class RefundRepository {
  constructor(private readonly db: Handle) {}

  async add(vendorId: number, values: RefundValues, items: readonly RefundItem[]): Promise<RefundRecord> {
    const row = firstRow(
      await this.db
        .insert(refunds)
        .values({ vendorId, ...values })
        .returning(),
    );
    if (items.length > 0)
      await this.db.insert(refundItems).values(items.map((part) => ({ vendorId, refundId: row.id, ...part })));
    return row;
  }

  async change(vendorId: number, id: number, values: Partial<RefundValues>): Promise<RefundRecord> {
    const row = firstRow(
      await this.db
        .update(refunds)
        .set(values)
        .where(and(eq(refunds.vendorId, vendorId), eq(refunds.id, id)))
        .returning(),
    );
    return row;
  }

  async byId(vendorId: number, id: number): Promise<RefundRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(refunds)
      .where(and(eq(refunds.vendorId, vendorId), eq(refunds.id, id)));
    return row;
  }

  async lock(vendorId: number, id: number): Promise<RefundRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(refunds)
      .where(and(eq(refunds.vendorId, vendorId), eq(refunds.id, id)))
      .for("no key update");
    return row;
  }

  byIds(vendorId: number, ids: readonly number[]): Promise<RefundRecord[]> {
    return this.db
      .select()
      .from(refunds)
      .where(and(eq(refunds.vendorId, vendorId), inArray(refunds.id, [...ids])))
      .orderBy(refunds.id);
  }

  /** Those of an order that are under way. */
  openOf(vendorId: number, orderId: number): Promise<RefundRecord[]> {
    return this.db
      .select()
      .from(refunds)
      .where(and(eq(refunds.vendorId, vendorId), eq(refunds.orderId, orderId), inArray(refunds.state, OPEN_STATES)));
  }

  itemsOf(vendorId: number, refundId: number): Promise<RefundItem[]> {
    return this.db
      .select({ itemId: refundItems.itemId, amount: refundItems.amount })
      .from(refundItems)
      .where(and(eq(refundItems.vendorId, vendorId), eq(refundItems.refundId, refundId)));
  }

  /** Open refunds of a vendor that are due to be sent or looked up, oldest first. */
  dueForLookUp(vendorId: number, now: Date, limit: number): Promise<RefundRecord[]> {
    return this.db
      .select()
      .from(refunds)
      .where(dueRowsOf(dueRefunds, vendorId, timestamp(now)))
      .orderBy(refunds.lookUpAt, refunds.id)
      .limit(limit);
  }
}
