import type { Handle } from "../../database/client.ts";
import { within, type Period } from "../../database/conditions.ts";
import { Keyset } from "../../database/keyset-list.ts";
import { RegisteredRepository } from "../../database/registered.repository.ts";
import { coverProducts } from "../../../schema/tables/index.ts";

export type CoverProductRecord = typeof coverProducts.$inferSelect;

/** Which products are asked for. */
export interface CoverProductFilter {
  createdAt?: Period | null;
}

/** Every question we ask of the registered products. */
export class CoverProductRepository extends RegisteredRepository<typeof coverProducts> {
  readonly list: Keyset<CoverProductRecord, CoverProductFilter, "CREATED_AT", never>;

  constructor(db: Handle) {
    super(db, coverProducts, coverProducts.partnerProductId);
    this.list = new Keyset(db, {
      table: coverProducts,
      sorts: { CREATED_AT: { expression: coverProducts.createdAt, valueOf: (row) => row.createdAt } },
      parents: {},
      matching: ({ createdAt }) => within(coverProducts.createdAt, createdAt),
    });
  }
}
