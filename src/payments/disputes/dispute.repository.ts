import { and, eq } from "drizzle-orm";
import { disputes } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { firstRow } from "../../database/rows.ts";

export type DisputeRecord = typeof disputes.$inferSelect;
type DisputeValues = Omit<typeof disputes.$inferInsert, "id" | "vendorId">;

/** Queries for disputes of payments. */
export class DisputeRepository {
  constructor(private readonly db: Handle) {}

  async byReference(vendorId: number, paymentId: number, reference: string): Promise<DisputeRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(disputes)
      .where(
        and(
          eq(disputes.vendorId, vendorId),
          eq(disputes.paymentId, paymentId),
          eq(disputes.gatewayReference, reference),
        ),
      );
    return row;
  }

  async add(vendorId: number, values: DisputeValues): Promise<DisputeRecord> {
    return firstRow(
      await this.db
        .insert(disputes)
        .values({ vendorId, ...values })
        .returning(),
    );
  }

  async change(vendorId: number, id: number, values: Partial<DisputeValues>): Promise<DisputeRecord> {
    return firstRow(
      await this.db
        .update(disputes)
        .set(values)
        .where(and(eq(disputes.vendorId, vendorId), eq(disputes.id, id)))
        .returning(),
    );
  }
}
