import type { Actor, ProductStatus, ProductType } from "../../schema/vocabulary.ts";
import { StateTable } from "../kernel/state-table.ts";

const actorsByTrigger = {
  createProduct: ["MANAGER"],
  draftProduct: ["MANAGER"],
  publishProduct: ["MANAGER"],
  unpublishProduct: ["MANAGER"],
  sellOut: ["SYSTEM"],
  restockProduct: ["SYSTEM", "MANAGER"],
  submitProduct: ["MANAGER"],
  approveProduct: ["MANAGER"],
  rejectProduct: ["MANAGER"],
} as const satisfies Record<string, readonly [Actor, ...Actor[]]>;

/** The triggers of product transitions. */
export type ProductTrigger = keyof typeof actorsByTrigger;

/** Products. One without stock to count never sells out. */
export const productStates = new StateTable<ProductStatus, ProductTrigger>({
  noun: "product",
  actors: actorsByTrigger,
  operations: {
    publishProduct: "updateProduct(status: SALE)",
    unpublishProduct: "updateProduct(status: UNSOLD)",
    restockProduct: "updateProduct(quantity)",
    submitProduct: "submitProduct",
    approveProduct: "approveProduct",
    rejectProduct: "rejectProduct",
  },
  initialStates: { createProduct: "SALE", draftProduct: "UNSOLD" },
  transitions: {
    SALE: { sellOut: "OUT_OF_STOCK", unpublishProduct: "UNSOLD" },
    OUT_OF_STOCK: { restockProduct: "SALE" },
    UNSOLD: { publishProduct: "SALE", submitProduct: "WAITING_APPROVAL" },
    WAITING_APPROVAL: { approveProduct: "SALE", rejectProduct: "REJECTED" },
    REJECTED: { submitProduct: "WAITING_APPROVAL" },
  },
});

const draftStates = productStates.withoutTrigger("publishProduct");
const publishedStates = productStates.withoutTrigger("submitProduct");

/**
 * The state table for a type of product: a DRAFT is only put on sale by its parent vendor's approval, other types need
 * none.
 */
export const productStatesOf = (type: ProductType): StateTable<ProductStatus, ProductTrigger> =>
  type === "DRAFT" ? draftStates : publishedStates;
