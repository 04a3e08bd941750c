import { and, eq, sql } from "drizzle-orm";
import { invoiceItems, invoices } from "../../schema/tables/index.ts";
import type { InvoiceStatus } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { whenGiven, isWithinRange, type TimeRange } from "../database/conditions.ts";
import { dueRowsOf, timestamp, type DueRows } from "../database/due-rows.ts";
import { ProjectedList } from "../database/lists/projected-list.ts";
import { firstRow } from "../database/rows.ts";
import { invoiceProjection } from "./invoice.projection.ts";

export type InvoiceRecord = typeof invoices.$inferSelect;
export type InvoiceItemRecord = typeof invoiceItems.$inferSelect;
export type InvoiceValues = Omit<typeof invoices.$inferInsert, "id" | "vendorId">;
export type InvoiceItemValues = Omit<typeof invoiceItems.$inferInsert, "vendorId" | "invoiceId" | "position">;

/** Filters for invoices. */
export interface InvoiceFilter {
  status?: InvoiceStatus | null;
  customerId?: number | null;
  createdAt?: TimeRange | null;
}

/** Scheduled invoices whose time of sending has come. */
export const reservedInvoices: DueRows = {
  table: invoices,
  isDue: (at) => sql`${invoices.status} = 'RESERVATION' and ${invoices.reservationAt} <= ${at}`,
};

/** Sent invoices that are unpaid after their deadline. */
export const overdueInvoices: DueRows = {
  table: invoices,
  isDue: (at) => sql`${invoices.status} in ('SENT', 'SEND_FAIL') and ${invoices.purchaseDeadline} <= ${at}`,
};

/** Queries for invoices. */
export class InvoiceRepository {
  readonly list: ProjectedList<InvoiceFilter, "CREATED_AT", "customerId">;

  constructor(private readonly db: Handle) {
    this.list = new ProjectedList(db, {
      projection: invoiceProjection,
      sorts: { CREATED_AT: invoices.createdAt },
      parentConditions: { customerId: invoices.customerId },
      filterCondition: ({ status, customerId, createdAt }) =>
        and(
          whenGiven(status, (word) => eq(invoices.status, word)),
          whenGiven(customerId, (id) => eq(invoices.customerId, id)),
          isWithinRange(invoices.createdAt, createdAt),
        ),
    });
  }

  /** Finds an invoice and locks it until the transaction ends. */
  async lock(vendorId: number, id: number): Promise<InvoiceRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(invoices)
      .where(and(eq(invoices.vendorId, vendorId), eq(invoices.id, id)))
      .for("no key update");
    return row;
  }

  /** Locks scheduled invoices that are due. Rows that another worker has locked are skipped. */
  lockDueReservations(vendorId: number, now: Date, limit: number): Promise<InvoiceRecord[]> {
    return this.db
      .select()
      .from(invoices)
      .where(dueRowsOf(reservedInvoices, vendorId, timestamp(now)))
      .orderBy(invoices.reservationAt, invoices.id)
      .limit(limit)
      .for("no key update", { skipLocked: true });
  }

  /** Locks invoices that are unpaid after their deadline. Rows that another worker has locked are skipped. */
  lockOverdue(vendorId: number, now: Date, limit: number): Promise<InvoiceRecord[]> {
    return this.db
      .select()
      .from(invoices)
      .where(dueRowsOf(overdueInvoices, vendorId, timestamp(now)))
      .orderBy(invoices.purchaseDeadline, invoices.id)
      .limit(limit)
      .for("no key update", { skipLocked: true });
  }

  /** Finds the invoice that created an order, and locks it until the transaction ends. */
  async lockByOrder(vendorId: number, orderId: number): Promise<InvoiceRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(invoices)
      .where(and(eq(invoices.vendorId, vendorId), eq(invoices.orderId, orderId)))
      .for("no key update");
    return row;
  }

  itemsOf(vendorId: number, invoiceId: number): Promise<InvoiceItemRecord[]> {
    return this.db
      .select()
      .from(invoiceItems)
      .where(and(eq(invoiceItems.vendorId, vendorId), eq(invoiceItems.invoiceId, invoiceId)))
      .orderBy(invoiceItems.position);
  }

  async add(vendorId: number, values: InvoiceValues): Promise<InvoiceRecord> {
    const row = firstRow(
      await this.db
        .insert(invoices)
        .values({ vendorId, ...values })
        .returning(),
    );
    return row;
  }

  async update(vendorId: number, id: number, values: Partial<InvoiceValues>): Promise<InvoiceRecord> {
    const row = firstRow(
      await this.db
        .update(invoices)
        .set(values)
        .where(and(eq(invoices.vendorId, vendorId), eq(invoices.id, id)))
        .returning(),
    );
    return row;
  }

  /** Replaces all lines of an invoice. */
  async setItems(vendorId: number, invoiceId: number, items: readonly InvoiceItemValues[]): Promise<void> {
    await this.removeItems(vendorId, invoiceId);
    await this.db
      .insert(invoiceItems)
      .values(items.map((item, position) => ({ vendorId, invoiceId, position, ...item })));
  }

  async remove(vendorId: number, id: number): Promise<void> {
    await this.removeItems(vendorId, id);
    await this.db.delete(invoices).where(and(eq(invoices.vendorId, vendorId), eq(invoices.id, id)));
  }

  private async removeItems(vendorId: number, invoiceId: number): Promise<void> {
    await this.db
      .delete(invoiceItems)
      .where(and(eq(invoiceItems.vendorId, vendorId), eq(invoiceItems.invoiceId, invoiceId)));
  }
}
