import { and, eq } from "drizzle-orm";
import { invoices } from "../../../schema/tables/index.ts";
import { batchReads } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";
import { InvoiceRepository, type InvoiceRecord } from "../invoice.repository.ts";

/** Invoices of work that runs many times at once in one transaction: one statement locks those of all. */
export class InvoiceBatchRepository extends InvoiceRepository {
  private readonly locks;

  constructor(handle: Handle) {
    super(handle);
    this.locks = batchReads<number, InvoiceRecord>(
      (vendorId, orderIds) =>
        handle
          .select()
          .from(invoices)
          .where(and(eq(invoices.vendorId, vendorId), idIsOneOf(invoices.orderId, orderIds)))
          .orderBy(invoices.id)
          .for("no key update"),
      ({ orderId }) => orderId ?? 0,
    );
  }

  override async lockByOrder(vendorId: number, orderId: number): Promise<InvoiceRecord | undefined> {
    const [row] = await this.locks(vendorId, orderId);
    return row;
  }
}
