import { and, eq, exists, isNotNull, or, sql, type SQL } from "drizzle-orm";
import {
  bundlePrices,
  optionCombinations,
  optionGroups,
  pricePlans,
  productOptions,
  products,
} from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { idIsOneOf, toTextArray } from "../database/conditions.ts";
import { preparedStatement } from "../database/prepared-statements.ts";
import { firstRow } from "../database/rows.ts";

export type ProductRecord = typeof products.$inferSelect;
export type PricePlanRecord = typeof pricePlans.$inferSelect;
export type OptionRecord = typeof productOptions.$inferSelect & { productId: number; depth: number };
export type CombinationRecord = typeof optionCombinations.$inferSelect;

/** A plan with its product. */
export interface Offer {
  product: ProductRecord;
  plan: PricePlanRecord;
}

/** A product with a plan of it, or without one. */
export interface RequestedOffer {
  product: ProductRecord;
  plan: PricePlanRecord | null;
}

/** Whether a product of the statement has an option whose stock is counted. */
const hasCountedOption = (db: Handle, vendorId: number): SQL<boolean> =>
  exists(
    db
      .select({ id: productOptions.id })
      .from(productOptions)
      .innerJoin(
        optionGroups,
        and(eq(optionGroups.vendorId, productOptions.vendorId), eq(optionGroups.id, productOptions.groupId)),
      )
      .where(
        and(
          eq(productOptions.vendorId, vendorId),
          eq(optionGroups.vendorId, vendorId),
          eq(optionGroups.productId, products.id),
          isNotNull(productOptions.quantity),
        ),
      ),
  ) as SQL<boolean>;

const offersByCodes = preparedStatement((db) =>
  db
    .select({ product: products, plan: pricePlans })
    .from(products)
    .leftJoin(
      pricePlans,
      and(
        eq(pricePlans.vendorId, products.vendorId),
        eq(pricePlans.productId, products.id),
        sql`${pricePlans.code} = any(${sql.placeholder("planCodes")})`,
      ),
    )
    .where(
      and(
        eq(products.vendorId, sql.placeholder("vendorId")),
        sql`${products.code} = any(${sql.placeholder("productCodes")})`,
      ),
    ),
);

const plansByCodes = preparedStatement((db) =>
  db
    .select()
    .from(pricePlans)
    .where(
      and(
        eq(pricePlans.vendorId, sql.placeholder("vendorId")),
        sql`${pricePlans.code} = any(${sql.placeholder("codes")})`,
      ),
    ),
);

/** Queries for the sale of products and plans. */
export class OfferRepository {
  constructor(private readonly db: Handle) {}

  /** Products with those of their plans that have one of the codes; a product without such a plan has null. */
  offersByCodes(
    vendorId: number,
    productCodes: readonly string[],
    planCodes: readonly string[],
  ): Promise<RequestedOffer[]> {
    const codes = { productCodes: toTextArray(productCodes), planCodes: toTextArray(planCodes) };
    return offersByCodes(this.db, { vendorId, ...codes });
  }

  plansByCodes(vendorId: number, codes: readonly string[]): Promise<PricePlanRecord[]> {
    return plansByCodes(this.db, { vendorId, codes: toTextArray(codes) });
  }

  /** The plans of a product, in its order. */
  plansOf(vendorId: number, productId: number): Promise<PricePlanRecord[]> {
    return this.db
      .select()
      .from(pricePlans)
      .where(and(eq(pricePlans.vendorId, vendorId), eq(pricePlans.productId, productId)))
      .orderBy(pricePlans.order, pricePlans.id);
  }

  /** Plans with their products, by the numbers of the plans. */
  offersByPlanIds(vendorId: number, planIds: readonly number[]): Promise<Offer[]> {
    return this.db
      .select({ product: products, plan: pricePlans })
      .from(pricePlans)
      .innerJoin(products, and(eq(products.vendorId, pricePlans.vendorId), eq(products.id, pricePlans.productId)))
      .where(
        and(eq(pricePlans.vendorId, vendorId), eq(products.vendorId, vendorId), idIsOneOf(pricePlans.id, planIds)),
      );
  }

  /** The offers of bundles' members, in the order of each bundle. */
  membersOf(vendorId: number, bundlePlanIds: readonly number[]): Promise<(Offer & { bundlePlanId: number })[]> {
    return this.db
      .select({ bundlePlanId: bundlePrices.bundlePriceId, product: products, plan: pricePlans })
      .from(bundlePrices)
      .innerJoin(products, and(eq(products.vendorId, bundlePrices.vendorId), eq(products.id, bundlePrices.productId)))
      .innerJoin(
        pricePlans,
        and(eq(pricePlans.vendorId, bundlePrices.vendorId), eq(pricePlans.id, bundlePrices.priceId)),
      )
      .where(
        and(
          eq(bundlePrices.vendorId, vendorId),
          eq(products.vendorId, vendorId),
          eq(pricePlans.vendorId, vendorId),
          idIsOneOf(bundlePrices.bundlePriceId, bundlePlanIds),
        ),
      )
      .orderBy(bundlePrices.bundlePriceId, bundlePrices.position);
  }

  /** All options of some products, in the order of the choice. */
  optionsOf(vendorId: number, productIds: readonly number[]): Promise<OptionRecord[]> {
    return this.db
      .select({
        vendorId: productOptions.vendorId,
        id: productOptions.id,
        groupId: productOptions.groupId,
        position: productOptions.position,
        name: productOptions.name,
        price: productOptions.price,
        quantity: productOptions.quantity,
        parentId: productOptions.parentId,
        productId: optionGroups.productId,
        depth: optionGroups.depth,
      })
      .from(productOptions)
      .innerJoin(
        optionGroups,
        and(eq(optionGroups.vendorId, productOptions.vendorId), eq(optionGroups.id, productOptions.groupId)),
      )
      .where(
        and(
          eq(productOptions.vendorId, vendorId),
          eq(optionGroups.vendorId, vendorId),
          idIsOneOf(optionGroups.productId, productIds),
        ),
      )
      .orderBy(optionGroups.productId, optionGroups.depth, productOptions.position);
  }

  combinationsOf(vendorId: number, productIds: readonly number[]): Promise<CombinationRecord[]> {
    return this.db
      .select()
      .from(optionCombinations)
      .where(and(eq(optionCombinations.vendorId, vendorId), idIsOneOf(optionCombinations.productId, productIds)));
  }

  /**
   * Those of the products whose stock is counted, locked in the order of their numbers until the transaction ends, so that two
   * orders cannot deadlock. Orders of the others do not wait for each other.
   */
  lockCounted(vendorId: number, productIds: readonly number[]): Promise<ProductRecord[]> {
    return this.db
      .select()
      .from(products)
      .where(
        and(
          eq(products.vendorId, vendorId),
          idIsOneOf(products.id, productIds),
          or(isNotNull(products.quantity), products.useCombination, hasCountedOption(this.db, vendorId)),
        ),
      )
      .orderBy(products.id)
      .for("no key update");
  }

  async updateStock(
    vendorId: number,
    productId: number,
    values: Partial<Pick<ProductRecord, "quantity" | "status">>,
  ): Promise<void> {
    await this.db
      .update(products)
      .set(values)
      .where(and(eq(products.vendorId, vendorId), eq(products.id, productId)));
  }

  async adjustOptionStock(vendorId: number, optionId: number, by: number): Promise<void> {
    await this.db
      .update(productOptions)
      .set({ quantity: sql`${productOptions.quantity} + ${by}::integer` })
      .where(and(eq(productOptions.vendorId, vendorId), eq(productOptions.id, optionId)));
  }

  async updateCombinationStock(
    vendorId: number,
    { productId, optionIds }: Pick<CombinationRecord, "productId" | "optionIds">,
    values: Partial<Pick<CombinationRecord, "quantity" | "status">>,
  ): Promise<void> {
    await this.db
      .update(optionCombinations)
      .set(values)
      .where(
        and(
          eq(optionCombinations.vendorId, vendorId),
          eq(optionCombinations.productId, productId),
          eq(optionCombinations.optionIds, optionIds),
        ),
      );
  }

  async addProduct(vendorId: number, values: Omit<typeof products.$inferInsert, "id" | "vendorId">): Promise<number> {
    const row = firstRow(
      await this.db
        .insert(products)
        .values({ vendorId, ...values })
        .returning({ id: products.id }),
    );
    return row.id;
  }

  async addPlan(vendorId: number, values: Omit<typeof pricePlans.$inferInsert, "id" | "vendorId">): Promise<number> {
    const row = firstRow(
      await this.db
        .insert(pricePlans)
        .values({ vendorId, ...values })
        .returning({ id: pricePlans.id }),
    );
    return row.id;
  }
}
