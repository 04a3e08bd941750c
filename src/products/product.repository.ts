import { and, eq, sql } from "drizzle-orm";
import { products } from "../../schema/tables/index.ts";
import type { RegionCode } from "../../schema/regions.ts";
import type { ProductStatus, ProductType } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { mentions, when, within, type Period } from "../database/conditions.ts";
import { anyOf } from "../database/keyset-list.ts";
import type { Selection } from "../database/projection.ts";
import { ShapedList, type Shaped } from "../database/projected-list.ts";
import type { ProductRecord } from "./offer.repository.ts";
import { productShape } from "./product.projection.ts";

export type ProductValues = Omit<typeof products.$inferInsert, "id" | "vendorId">;

/** Which products are asked for. */
export interface ProductFilter {
  status?: ProductStatus | null;
  type?: ProductType | null;
  region?: RegionCode | null;
  categoryId?: number | null;
  keyword?: string | null;
  createdAt?: Period | null;
}

/** Every question we ask of the products. */
export class ProductRepository {
  readonly list: ShapedList<ProductFilter, "CREATED_AT" | "NAME" | "PRODUCT_ORDER">;

  constructor(private readonly db: Handle) {
    this.list = new ShapedList(db, {
      shape: productShape,
      sorts: { CREATED_AT: products.createdAt, NAME: products.name, PRODUCT_ORDER: products.productOrder },
      parents: {},
      matching: ({ status, type, region, categoryId, keyword, createdAt }) =>
        and(
          when(status, (word) => eq(products.status, word)),
          when(type, (word) => eq(products.type, word)),
          when(
            region,
            (code) => sql`(${products.availableRegions} = '{}' or ${code} = any(${products.availableRegions}))`,
          ),
          when(
            categoryId,
            (id) =>
              sql`exists (select from "product_categories" c where c."vendor_id" = ${products.vendorId} and c."product_id" = ${products.id} and c."category_id" = ${id})`,
          ),
          when(keyword, (text) => mentions(products.searchText, text)),
          within(products.createdAt, createdAt),
        ),
    });
  }

  byCode(vendorId: number, code: string, selection: Selection): Promise<Shaped | null> {
    return this.list.one(vendorId, eq(products.code, code), selection);
  }

  /** The product, held until the transaction ends; undefined where the vendor has none with this number. */
  async lock(vendorId: number, id: number): Promise<ProductRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(products)
      .where(and(eq(products.vendorId, vendorId), eq(products.id, id)))
      .for("no key update");
    return row;
  }

  /** Those of the numbers that exist, with what a bundle has to know of them. */
  typesOf(vendorId: number, ids: readonly number[]): Promise<Pick<ProductRecord, "id" | "type">[]> {
    return this.db
      .select({ id: products.id, type: products.type })
      .from(products)
      .where(and(eq(products.vendorId, vendorId), anyOf(products.id, ids)));
  }

  async add(vendorId: number, values: ProductValues): Promise<ProductRecord> {
    const [row] = await this.db
      .insert(products)
      .values({ vendorId, ...values })
      .returning();
    return row!;
  }

  async change(vendorId: number, id: number, values: Partial<ProductValues>): Promise<ProductRecord> {
    const [row] = await this.db
      .update(products)
      .set(values)
      .where(and(eq(products.vendorId, vendorId), eq(products.id, id)))
      .returning();
    return row!;
  }
}
