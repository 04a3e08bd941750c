import { and, eq, ne, notInArray, sql } from "drizzle-orm";
import { bundlePrices, priceOptions, pricePlans } from "../../../schema/tables/index.ts";
import { firstRow } from "../../database/rows.ts";
import { CatalogueRepository } from "../catalogue.repository.ts";
import type { PricePlanRecord } from "../offer.repository.ts";

export type PricePlanValues = Omit<typeof pricePlans.$inferInsert, "id" | "vendorId">;
export type PriceOptionValues = Omit<typeof priceOptions.$inferInsert, "id" | "vendorId" | "priceId">;
export type PriceOptionRecord = typeof priceOptions.$inferSelect;

/** Writes price plans and their dependent rows. The caller has locked the product. */
export class PriceWriteRepository extends CatalogueRepository {
  async byId(vendorId: number, id: number): Promise<PricePlanRecord | undefined> {
    const [row] = await this.db.select().from(pricePlans).where(isPlan(vendorId, id));
    return row;
  }

  ofProduct(vendorId: number, productId: number): Promise<PricePlanRecord[]> {
    return this.db
      .select()
      .from(pricePlans)
      .where(and(eq(pricePlans.vendorId, vendorId), eq(pricePlans.productId, productId)))
      .orderBy(pricePlans.id);
  }

  async add(vendorId: number, values: PricePlanValues): Promise<PricePlanRecord> {
    const row = firstRow(
      await this.write(
        vendorId,
        this.db
          .insert(pricePlans)
          .values({ vendorId, ...values })
          .returning(),
      ),
    );
    return row;
  }

  async update(vendorId: number, id: number, values: Partial<PricePlanValues>): Promise<PricePlanRecord> {
    const row = firstRow(
      await this.write(vendorId, this.db.update(pricePlans).set(values).where(isPlan(vendorId, id)).returning()),
    );
    return row;
  }

  /** A product has one representative plan. */
  async clearOtherRepresentatives(vendorId: number, { productId, id }: PricePlanRecord): Promise<void> {
    await this.write(
      vendorId,
      this.db
        .update(pricePlans)
        .set({ isRepresentative: false })
        .where(
          and(
            eq(pricePlans.vendorId, vendorId),
            eq(pricePlans.productId, productId),
            eq(pricePlans.isRepresentative, true),
            ne(pricePlans.id, id),
          ),
        ),
    );
  }

  optionsOf(vendorId: number, priceId: number): Promise<PriceOptionRecord[]> {
    return this.db.select().from(priceOptions).where(isOptionOfPlan(vendorId, priceId)).orderBy(priceOptions.position);
  }

  /** Clears the places of all options, and deletes those that do not stay. */
  async deleteOptionsExcept(vendorId: number, priceId: number, keptIds: readonly number[]): Promise<void> {
    await this.write(
      vendorId,
      this.db
        .delete(priceOptions)
        .where(and(isOptionOfPlan(vendorId, priceId), notInArray(priceOptions.id, [...keptIds]))),
    );
    await this.write(
      vendorId,
      this.db
        .update(priceOptions)
        .set({ position: sql`-1 - ${priceOptions.position}` })
        .where(isOptionOfPlan(vendorId, priceId)),
    );
  }

  async addOptions(vendorId: number, priceId: number, options: readonly PriceOptionValues[]): Promise<void> {
    if (options.length === 0) return;
    await this.write(
      vendorId,
      this.db.insert(priceOptions).values(options.map((option) => ({ vendorId, priceId, ...option }))),
    );
  }

  async updateOption(vendorId: number, id: number, values: PriceOptionValues): Promise<void> {
    await this.write(
      vendorId,
      this.db
        .update(priceOptions)
        .set(values)
        .where(and(eq(priceOptions.vendorId, vendorId), eq(priceOptions.id, id))),
    );
  }

  /** The plans of a bundle's members, in order. */
  async setBundlePrices(
    vendorId: number,
    bundlePriceId: number,
    members: readonly { productId: number; priceId: number }[],
  ): Promise<void> {
    await this.write(
      vendorId,
      this.db
        .delete(bundlePrices)
        .where(and(eq(bundlePrices.vendorId, vendorId), eq(bundlePrices.bundlePriceId, bundlePriceId))),
    );
    await this.write(
      vendorId,
      this.db
        .insert(bundlePrices)
        .values(members.map((member, position) => ({ vendorId, bundlePriceId, position, ...member }))),
    );
  }
}

const isPlan = (vendorId: number, id: number) => and(eq(pricePlans.vendorId, vendorId), eq(pricePlans.id, id));

const isOptionOfPlan = (vendorId: number, priceId: number) =>
  and(eq(priceOptions.vendorId, vendorId), eq(priceOptions.priceId, priceId));
