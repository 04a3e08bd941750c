import type { ImportKind } from "../../schema/vocabulary.ts";
import type { CustomerFields } from "../customers/customer.service.ts";
import type { ProductFields } from "../products/catalog.service.ts";
import type { PricePlanFields } from "../products/price-plans/price-plan.service.ts";
import type { PricePlanType, ProductType } from "../../schema/vocabulary.ts";

/** A row: the fields of the mutation's input, in which references are the merchant's own ids. */
interface ImportedRow {
  partnerId: string;
}

type CustomerRow = ImportedRow & CustomerFields;

type ProductRow = ImportedRow &
  Omit<ProductFields, "combinedProductIds"> & { type: ProductType; combinedProductIds?: readonly string[] | null };

type PricePlanOptionRow = Omit<NonNullable<PricePlanFields["options"]>[number], "id" | "optionPriceId"> & {
  optionPriceId?: string | null;
};

type PricePlanRow = ImportedRow &
  Omit<PricePlanFields, "options" | "bundlePrices"> & {
    productId: string;
    type: PricePlanType;
    plan: { name: string };
    /** Must be the base currency of the vendor. */
    currency?: string | null;
    options?: readonly PricePlanOptionRow[] | null;
    bundlePrices?: readonly { productId: string; priceId: string }[] | null;
  };

/** The values of a row of each kind. */
export interface RowValues extends Record<ImportKind, ImportedRow> {
  CUSTOMER: CustomerRow;
  PRODUCT: ProductRow;
  PRICE_PLAN: PricePlanRow;
}
