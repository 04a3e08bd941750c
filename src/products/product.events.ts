import type { Actor } from "../../schema/vocabulary.ts";
import type { ModuleEvent } from "../events/event.service.ts";
import type { ProductEventTrigger } from "../events/event.titles.ts";
import type { PricePlanRecord, ProductRecord } from "./offer.repository.ts";
import type { ProductTrigger } from "./product.states.ts";

/** A change of a product. One without a title cannot be recorded. */
type ProductChange = (ProductTrigger | "updateProduct" | "listProduct") & ProductEventTrigger;

/** The event of a product that was created, also as the listing of a child vendor's product. */
export const toProductCreatedEvent = (
  { id, code, type, status }: ProductRecord,
  trigger: "createProduct" | "draftProduct" | "listProduct",
): ModuleEvent => ({
  ...{ type: "PRODUCT_CREATED", subject: "PRODUCT", subjectId: id, trigger, actor: "MANAGER" },
  ...{ statusBefore: null, statusAfter: status, facts: { type, productCode: code } },
});

/** The event of a product that was changed. */
export const toProductUpdatedEvent = (
  { id, code, type, status }: ProductRecord,
  trigger: Exclude<ProductChange, "createProduct" | "draftProduct" | "listProduct">,
  statusBefore: string,
  actor: Actor = "MANAGER",
): ModuleEvent => ({
  ...{ type: "PRODUCT_UPDATED", subject: "PRODUCT", subjectId: id, trigger, actor },
  ...{ statusBefore, statusAfter: status, facts: { type, productCode: code } },
});

/** The event of a price plan that was created or changed. Its price is in the vendor's currency. */
export const toPricePlanEvent = (
  { id, code, type, productId, price }: PricePlanRecord,
  change: ("createPricePlan" | "updatePricePlan" | "listPricePlan") & ProductEventTrigger,
  currency: string,
): ModuleEvent => ({
  type: change === "updatePricePlan" ? "PRICE_PLAN_UPDATED" : "PRICE_PLAN_CREATED",
  ...{ subject: "PRICE_PLAN", subjectId: id, trigger: change, actor: "MANAGER" },
  ...{ statusBefore: null, statusAfter: null },
  facts: { amount: price.toFixed(), currency, type, productId, priceCode: code },
});
