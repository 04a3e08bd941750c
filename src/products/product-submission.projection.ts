import { products } from "../../schema/tables/index.ts";
import { pickColumns, type Projection } from "../database/projection.ts";
import { productProjection } from "./product.projection.ts";

/** A value of the vendor that submitted the product. */
const vendorColumn = (column: string) => (product: string) =>
  `(select v."${column}" from "vendors" v where v."id" = ${product}."vendor_id")`;

/** A product as the parent sees it that has to decide about it. */
export const productSubmissionProjection: Projection = {
  table: products,
  fields: {
    ...pickColumns(products, "id", "submittedAt"),
    vendorUuid: vendorColumn("uuid"),
    vendorName: vendorColumn("name"),
  },
  one: {
    product: {
      projection: () => productProjection,
      joinCondition: (product, submission) => `${product}."id" = ${submission}."id"`,
    },
  },
};
