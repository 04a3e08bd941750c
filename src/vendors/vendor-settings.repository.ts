import { and, eq, isNotNull, sql } from "drizzle-orm";
import {
  coverOrders,
  coverPrices,
  exchangeRates,
  invoices,
  orders,
  pricePlans,
  vendorSettings,
} from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { firstRow } from "../database/rows.ts";
import type { Rate } from "../kernel/amounts.ts";
import { required } from "../kernel/required-values.ts";

export type VendorSettingsValues = Partial<Omit<typeof vendorSettings.$inferInsert, "vendorId">>;
export type ExchangeRateRecord = Omit<typeof exchangeRates.$inferSelect, "vendorId">;

/** Queries for the settings of a vendor. */
export class VendorSettingsRepository {
  constructor(private readonly db: Handle) {}

  async update(vendorId: number, values: VendorSettingsValues): Promise<void> {
    if (Object.keys(values).length === 0) return;
    await this.db.update(vendorSettings).set(values).where(eq(vendorSettings.vendorId, vendorId));
  }

  /** True if the base currency must not change: amounts in it exist, or the vendor has locked it. */
  async isCurrencyLocked(vendorId: number): Promise<boolean> {
    const rowExists = tablesWithAmounts.map(
      (table) => sql`exists (select 1 from ${table} where ${table.vendorId} = ${vendorSettings.vendorId})`,
    );
    const row = firstRow(
      await this.db
        .select({ locked: sql<boolean>`${vendorSettings.currencyLock} or ${sql.join(rowExists, sql` or `)}` })
        .from(vendorSettings)
        .where(eq(vendorSettings.vendorId, vendorId)),
    );
    return row.locked;
  }

  /** Lists the exchange rates, sorted by currency. */
  exchangeRates(vendorId: number): Promise<ExchangeRateRecord[]> {
    return this.db
      .select({ currency: exchangeRates.currency, rate: exchangeRates.rate, modifiedAt: exchangeRates.modifiedAt })
      .from(exchangeRates)
      .where(eq(exchangeRates.vendorId, vendorId))
      .orderBy(exchangeRates.currency);
  }

  async setExchangeRate(vendorId: number, currency: string, rate: Rate, now: Date): Promise<void> {
    await this.db
      .insert(exchangeRates)
      .values({ vendorId, currency, rate, modifiedAt: now })
      .onConflictDoUpdate({
        target: [exchangeRates.vendorId, exchangeRates.currency],
        set: { rate, modifiedAt: now },
      });
  }

  async removeExchangeRate(vendorId: number, currency: string): Promise<void> {
    await this.db
      .delete(exchangeRates)
      .where(and(eq(exchangeRates.vendorId, vendorId), eq(exchangeRates.currency, currency)));
  }

  /** Lists the encrypted secrets of all vendors, to rotate the encryption key. */
  async encryptedSecrets(): Promise<{ vendorId: number; sealed: Buffer }[]> {
    const rows = await this.db
      .select({ vendorId: vendorSettings.vendorId, sealed: vendorSettings.consumerSecret })
      .from(vendorSettings)
      .where(isNotNull(vendorSettings.consumerSecret));
    return rows.map(({ vendorId, sealed }) => ({ vendorId, sealed: required(sealed, "sealed") }));
  }

  /** Replaces an encrypted secret, unless it has changed since it was read. */
  async replaceSecret(vendorId: number, from: Buffer, to: Buffer): Promise<void> {
    await this.db
      .update(vendorSettings)
      .set({ consumerSecret: to })
      .where(and(eq(vendorSettings.vendorId, vendorId), eq(vendorSettings.consumerSecret, from)));
  }
}

/** The tables with amounts in the base currency or with rates from it. */
const tablesWithAmounts = [pricePlans, orders, invoices, exchangeRates, coverPrices, coverOrders];
