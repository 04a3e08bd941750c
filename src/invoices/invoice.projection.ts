import { invoiceItems, invoices } from "../../schema/tables/index.ts";
import { customerShape } from "../customers/customer.projection.ts";
import { columnsOf, pointedAt, pointing, type Shape } from "../database/projection.ts";
import { orderShape } from "../orders/order.projection.ts";
import { pricePlanShape } from "../products/price-plans/price-plan.projection.ts";
import { productShape } from "../products/product.projection.ts";

const invoiceItemShape: Shape = {
  table: invoiceItems,
  fields: columnsOf(invoiceItems, "position", "price", "minimumQuantity", "maximumQuantity"),
  one: {
    product: pointedAt(() => productShape, invoiceItems.productId),
    pricePlan: pointedAt(() => pricePlanShape, invoiceItems.priceId),
  },
};

export const invoiceShape: Shape = {
  table: invoices,
  fields: columnsOf(
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
    customer: pointedAt(() => customerShape, invoices.customerId),
    order: pointedAt(() => orderShape, invoices.orderId),
  },
  many: { items: pointing(() => invoiceItemShape, invoiceItems.invoiceId, invoiceItems.position) },
};
