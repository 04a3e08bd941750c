import { and, eq } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { when, within, type Period } from "../../database/conditions.ts";
import { Keyset } from "../../database/keyset-list.ts";
import { RegisteredRepository } from "../../database/registered.repository.ts";
import { coverPrices } from "../../../schema/tables/index.ts";

export type CoverPriceRecord = typeof coverPrices.$inferSelect;

/** Which price plans are asked for. */
export interface CoverPriceFilter {
  productId?: number | null;
  isRecurring?: boolean | null;
  createdAt?: Period | null;
}

/** Every question we ask of the registered price plans. */
export class CoverPriceRepository extends RegisteredRepository<typeof coverPrices> {
  readonly list: Keyset<CoverPriceRecord, CoverPriceFilter, "CREATED_AT", "productId">;

  constructor(db: Handle) {
    super(db, coverPrices, coverPrices.partnerPriceId);
    this.list = new Keyset(db, {
      table: coverPrices,
      sorts: { CREATED_AT: { expression: coverPrices.createdAt, valueOf: (row) => row.createdAt } },
      parents: { productId: coverPrices.productId },
      matching: ({ productId, isRecurring, createdAt }) =>
        and(
          when(productId, (id) => eq(coverPrices.productId, id)),
          when(isRecurring, (recurring) => eq(coverPrices.isRecurring, recurring)),
          within(coverPrices.createdAt, createdAt),
        ),
    });
  }
}
