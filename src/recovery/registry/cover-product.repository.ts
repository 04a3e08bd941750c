import type { Handle } from "../../database/client.ts";
import { isWithinRange, type TimeRange } from "../../database/conditions.ts";
import { RecordList } from "../../database/lists/record-list.ts";
import { RegisteredRepository } from "../../database/registered.repository.ts";
import { coverProducts } from "../../../schema/tables/index.ts";

export type CoverProductRecord = typeof coverProducts.$inferSelect;

/** Filters for registered products. */
export interface CoverProductFilter {
  createdAt?: TimeRange | null;
}

/** Queries for the registered products. */
export class CoverProductRepository extends RegisteredRepository<typeof coverProducts> {
  readonly list: RecordList<CoverProductRecord, CoverProductFilter, "CREATED_AT", never>;

  constructor(db: Handle) {
    super(db, coverProducts, coverProducts.partnerProductId);
    this.list = new RecordList(db, {
      table: coverProducts,
      sorts: { CREATED_AT: coverProducts.createdAt },
      parentConditions: {},
      filterCondition: ({ createdAt }) => isWithinRange(coverProducts.createdAt, createdAt),
    });
  }
}
