import { products } from "../../schema/tables/index.ts";
import { columnsOf, type Shape } from "../database/projection.ts";
import { productShape } from "./product.projection.ts";

/** A value of the vendor that submitted the product. */
const ofVendor = (column: string) => (product: string) =>
  `(select v."${column}" from "vendors" v where v."id" = ${product}."vendor_id")`;

/** A product as the parent sees it that has to decide about it. */
export const productSubmissionShape: Shape = {
  table: products,
  fields: {
    ...columnsOf(products, "id", "submittedAt"),
    vendorUuid: ofVendor("uuid"),
    vendorName: ofVendor("name"),
  },
  one: { product: { shape: () => productShape, on: (product, submission) => `${product}."id" = ${submission}."id"` } },
};
