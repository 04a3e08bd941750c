import type {
  ImportKind,
  Network,
  PaymentGateway,
  PaymentMethod,
  PricePlanType,
  ProductType,
} from "../../schema/vocabulary.ts";
import type { CustomerFields } from "../customers/customer.service.ts";
import type { Amount } from "../kernel/amounts.ts";
import type { ProductFields } from "../products/product.service.ts";
import type { PricePlanFields } from "../products/price-plans/price-plan.service.ts";

/** The kinds of files: one for each kind of record, and one of the tries of past payments. */
export type FileKind = ImportKind | "PAST_TRY";

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

interface PaymentMethodRow extends ImportedRow {
  customerId: string;
  paymentGateway: PaymentGateway;
  paymentMethod: PaymentMethod;
  /** The gateway's id of its customer; null for gateways that need only the method's. */
  gatewayCustomerId?: string | null;
  /** The gateway's id of the method: a billing key, a token. */
  gatewayMethodId: string;
  fingerprint?: string | null;
  network?: Network | null;
  paymentInfo?: string | null;
}

interface SubscriptionRow extends ImportedRow {
  customerId: string;
  priceId: string;
  paymentMethodId?: string | null;
  quantity?: number | null;
  currency?: string | null;
  price?: Amount | null;
  nextPaymentDate: Date;
  cycleAnchor?: Date | null;
  startDate?: Date | null;
  chargedCount?: number | null;
}

/** The values of a row of each kind. */
export interface RowValues extends Record<ImportKind, ImportedRow> {
  CUSTOMER: CustomerRow;
  PRODUCT: ProductRow;
  PRICE_PLAN: PricePlanRow;
  PAYMENT_METHOD: PaymentMethodRow;
  SUBSCRIPTION: SubscriptionRow;
}
