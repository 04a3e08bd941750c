import { and, eq } from "drizzle-orm";
import { pricePlans } from "../../../schema/tables/index.ts";
import type { PricePlanType } from "../../../schema/vocabulary.ts";
import type { Handle } from "../../database/client.ts";
import { whenGiven, isWithinRange, type TimeRange, allOf } from "../../database/conditions.ts";
import { ProjectedList, type ProjectedRow, type RecordSelection } from "../../database/lists/projected-list.ts";
import { pricePlanProjection } from "./price-plan.projection.ts";

/** Filters for price plans. */
export interface PricePlanFilter {
  productId?: number | null;
  type?: PricePlanType | null;
  createdAt?: TimeRange | null;
}

/** Queries for price plans. */
export class PricePlanRepository {
  readonly list: ProjectedList<PricePlanFilter, "CREATED_AT", "productId">;

  constructor(db: Handle) {
    this.list = new ProjectedList(db, {
      projection: pricePlanProjection,
      sorts: { CREATED_AT: pricePlans.createdAt },
      parentConditions: { productId: pricePlans.productId },
      filterCondition: ({ productId, type, createdAt }) =>
        and(
          whenGiven(productId, (id) => eq(pricePlans.productId, id)),
          whenGiven(type, (word) => eq(pricePlans.type, word)),
          isWithinRange(pricePlans.createdAt, createdAt),
        ),
    });
  }

  /** The plan with a code, of any product or of this one, or null. */
  byCode(
    vendorId: number,
    code: string,
    productId: number | undefined,
    selection: RecordSelection,
  ): Promise<ProjectedRow | null> {
    const ofProduct = whenGiven(productId, (id) => eq(pricePlans.productId, id));
    return this.list.findOne(vendorId, allOf(eq(pricePlans.code, code), ofProduct), selection);
  }

  /** A plan of this product, or null. */
  ofProduct(vendorId: number, productId: number, id: number, selection: RecordSelection): Promise<ProjectedRow | null> {
    return this.list.findOne(vendorId, allOf(eq(pricePlans.productId, productId), eq(pricePlans.id, id)), selection);
  }
}
