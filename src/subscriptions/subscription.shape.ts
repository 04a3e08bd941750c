import { paymentMethods, subscriptionItems, subscriptions } from "../../schema/tables/index.ts";
import { customerShape, paymentMethodShape } from "../customers/customer.shape.ts";
import { at, columnsOf, pointedAt, pointing, type Shape } from "../database/shape.ts";
import { orderShape } from "../orders/order.shape.ts";
import { pricePlanShape } from "../products/price-plan.shape.ts";
import { productShape } from "../products/product.shape.ts";

/** A value of the product or the plan of an item. */
const of = (table: "products" | "price_plans", value: string) => (item: string) => {
  const key = table === "products" ? "product_id" : "price_id";
  return `(select p."${value}" from "${table}" p where p."vendor_id" = ${item}."vendor_id" and p."id" = ${item}."${key}")`;
};

const subscriptionItemShape: Shape = {
  table: subscriptionItems,
  fields: {
    databaseId: subscriptionItems.id,
    ...columnsOf(subscriptionItems, "code", "type", "price", "currency", "quantity", "isAdditional", "keepWhenRenew"),
    selectedProductOptionIds: subscriptionItems.optionIds,
    selectedProductOptionLabel: subscriptionItems.optionLabel,
    selectedProductOptionPrice: subscriptionItems.optionPrice,
    productName: of("products", "name"),
    productType: of("products", "type"),
    productCode: of("products", "code"),
    featuredImageUrl: of("products", "featured_image_url"),
    isOnetimePurchasable: of("products", "is_onetime_purchasable"),
    hasOptions: (item) =>
      `exists (select from "option_groups" g where g."vendor_id" = ${item}."vendor_id" and g."product_id" = ${item}."product_id")`,
    priceCode: of("price_plans", "code"),
    plan: of("price_plans", "plan_name"),
    priceType: of("price_plans", "type"),
    claimMethodType: of("price_plans", "claim_method_type"),
    maximumPurchaseQuantity: of("price_plans", "maximum_purchase_quantity"),
    selectedOptions: (item) =>
      `(select coalesce(json_agg(json_build_object('databaseId', o."id", 'name', o."name") order by c.place), '[]'::json)
        from unnest(${item}."option_ids") with ordinality as c(id, place)
        join "product_options" o on o."vendor_id" = ${item}."vendor_id" and o."id" = c.id)`,
    parentSubscriptionItemCode: (item) =>
      `(select p."code" from "subscription_items" p where p."vendor_id" = ${item}."vendor_id" and p."id" = ${item}."parent_item_id")`,
  },
  one: {
    product: pointedAt(() => productShape, subscriptionItems.productId),
    pricePlan: pointedAt(() => pricePlanShape, subscriptionItems.priceId),
  },
};

/** Whether an order belongs to a subscription, in SQL. */
const belongs = (order: string, subscription: string) =>
  `exists (select from "order_subscriptions" j where j."vendor_id" = ${subscription}."vendor_id" and j."subscription_id" = ${subscription}."id" and j."order_id" = ${order}."id")`;

export const subscriptionShape: Shape = {
  table: subscriptions,
  fields: columnsOf(
    subscriptions,
    "id",
    "code",
    "status",
    "currency",
    "interval",
    "intervalCount",
    "claimMethodType",
    "startDate",
    "lastPaymentDate",
    "nextPaymentDate",
    "endDate",
    "trialEndDate",
    "createdAt",
    "modifiedAt",
  ),
  parts: { period: { fields: columnsOf(subscriptions, "interval", "intervalCount") } },
  one: {
    customer: pointedAt(() => customerShape, subscriptions.customerId),
    price: pointedAt(() => pricePlanShape, subscriptions.priceId),
    paymentMethod: {
      shape: () => paymentMethodShape,
      on: (method, subscription) =>
        `${at(method, paymentMethods.id)} = ${at(subscription, subscriptions.paymentMethodId)}`,
    },
  },
  many: {
    items: pointing(() => subscriptionItemShape, subscriptionItems.subscriptionId, subscriptionItems.position),
    latestOrders: {
      shape: () => orderShape,
      on: belongs,
      order: (order) => `${order}."created_at" desc, ${order}."id" desc`,
      most: 100,
    },
  },
};
