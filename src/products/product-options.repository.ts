import { and, eq, notInArray, sql } from "drizzle-orm";
import { optionCombinations, optionGroups, productOptions } from "../../schema/tables/index.ts";
import { idIsOneOf } from "../database/conditions.ts";
import { firstRow } from "../database/rows.ts";
import { CatalogueRepository } from "./catalogue.repository.ts";

export type OptionValues = Omit<typeof productOptions.$inferInsert, "id" | "vendorId" | "groupId">;
export type CombinationValues = Omit<typeof optionCombinations.$inferInsert, "vendorId" | "productId">;

/** A group with the numbers of its options. */
export interface OptionGroupRecord {
  id: number;
  name: string;
  depth: number;
}

/** Queries for the options of a product that the caller has locked. */
export class ProductOptionsRepository extends CatalogueRepository {
  groupsOf(vendorId: number, productId: number): Promise<OptionGroupRecord[]> {
    return this.db
      .select({ id: optionGroups.id, name: optionGroups.name, depth: optionGroups.depth })
      .from(optionGroups)
      .where(isGroupOfProduct(vendorId, productId))
      .orderBy(optionGroups.depth);
  }

  /**
   * Clears the positions of all groups and options, and deletes removed ones: two rows cannot share a position even for
   * a moment.
   */
  async deleteExcept(
    vendorId: number,
    groupIds: readonly number[],
    kept: { groups: readonly number[]; options: readonly number[] },
  ): Promise<void> {
    const ownOptions = and(eq(productOptions.vendorId, vendorId), idIsOneOf(productOptions.groupId, groupIds));
    await this.write(
      vendorId,
      this.db
        .update(productOptions)
        .set({ parentId: null, position: sql`-1 - ${productOptions.position}` })
        .where(ownOptions),
    );
    await this.write(
      vendorId,
      this.db.delete(productOptions).where(and(ownOptions, notInArray(productOptions.id, [...kept.options]))),
    );
    const ownGroups = and(eq(optionGroups.vendorId, vendorId), idIsOneOf(optionGroups.id, groupIds));
    await this.write(
      vendorId,
      this.db.delete(optionGroups).where(and(ownGroups, notInArray(optionGroups.id, [...kept.groups]))),
    );
    await this.write(
      vendorId,
      this.db
        .update(optionGroups)
        .set({ depth: sql`-1 - ${optionGroups.depth}` })
        .where(ownGroups),
    );
  }

  async addGroup(vendorId: number, productId: number, values: { name: string; depth: number }): Promise<number> {
    const row = firstRow(
      await this.write(
        vendorId,
        this.db
          .insert(optionGroups)
          .values({ vendorId, productId, ...values })
          .returning({ id: optionGroups.id }),
      ),
    );
    return row.id;
  }

  async updateGroup(vendorId: number, id: number, values: { name: string; depth: number }): Promise<void> {
    await this.write(
      vendorId,
      this.db
        .update(optionGroups)
        .set(values)
        .where(and(eq(optionGroups.vendorId, vendorId), eq(optionGroups.id, id))),
    );
  }

  /** The numbers of the options that were added, by their places. */
  async addOptions(
    vendorId: number,
    groupId: number,
    options: readonly OptionValues[],
  ): Promise<{ id: number; position: number }[]> {
    if (options.length === 0) return [];
    return this.write(
      vendorId,
      this.db
        .insert(productOptions)
        .values(options.map((option) => ({ vendorId, groupId, ...option })))
        .returning({ id: productOptions.id, position: productOptions.position }),
    );
  }

  async updateOption(vendorId: number, id: number, values: OptionValues): Promise<void> {
    await this.write(
      vendorId,
      this.db
        .update(productOptions)
        .set(values)
        .where(and(eq(productOptions.vendorId, vendorId), eq(productOptions.id, id))),
    );
  }

  async setCombinations(vendorId: number, productId: number, values: readonly CombinationValues[]): Promise<void> {
    await this.write(
      vendorId,
      this.db
        .delete(optionCombinations)
        .where(and(eq(optionCombinations.vendorId, vendorId), eq(optionCombinations.productId, productId))),
    );
    if (values.length === 0) return;
    await this.write(
      vendorId,
      this.db.insert(optionCombinations).values(values.map((combination) => ({ vendorId, productId, ...combination }))),
    );
  }

  /** Groups and options as another vendor's product has them, under the same numbers. */
  async addCopies(
    vendorId: number,
    productId: number,
    groups: readonly OptionGroupRecord[],
    options: readonly (OptionValues & { id: number; groupId: number })[],
  ): Promise<void> {
    if (groups.length === 0) return;
    await this.write(
      vendorId,
      this.db
        .insert(optionGroups)
        .overridingSystemValue()
        .values(groups.map((copied) => ({ vendorId, productId, ...copied }))),
    );
    if (options.length === 0) return;
    await this.write(
      vendorId,
      this.db
        .insert(productOptions)
        .overridingSystemValue()
        .values(options.map((copied) => ({ vendorId, ...copied }))),
    );
  }
}

const isGroupOfProduct = (vendorId: number, productId: number) =>
  and(eq(optionGroups.vendorId, vendorId), eq(optionGroups.productId, productId));
