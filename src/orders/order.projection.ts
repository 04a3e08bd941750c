import { orderItemHistories, orderItems, orderLogs, orders } from "../../schema/tables/index.ts";
import { customerProjection, shippingProjection } from "../customers/customer.projection.ts";
import {
  pickColumns,
  decimalSql,
  referencedRow,
  referencingRows,
  sharedRow,
  withoutRowsOf,
  type Projection,
} from "../database/projection.ts";
import { paymentProjection } from "../payments/payment.projection.ts";
import { planPresentationProjection, pricePlanProjection } from "../products/price-plans/price-plan.projection.ts";
import { productProjection } from "../products/product.projection.ts";
import { subscriptionProjection } from "../subscriptions/subscription.projection.ts";

const orderLogProjection: Projection = {
  table: orderLogs,
  fields: { databaseId: orderLogs.id, ...pickColumns(orderLogs, "type", "content", "createdAt") },
};

const historyProjection: Projection = {
  table: orderItemHistories,
  fields: {
    databaseId: orderItemHistories.id,
    ...pickColumns(orderItemHistories, "actor", "category", "status", "reason", "createdAt"),
  },
};

/** The type of a line's product, in SQL: its own, that of the line it belongs to, or of the first product of its order. */
const productTypeSql = (item: string) => `coalesce(${item}."ordered_product_type",
  (select r."ordered_product_type" from "order_items" r where r."vendor_id" = ${item}."vendor_id" and r."id" = ${item}."related_item_id"),
  (select f."ordered_product_type" from "order_items" f where f."vendor_id" = ${item}."vendor_id" and f."order_id" = ${item}."order_id"
    and f."ordered_product_type" is not null order by f."position" limit 1), 'SOFTWARE')`;

export const orderItemProjection: Projection = {
  table: orderItems,
  fields: {
    ...pickColumns(
      orderItems,
      "id",
      "code",
      "type",
      "status",
      "amount",
      "paidAmount",
      "returnedAmount",
      "currency",
      "quantity",
      "minimumQuantity",
      "maximumQuantity",
      "unitPrice",
      "orderedProductName",
      "orderedPlanName",
      "featuredImageUrl",
      "discountName",
      "priceSetupType",
      "usedCount",
      "usageFormula",
      "deliveryCode",
      "unitCount",
      "unitChangeHistory",
      "createdAt",
      "modifiedAt",
    ),
    selectedProductOptionIds: orderItems.optionIds,
    selectedProductOptionLabel: orderItems.optionLabel,
    relatedOrderItemId: orderItems.relatedItemId,
    relatedSubscriptionItemId: orderItems.relatedSubscriptionItemId,
    canceledAt: orderItems.canceledAt,
    orderedProductType: productTypeSql,
    // The steps begin with the accounts that the period began with. Lines of older gateways may lack them.
    unitsAtPeriodEnd: (item) =>
      `case when ${item}."unit_count" is not null then coalesce(
        (select sum((step->>'changedCount')::numeric)::integer from jsonb_array_elements(${item}."unit_change_history") step),
        ceil(${item}."unit_count")::integer) end`,
    parentOrderItemCode: (item) =>
      `(select p."code" from "order_items" p where p."vendor_id" = ${item}."vendor_id" and p."id" = ${item}."parent_item_id")`,
    priceType: (item) =>
      `(select p."type" from "price_plans" p where p."vendor_id" = ${item}."vendor_id" and p."id" = ${item}."price_id")`,
  },
  objects: {
    demoCycle: {
      fields: { num: orderItems.demoCycleNum, type: orderItems.demoCycleType },
      presentColumn: orderItems.demoCycleNum,
    },
  },
  one: {
    order: referencedRow(() => orderProjection, orderItems.orderId),
    product: sharedRow(() => productProjection, orderItems.productId),
    price: sharedRow(() => pricePlanProjection, orderItems.priceId),
    plan: referencedRow(() => planPresentationProjection, orderItems.priceId),
  },
  many: {
    histories: {
      ...referencingRows(() => historyProjection, orderItemHistories.itemId, orderItemHistories.id),
      nullIfEmpty: true,
    },
    claimHistories: {
      ...referencingRows(() => historyProjection, orderItemHistories.itemId, orderItemHistories.id),
      joinCondition: (history, item) =>
        `${history}."item_id" = ${item}."id" and ${history}."category" in ('CANCELLATION', 'EXCHANGE', 'RETURN')`,
      nullIfEmpty: true,
    },
  },
};

/** Rows of the table that links orders to subscriptions, in SQL. */
const orderLinks = (alias: string, order: string) =>
  `"order_subscriptions" ${alias} where ${alias}."vendor_id" = ${order}."vendor_id" and ${alias}."order_id" = ${order}."id"`;

const orderLines = referencingRows(() => orderItemProjection, orderItems.orderId, orderItems.position);

export const orderProjection: Projection = {
  table: orders,
  fields: {
    ...pickColumns(
      orders,
      "id",
      "code",
      "idKey",
      "type",
      "customerName",
      "productName",
      "amount",
      "discountedAmount",
      "paidAmount",
      "returnedAmount",
      "currency",
      "baseCurrency",
      "exchangeRate",
      "currencyPrice",
      "region",
      "claimMethodType",
      "paymentMethod",
      "allowedPaymentMethods",
      "paymentGateway",
      "paymentDate",
      "paymentDueDate",
      "purchaseDeadline",
      "calculateStartDate",
      "calculateEndDate",
      "createdAt",
      "modifiedAt",
    ),
    leftAmount: (order) => decimalSql(`${order}."paid_amount" - ${order}."returned_amount"`),
  },
  one: {
    customer: referencedRow(() => customerProjection, orders.customerId),
    parentSubscription: sharedRow(() => subscriptionProjection, orders.parentSubscriptionId),
    shipping: {
      projection: () => shippingProjection,
      joinCondition: (address, order) => `${address}."customer_id" = ${order}."customer_id"`,
      orderBy: (address) => `${address}."used_at" desc, ${address}."id" desc`,
    },
    payment: {
      projection: () => paymentProjection,
      joinCondition: (payment, order) => `${payment}."order_id" = ${order}."id"`,
      orderBy: (payment) => `${payment}."id" desc`,
    },
  },
  many: {
    items: orderLines,
    orderLogs: referencingRows(() => orderLogProjection, orderLogs.orderId, orderLogs.id),
    subscriptions: {
      projection: () => subscriptionProjection,
      joinCondition: (subscription, order) =>
        `${subscription}."id" in (select j."subscription_id" from ${orderLinks("j", order)})`,
      orderBy: (subscription) => `${subscription}."id"`,
      isRare: true,
    },
    relatedOrders: {
      projection: () => orderProjection,
      joinCondition: (related, order) =>
        `${related}."id" <> ${order}."id" and ${related}."id" in (select k."order_id" from "order_subscriptions" k where k."vendor_id" = ${order}."vendor_id" and k."subscription_id" in (select j."subscription_id" from ${orderLinks("j", order)}))`,
      orderBy: (related) => `${related}."created_at" desc, ${related}."id" desc`,
      limit: 100,
      isRare: true,
    },
    childOrders: {
      projection: () => orderProjection,
      crossesVendors: true,
      ownerColumn: orders.parentVendorId,
      joinCondition: (child, order) =>
        `${child}."parent_vendor_id" = ${order}."vendor_id" and ${child}."parent_order_id" = ${order}."id"`,
      orderBy: (child) => `${child}."id"`,
    },
  },
};

const newOrderItemProjection = withoutRowsOf(orderItemProjection, "histories", "claimHistories");

/** An order to which nothing has happened since its creation. Its lines are new too; what else it refers to was there before. */
export const newOrderProjection: Projection = withoutRowsOf(
  {
    ...orderProjection,
    many: {
      ...orderProjection.many,
      items: { ...orderLines, projection: () => newOrderItemProjection },
    },
  },
  ...["payment", "orderLogs", "subscriptions", "relatedOrders"],
);
