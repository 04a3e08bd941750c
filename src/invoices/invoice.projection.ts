import { invoiceItems, invoices } from "../../schema/tables/index.ts";
import { customerProjection } from "../customers/customer.projection.ts";
import { pickColumns, referencedRow, referencingRows, sharedRow, type Projection } from "../database/projection.ts";
import { orderProjection } from "../orders/order.projection.ts";
import { pricePlanProjection } from "../products/price-plans/price-plan.projection.ts";
import { productProjection } from "../products/product.projection.ts";

const invoiceItemProjection: Projection = {
  table: invoiceItems,
  fields: pickColumns(invoiceItems, "position", "price", "minimumQuantity", "maximumQuantity"),
  one: {
    product: sharedRow(() => productProjection, invoiceItems.productId),
    pricePlan: sharedRow(() => pricePlanProjection, invoiceItems.priceId),
  },
};

export const invoiceProjection: Projection = {
  table: invoices,
  fields: pickColumns(
    invoices,
    "id",
    "status",
    "publishType",
    "publishMethods",
    "invoicePayMethods",
    "paymentGateway",
    "region",
    "currency",
    "discount",
    "instantAmount",
    "purchaseDeadline",
    "reservationAt",
    "memoToCustomer",
    "sentAt",
    "createdAt",
    "modifiedAt",
  ),
  one: {
    customer: referencedRow(() => customerProjection, invoices.customerId),
    order: referencedRow(() => orderProjection, invoices.orderId),
  },
  many: { items: referencingRows(() => invoiceItemProjection, invoiceItems.invoiceId, invoiceItems.position) },
};
