import type { ImportKind } from "../../schema/vocabulary.ts";
import type { RowValues } from "./import.rows.ts";

/** A record that a row refers to, by the merchant's own id. */
export interface RowReference {
  kind: ImportKind;
  partnerId: string;
  /** The field of the row that has the id. */
  path: string;
}

const toReference =
  (kind: ImportKind) =>
  (partnerId: string, path: string): RowReference => ({ kind, partnerId, path });

const customer = toReference("CUSTOMER");
const product = toReference("PRODUCT");
const plan = toReference("PRICE_PLAN");
const method = toReference("PAYMENT_METHOD");

/** The records that a row of each kind refers to. */
export const referencesOf: { [K in ImportKind]: (row: Omit<RowValues[K], "partnerId">) => RowReference[] } = {
  CUSTOMER: () => [],
  PRODUCT: ({ combinedProductIds }) =>
    (combinedProductIds ?? []).map((id, index) => product(id, `combinedProductIds[${index}]`)),
  PRICE_PLAN: ({ productId, options, bundlePrices }) => [
    product(productId, "productId"),
    ...(bundlePrices ?? []).map((member, index) => product(member.productId, `bundlePrices[${index}].productId`)),
    ...(options ?? []).flatMap(({ optionPriceId }, index) =>
      optionPriceId == null ? [] : [plan(optionPriceId, `options[${index}].optionPriceId`)],
    ),
    ...(bundlePrices ?? []).map((member, index) => plan(member.priceId, `bundlePrices[${index}].priceId`)),
  ],
  PAYMENT_METHOD: ({ customerId }) => [customer(customerId, "customerId")],
  SUBSCRIPTION: ({ customerId, priceId, paymentMethodId }) => [
    customer(customerId, "customerId"),
    plan(priceId, "priceId"),
    ...(paymentMethodId == null ? [] : [method(paymentMethodId, "paymentMethodId")]),
  ],
};
