import { orderItemHistories, orderItems, orderLogs, orders } from "../../schema/tables/index.ts";
import { customerShape, shippingShape } from "../customers/customer.projection.ts";
import { columnsOf, decimal, pointedAt, pointing, type Shape } from "../database/projection.ts";
import { paymentShape } from "../payments/payment.projection.ts";
import { planPresentationShape, pricePlanShape } from "../products/price-plans/price-plan.projection.ts";
import { productShape } from "../products/product.projection.ts";
import { subscriptionShape } from "../subscriptions/subscription.projection.ts";

const orderLogShape: Shape = {
  table: orderLogs,
  fields: { databaseId: orderLogs.id, ...columnsOf(orderLogs, "type", "content", "createdAt") },
};

const historyShape: Shape = {
  table: orderItemHistories,
  fields: {
    databaseId: orderItemHistories.id,
    ...columnsOf(orderItemHistories, "actor", "category", "status", "reason", "createdAt"),
  },
};

/** The type of a line's product, in SQL: its own, that of the line it belongs to, or of the first product of its order. */
const productTypeOf = (item: string) => `coalesce(${item}."ordered_product_type",
  (select r."ordered_product_type" from "order_items" r where r."vendor_id" = ${item}."vendor_id" and r."id" = ${item}."related_item_id"),
  (select f."ordered_product_type" from "order_items" f where f."vendor_id" = ${item}."vendor_id" and f."order_id" = ${item}."order_id"
    and f."ordered_product_type" is not null order by f."position" limit 1), 'SOFTWARE')`;

export const orderItemShape: Shape = {
  table: orderItems,
  fields: {
    ...columnsOf(
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
    canceledDateTime: orderItems.canceledAt,
    orderedProductType: productTypeOf,
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
  parts: {
    demoCycle: {
      fields: { num: orderItems.demoCycleNum, type: orderItems.demoCycleType },
      presentBy: orderItems.demoCycleNum,
    },
  },
  one: {
    order: pointedAt(() => orderShape, orderItems.orderId),
    product: pointedAt(() => productShape, orderItems.productId),
    price: pointedAt(() => pricePlanShape, orderItems.priceId),
    plan: pointedAt(() => planPresentationShape, orderItems.priceId),
  },
  many: {
    histories: {
      ...pointing(() => historyShape, orderItemHistories.itemId, orderItemHistories.id),
      nullIfEmpty: true,
    },
    claimHistories: {
      ...pointing(() => historyShape, orderItemHistories.itemId, orderItemHistories.id),
      on: (history, item) =>
        `${history}."item_id" = ${item}."id" and ${history}."category" in ('CANCELLATION', 'EXCHANGE', 'RETURN')`,
      nullIfEmpty: true,
    },
  },
};

/** Rows of the table that says which orders belong to which subscriptions, in SQL. */
const links = (alias: string, order: string) =>
  `"order_subscriptions" ${alias} where ${alias}."vendor_id" = ${order}."vendor_id" and ${alias}."order_id" = ${order}."id"`;

export const orderShape: Shape = {
  table: orders,
  fields: {
    ...columnsOf(
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
    leftAmount: (order) => decimal(`${order}."paid_amount" - ${order}."returned_amount"`),
  },
  one: {
    customer: pointedAt(() => customerShape, orders.customerId),
    parentSubscription: pointedAt(() => subscriptionShape, orders.parentSubscriptionId),
    shipping: {
      shape: () => shippingShape,
      on: (address, order) => `${address}."customer_id" = ${order}."customer_id"`,
      order: (address) => `${address}."used_at" desc, ${address}."id" desc`,
    },
    payment: {
      shape: () => paymentShape,
      on: (payment, order) => `${payment}."order_id" = ${order}."id"`,
      order: (payment) => `${payment}."id" desc`,
    },
  },
  many: {
    items: pointing(() => orderItemShape, orderItems.orderId, orderItems.position),
    orderLogs: pointing(() => orderLogShape, orderLogs.orderId, orderLogs.id),
    subscriptions: {
      shape: () => subscriptionShape,
      on: (subscription, order) => `${subscription}."id" in (select j."subscription_id" from ${links("j", order)})`,
      order: (subscription) => `${subscription}."id"`,
    },
    relatedOrders: {
      shape: () => orderShape,
      on: (related, order) =>
        `${related}."id" <> ${order}."id" and ${related}."id" in (select k."order_id" from "order_subscriptions" k where k."vendor_id" = ${order}."vendor_id" and k."subscription_id" in (select j."subscription_id" from ${links("j", order)}))`,
      order: (related) => `${related}."created_at" desc, ${related}."id" desc`,
      most: 100,
    },
    childOrders: {
      shape: () => orderShape,
      crosses: true,
      on: (child, order) =>
        `${child}."parent_vendor_id" = ${order}."vendor_id" and ${child}."parent_order_id" = ${order}."id"`,
      order: (child) => `${child}."id"`,
    },
  },
};
