import { and, eq, inArray, sql } from "drizzle-orm";
import { simulatedCharges, simulatedMethods, simulatedRefunds } from "../../../../schema/tables/index.ts";
import type { Handle } from "../../../database/client.ts";
import { firstRow } from "../../../database/rows.ts";
import type { Amount } from "../../../kernel/amounts.ts";
import { toAmount } from "../../../kernel/amounts.ts";
import { required } from "../../../kernel/required-values.ts";

export type SimulatedCharge = typeof simulatedCharges.$inferSelect;
export type SimulatedMethod = typeof simulatedMethods.$inferSelect;
export type SimulatedRefund = typeof simulatedRefunds.$inferSelect;

/** The tables of the simulated gateway. Each statement commits on its own, outside the transactions of the service. */
export class SimulatedGatewayRepository {
  constructor(private readonly db: Handle) {}

  async chargeByKey(vendorId: number, idempotencyKey: string): Promise<SimulatedCharge | undefined> {
    const [row] = await this.db
      .select()
      .from(simulatedCharges)
      .where(and(eq(simulatedCharges.vendorId, vendorId), eq(simulatedCharges.idempotencyKey, idempotencyKey)));
    return row;
  }

  async chargeByReference(vendorId: number, reference: string): Promise<SimulatedCharge | undefined> {
    const [row] = await this.db
      .select()
      .from(simulatedCharges)
      .where(and(eq(simulatedCharges.vendorId, vendorId), eq(simulatedCharges.reference, reference)));
    return row;
  }

  /** The charges of a subject, oldest first. */
  chargesBySubject(vendorId: number, subject: string): Promise<SimulatedCharge[]> {
    return this.db
      .select()
      .from(simulatedCharges)
      .where(and(eq(simulatedCharges.vendorId, vendorId), eq(simulatedCharges.subject, subject)))
      .orderBy(simulatedCharges.createdAt, simulatedCharges.idempotencyKey);
  }

  /** Adds a charge, unless its key exists: then it returns the existing one. */
  async addCharge(values: typeof simulatedCharges.$inferInsert): Promise<SimulatedCharge> {
    const [added] = await this.db.insert(simulatedCharges).values(values).onConflictDoNothing().returning();
    return added ?? required(await this.chargeByKey(values.vendorId, values.idempotencyKey), "the charge");
  }

  /** Settles a pending charge; undefined if it is not pending any more. */
  async settlePending(
    vendorId: number,
    idempotencyKey: string,
    values: Partial<typeof simulatedCharges.$inferInsert>,
  ): Promise<SimulatedCharge | undefined> {
    const [row] = await this.db
      .update(simulatedCharges)
      .set(values)
      .where(
        and(
          eq(simulatedCharges.vendorId, vendorId),
          eq(simulatedCharges.idempotencyKey, idempotencyKey),
          inArray(simulatedCharges.status, ["CHALLENGE", "DEPOSIT"]),
        ),
      )
      .returning();
    return row;
  }

  /** Number of declined charges of a token. */
  countDeclined(vendorId: number, token: string): Promise<number> {
    return this.db.$count(
      simulatedCharges,
      and(
        eq(simulatedCharges.vendorId, vendorId),
        eq(simulatedCharges.token, token),
        eq(simulatedCharges.status, "DECLINED"),
      ),
    );
  }

  async addMethod(values: typeof simulatedMethods.$inferInsert): Promise<void> {
    await this.db.insert(simulatedMethods).values(values).onConflictDoNothing();
  }

  async removeMethod(vendorId: number, token: string): Promise<void> {
    await this.db
      .delete(simulatedMethods)
      .where(and(eq(simulatedMethods.vendorId, vendorId), eq(simulatedMethods.token, token)));
  }

  async methodByToken(vendorId: number, token: string): Promise<SimulatedMethod | undefined> {
    const [row] = await this.db
      .select()
      .from(simulatedMethods)
      .where(and(eq(simulatedMethods.vendorId, vendorId), eq(simulatedMethods.token, token)));
    return row;
  }

  async refundByKey(vendorId: number, idempotencyKey: string): Promise<SimulatedRefund | undefined> {
    const [row] = await this.db
      .select()
      .from(simulatedRefunds)
      .where(and(eq(simulatedRefunds.vendorId, vendorId), eq(simulatedRefunds.idempotencyKey, idempotencyKey)));
    return row;
  }

  async refundedAmountOf(vendorId: number, chargeReference: string): Promise<Amount> {
    const row = firstRow(
      await this.db
        .select({ sum: sql<string>`coalesce(sum(${simulatedRefunds.amount}), 0)` })
        .from(simulatedRefunds)
        .where(and(eq(simulatedRefunds.vendorId, vendorId), eq(simulatedRefunds.chargeReference, chargeReference))),
    );
    return toAmount(row.sum);
  }

  async addRefund(values: typeof simulatedRefunds.$inferInsert): Promise<SimulatedRefund> {
    const [added] = await this.db.insert(simulatedRefunds).values(values).onConflictDoNothing().returning();
    return added ?? required(await this.refundByKey(values.vendorId, values.idempotencyKey), "the refund");
  }
}
