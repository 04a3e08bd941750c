import { and, eq } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { whenGiven, isWithinRange, type TimeRange } from "../../database/conditions.ts";
import { RecordList } from "../../database/lists/record-list.ts";
import { RegisteredRepository } from "../../database/registered.repository.ts";
import { coverPrices } from "../../../schema/tables/index.ts";

export type CoverPriceRecord = typeof coverPrices.$inferSelect;

/** Filters for registered price plans. */
export interface CoverPriceFilter {
  productId?: number | null;
  isRecurring?: boolean | null;
  createdAt?: TimeRange | null;
}

/** Queries for the registered price plans. */
export class CoverPriceRepository extends RegisteredRepository<typeof coverPrices> {
  readonly list: RecordList<CoverPriceRecord, CoverPriceFilter, "CREATED_AT", "productId">;

  constructor(db: Handle) {
    super(db, coverPrices, coverPrices.partnerPriceId);
    this.list = new RecordList(db, {
      table: coverPrices,
      sorts: { CREATED_AT: coverPrices.createdAt },
      parentConditions: { productId: coverPrices.productId },
      filterCondition: ({ productId, isRecurring, createdAt }) =>
        and(
          whenGiven(productId, (id) => eq(coverPrices.productId, id)),
          whenGiven(isRecurring, (recurring) => eq(coverPrices.isRecurring, recurring)),
          isWithinRange(coverPrices.createdAt, createdAt),
        ),
    });
  }
}
