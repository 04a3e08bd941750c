import { and, asc, eq, isNotNull, or } from "drizzle-orm";
import { gatewayAccounts, paymentMethods, payments } from "../../../schema/tables/index.ts";
import type { PaymentGateway } from "../../../schema/vocabulary.ts";
import type { Handle } from "../../database/client.ts";
import { firstRow } from "../../database/rows.ts";

export type GatewayAccountRecord = typeof gatewayAccounts.$inferSelect;
export type GatewayAccountValues = Omit<typeof gatewayAccounts.$inferInsert, "id" | "vendorId">;

/** Queries for the vendors' accounts at payment gateways. */
export class GatewayAccountRepository {
  constructor(private readonly db: Handle) {}

  /** All accounts of a vendor, that which charges first before the others. */
  all(vendorId: number): Promise<GatewayAccountRecord[]> {
    return this.db
      .select()
      .from(gatewayAccounts)
      .where(eq(gatewayAccounts.vendorId, vendorId))
      .orderBy(asc(gatewayAccounts.priority), asc(gatewayAccounts.id));
  }

  async byGateway(vendorId: number, gateway: PaymentGateway): Promise<GatewayAccountRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(gatewayAccounts)
      .where(and(eq(gatewayAccounts.vendorId, vendorId), eq(gatewayAccounts.gateway, gateway)));
    return row;
  }

  /** Whether payments or stored methods belong to the account at a gateway. */
  async isInUse(vendorId: number, gateway: PaymentGateway): Promise<boolean> {
    const [payment] = await this.db
      .select({ id: payments.id })
      .from(payments)
      .where(and(eq(payments.vendorId, vendorId), eq(payments.paymentGateway, gateway)))
      .limit(1);
    if (payment) return true;
    const [method] = await this.db
      .select({ id: paymentMethods.id })
      .from(paymentMethods)
      .where(and(eq(paymentMethods.vendorId, vendorId), eq(paymentMethods.gateway, gateway)))
      .limit(1);
    return method !== undefined;
  }

  async markReleased(vendorId: number, gateway: PaymentGateway, now: Date): Promise<boolean> {
    const released = await this.db
      .update(gatewayAccounts)
      .set({ releasedAt: now })
      .where(and(eq(gatewayAccounts.vendorId, vendorId), eq(gatewayAccounts.gateway, gateway)))
      .returning({ id: gatewayAccounts.id });
    return released.length > 0;
  }

  /** Sets the account at a gateway: the vendor has one there. */
  async upsert(
    vendorId: number,
    values: GatewayAccountValues,
    changes: Partial<GatewayAccountValues>,
  ): Promise<GatewayAccountRecord> {
    const row = firstRow(
      await this.db
        .insert(gatewayAccounts)
        .values({ vendorId, ...values })
        .onConflictDoUpdate({ target: [gatewayAccounts.vendorId, gatewayAccounts.gateway], set: changes })
        .returning(),
    );
    return row;
  }

  /** The encrypted secrets of all vendors, for the operator who changes the key. */
  allEncrypted(): Promise<GatewayAccountRecord[]> {
    return this.db
      .select()
      .from(gatewayAccounts)
      .where(or(isNotNull(gatewayAccounts.credentials), isNotNull(gatewayAccounts.callbackSecret)));
  }

  async saveSecrets(
    vendorId: number,
    id: number,
    secrets: Pick<GatewayAccountRecord, "credentials" | "callbackSecret">,
  ): Promise<void> {
    await this.db
      .update(gatewayAccounts)
      .set(secrets)
      .where(and(eq(gatewayAccounts.vendorId, vendorId), eq(gatewayAccounts.id, id)));
  }
}
