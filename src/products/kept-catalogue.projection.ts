import { sql, type SQL } from "drizzle-orm";
import { catalogueVersions, vendors } from "../../schema/tables/index.ts";
import type { KeptRows, RowAlias } from "../database/projection.ts";

/** The version of a vendor's catalogue. Before the first write it is the vendor's UUID. */
const versionOf = (vendorId: number): SQL =>
  sql`(select coalesce((select ${catalogueVersions.version} from ${catalogueVersions} where ${catalogueVersions.vendorId} = ${vendorId}),
    (select ${vendors.uuid} from ${vendors} where ${vendors.id} = ${vendorId})))`;

/** Whether nothing that is shown of a product is stock, its own or that of a bundle's members: orders change it. */
const isProductStable = (
  product: RowAlias,
): string => `(${product}."quantity" is null and not ${product}."use_combination"
  and not exists (select from "bundle_members" m where m."vendor_id" = ${product}."vendor_id" and m."bundle_id" = ${product}."id")
  and not exists (select from "option_groups" g join "product_options" o on o."vendor_id" = g."vendor_id" and o."group_id" = g."id"
    where g."vendor_id" = ${product}."vendor_id" and o."vendor_id" = ${product}."vendor_id" and g."product_id" = ${product}."id" and o."quantity" is not null))`;

/** Texts of products are kept by the version of their vendor's catalogue. */
export const keptProducts: KeptRows = { versionOf, isStable: isProductStable };

/** Texts of plans are kept like those of their products. */
export const keptPlans: KeptRows = {
  versionOf,
  isStable: (plan) => `exists (select from "products" p
    where p."vendor_id" = ${plan}."vendor_id" and p."id" = ${plan}."product_id" and ${isProductStable("p")})`,
};
