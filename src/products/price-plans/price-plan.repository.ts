import { and, eq } from "drizzle-orm";
import { pricePlans } from "../../../schema/tables/index.ts";
import type { PricePlanType } from "../../../schema/vocabulary.ts";
import type { Handle } from "../../database/client.ts";
import { when, within, type Period } from "../../database/conditions.ts";
import type { Selection } from "../../database/projection.ts";
import { ShapedList, type Shaped } from "../../database/projected-list.ts";
import { pricePlanShape } from "./price-plan.projection.ts";

/** Which price plans are asked for. */
export interface PricePlanFilter {
  productId?: number | null;
  type?: PricePlanType | null;
  createdAt?: Period | null;
}

/** Every question we ask of the price plans. */
export class PricePlanRepository {
  readonly list: ShapedList<PricePlanFilter, "CREATED_AT", "productId">;

  constructor(db: Handle) {
    this.list = new ShapedList(db, {
      shape: pricePlanShape,
      sorts: { CREATED_AT: pricePlans.createdAt },
      parents: { productId: pricePlans.productId },
      matching: ({ productId, type, createdAt }) =>
        and(
          when(productId, (id) => eq(pricePlans.productId, id)),
          when(type, (word) => eq(pricePlans.type, word)),
          within(pricePlans.createdAt, createdAt),
        ),
    });
  }

  /** The plan with a code, of any product or of this one, or null. */
  byCode(vendorId: number, code: string, productId: number | undefined, selection: Selection): Promise<Shaped | null> {
    const ofProduct = when(productId, (id) => eq(pricePlans.productId, id));
    return this.list.one(vendorId, and(eq(pricePlans.code, code), ofProduct)!, selection);
  }

  /** A plan of this product, or null. */
  ofProduct(vendorId: number, productId: number, id: number, selection: Selection): Promise<Shaped | null> {
    return this.list.one(vendorId, and(eq(pricePlans.productId, productId), eq(pricePlans.id, id))!, selection);
  }
}
