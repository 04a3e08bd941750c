import { and, eq, sql } from "drizzle-orm";
import { products } from "../../schema/tables/index.ts";
import type { RegionCode } from "../../schema/regions.ts";
import type { ProductStatus, ProductType } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { idIsOneOf, matchesKeyword, type TimeRange, whenGiven, isWithinRange } from "../database/conditions.ts";
import { ProjectedList, type ProjectedRow, type RecordSelection } from "../database/lists/projected-list.ts";
import { firstRow } from "../database/rows.ts";
import { CatalogueRepository } from "./catalogue.repository.ts";
import type { ProductRecord } from "./offer.repository.ts";
import { productProjection } from "./product.projection.ts";

export type ProductValues = Omit<typeof products.$inferInsert, "id" | "vendorId">;

/** Filters for products. */
export interface ProductFilter {
  status?: ProductStatus | null;
  type?: ProductType | null;
  region?: RegionCode | null;
  categoryId?: number | null;
  keyword?: string | null;
  createdAt?: TimeRange | null;
}

/** Queries for products. */
export class ProductRepository extends CatalogueRepository {
  readonly list: ProjectedList<ProductFilter, "CREATED_AT" | "NAME" | "PRODUCT_ORDER">;

  constructor(db: Handle) {
    super(db);
    this.list = new ProjectedList(db, {
      projection: productProjection,
      sorts: { CREATED_AT: products.createdAt, NAME: products.name, PRODUCT_ORDER: products.productOrder },
      parentConditions: {},
      filterCondition: ({ status, type, region, categoryId, keyword, createdAt }) =>
        and(
          whenGiven(status, (word) => eq(products.status, word)),
          whenGiven(type, (word) => eq(products.type, word)),
          whenGiven(
            region,
            (code) => sql`(${products.availableRegions} = '{}' or ${code} = any(${products.availableRegions}))`,
          ),
          whenGiven(
            categoryId,
            (id) =>
              sql`exists (select from "product_categories" c where c."vendor_id" = ${products.vendorId} and c."product_id" = ${products.id} and c."category_id" = ${id})`,
          ),
          whenGiven(keyword, (text) => matchesKeyword(products.searchText, text)),
          isWithinRange(products.createdAt, createdAt),
        ),
    });
  }

  byCode(vendorId: number, code: string, selection: RecordSelection): Promise<ProjectedRow | null> {
    return this.list.findOne(vendorId, eq(products.code, code), selection);
  }

  /** The product, locked until the transaction ends; undefined if the vendor has none with this number. */
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
      .where(and(eq(products.vendorId, vendorId), idIsOneOf(products.id, ids)));
  }

  async add(vendorId: number, values: ProductValues): Promise<ProductRecord> {
    const row = firstRow(
      await this.write(
        vendorId,
        this.db
          .insert(products)
          .values({ vendorId, ...values })
          .returning(),
      ),
    );
    return row;
  }

  async update(vendorId: number, id: number, values: Partial<ProductValues>): Promise<ProductRecord> {
    const row = firstRow(
      await this.write(
        vendorId,
        this.db
          .update(products)
          .set(values)
          .where(and(eq(products.vendorId, vendorId), eq(products.id, id)))
          .returning(),
      ),
    );
    return row;
  }
}
