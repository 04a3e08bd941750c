import { enumOf } from "./words.ts";

/** Kinds of records that are imported. Rows refer to rows of the kinds before theirs. */
export const ImportKind = enumOf("CUSTOMER", "PRODUCT", "PRICE_PLAN", "PAYMENT_METHOD", "SUBSCRIPTION");
export type ImportKind = keyof typeof ImportKind;
