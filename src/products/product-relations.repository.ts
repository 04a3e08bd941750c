import { and, eq, inArray, ne } from "drizzle-orm";
import {
  bundleMembers,
  categories,
  countrySettings,
  pricePlans,
  productCategories,
} from "../../schema/tables/index.ts";
import { firstRow } from "../database/rows.ts";
import { CatalogueRepository } from "./catalogue.repository.ts";

export type CountrySettingValues = Omit<typeof countrySettings.$inferInsert, "id" | "vendorId">;

/** Queries for a product's bundles, categories and countries. */
export class ProductRelationsRepository extends CatalogueRepository {
  /** The members of a bundle, in order. */
  async membersOf(vendorId: number, bundleId: number): Promise<number[]> {
    const rows = await this.db
      .select({ id: bundleMembers.productId })
      .from(bundleMembers)
      .where(and(eq(bundleMembers.vendorId, vendorId), eq(bundleMembers.bundleId, bundleId)))
      .orderBy(bundleMembers.position);
    return rows.map(({ id }) => id);
  }

  async setMembers(vendorId: number, bundleId: number, productIds: readonly number[]): Promise<void> {
    await this.write(
      vendorId,
      this.db
        .delete(bundleMembers)
        .where(and(eq(bundleMembers.vendorId, vendorId), eq(bundleMembers.bundleId, bundleId))),
    );
    await this.write(
      vendorId,
      this.db
        .insert(bundleMembers)
        .values(productIds.map((productId, position) => ({ vendorId, bundleId, position, productId }))),
    );
  }

  /** Whether a product has any price plan. */
  async hasPlans(vendorId: number, productId: number): Promise<boolean> {
    const rows = await this.db
      .select({ id: pricePlans.id })
      .from(pricePlans)
      .where(and(eq(pricePlans.vendorId, vendorId), eq(pricePlans.productId, productId)))
      .limit(1);
    return rows.length > 0;
  }

  /** Sets the categories of a product to these names; creates missing ones. */
  async setCategories(vendorId: number, productId: number, names: readonly string[]): Promise<void> {
    await this.write(
      vendorId,
      this.db
        .delete(productCategories)
        .where(and(eq(productCategories.vendorId, vendorId), eq(productCategories.productId, productId))),
    );
    if (names.length === 0) return;
    await this.write(
      vendorId,
      this.db
        .insert(categories)
        .values(names.map((name) => ({ vendorId, name })))
        .onConflictDoNothing({ target: [categories.vendorId, categories.name] }),
    );
    const known = await this.db
      .select({ id: categories.id })
      .from(categories)
      .where(and(eq(categories.vendorId, vendorId), inArray(categories.name, [...names])));
    await this.write(
      vendorId,
      this.db
        .insert(productCategories)
        .values(known.map(({ id: categoryId }) => ({ vendorId, productId, categoryId }))),
    );
  }

  /** The setting of a country, made or changed. One of a vendor's settings at most is the default. */
  async saveCountrySetting(vendorId: number, { countryCode, ...values }: CountrySettingValues): Promise<number> {
    if (values.isDefault)
      await this.write(
        vendorId,
        this.db
          .update(countrySettings)
          .set({ isDefault: false })
          .where(
            and(
              eq(countrySettings.vendorId, vendorId),
              eq(countrySettings.isDefault, true),
              ne(countrySettings.countryCode, countryCode),
            ),
          ),
      );
    const row = firstRow(
      await this.write(
        vendorId,
        this.db
          .insert(countrySettings)
          .values({ vendorId, countryCode, ...values })
          .onConflictDoUpdate({
            target: [countrySettings.vendorId, countrySettings.countryCode],
            set: values,
          })
          .returning({ id: countrySettings.id }),
      ),
    );
    return row.id;
  }
}
