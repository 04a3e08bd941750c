import { paymentMethods, subscriptionItems, subscriptions } from "../../schema/tables/index.ts";
import { customerShape, paymentMethodShape } from "../customers/customer.projection.ts";
import { at, columnsOf, decimal, pointedAt, type Shape } from "../database/projection.ts";
import { orderShape } from "../orders/order.projection.ts";
import { planPresentationShape, pricePlanShape } from "../products/price-plans/price-plan.projection.ts";
import { productShape } from "../products/product.projection.ts";

/** A value of the product or the plan of an item. */
const of = (table: "products" | "price_plans", value: string) => (item: string) => {
  const key = table === "products" ? "product_id" : "price_id";
  return `(select p."${value}" from "${table}" p where p."vendor_id" = ${item}."vendor_id" and p."id" = ${item}."${key}")`;
};

/**
 * What an item's units come to now, in SQL; null where none were ever told. Accounts are carried over, usage counts within
 * the period; where the last or the largest record counts, that one is told, the last one ever of an earlier period too.
 */
const unitsOf = (series: "RECORD" | "QUOTA") => (item: string) => {
  const own = `u."vendor_id" = ${item}."vendor_id" and u."item_id" = ${item}."id" and u."series" = '${series}'`;
  const inPeriod = `(p."type" = 'UNIT_BASED' or u."at" >= s."current_period_start")`;
  const ever = `array_agg(u."change" order by u."at" desc, u."id" desc)`;
  const last = `(${ever} filter (where ${inPeriod}))[1]`;
  const largest = `max(u."change") filter (where ${inPeriod})`;
  const added = `sum(u."change") filter (where ${inPeriod})`;
  const isMeasured = series === "RECORD" ? `p."type" = 'USAGE_BASED' and p."aggregate_usage_type" =` : "false and '' =";
  const all = `case when ${isMeasured} 'LAST_DURING_PERIOD' then ${last} when ${isMeasured} 'LAST_EVER' then (${ever})[1]
    when ${isMeasured} 'MAX' then ${largest} else ${added} end`;
  return decimal(`(select case when count(*) > 0 then coalesce(${all}, 0) end from "subscription_units" u
    join "price_plans" p on p."vendor_id" = ${item}."vendor_id" and p."id" = ${item}."price_id"
    join "subscriptions" s on s."vendor_id" = ${item}."vendor_id" and s."id" = ${item}."subscription_id"
    where ${own} group by p."type", p."aggregate_usage_type")`);
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
    planName: of("price_plans", "plan_name"),
    priceType: of("price_plans", "type"),
    claimMethodType: of("price_plans", "claim_method_type"),
    maximumPurchaseQuantity: of("price_plans", "maximum_purchase_quantity"),
    selectedOptions: (item) =>
      `(select coalesce(json_agg(json_build_object('databaseId', o."id", 'name', o."name") order by c.place), '[]'::json)
        from unnest(${item}."option_ids") with ordinality as c(id, place)
        join "product_options" o on o."vendor_id" = ${item}."vendor_id" and o."id" = c.id)`,
    usedUnits: unitsOf("RECORD"),
    allowedUnits: unitsOf("QUOTA"),
    parentSubscriptionItemCode: (item) =>
      `(select p."code" from "subscription_items" p where p."vendor_id" = ${item}."vendor_id" and p."id" = ${item}."parent_item_id")`,
  },
  one: {
    product: pointedAt(() => productShape, subscriptionItems.productId),
    pricePlan: pointedAt(() => pricePlanShape, subscriptionItems.priceId),
    nextPricePlan: pointedAt(() => pricePlanShape, subscriptionItems.nextPriceId),
    plan: pointedAt(() => planPresentationShape, subscriptionItems.priceId),
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
    "currentPeriodStart",
    "currentPeriodEnd",
    "renewalCount",
    "expiryRecurringCount",
    "pauseAt",
    "resumeAt",
    "cancelAt",
    "pausedAt",
    "canceledAt",
    "refundableAmount",
    "createdAt",
    "modifiedAt",
  ),
  parts: {
    period: { fields: columnsOf(subscriptions, "interval", "intervalCount") },
    nextPeriod: {
      fields: { interval: subscriptions.nextInterval, intervalCount: subscriptions.nextIntervalCount },
      presentBy: subscriptions.nextInterval,
    },
  },
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
    items: {
      shape: () => subscriptionItemShape,
      on: (item, subscription) =>
        `${at(item, subscriptionItems.subscriptionId)} = ${subscription}."id" and ${at(item, subscriptionItems.activatedAt)} is not null and ${at(item, subscriptionItems.removedAt)} is null`,
      order: (item) => at(item, subscriptionItems.position),
    },
    latestOrders: {
      shape: () => orderShape,
      on: belongs,
      order: (order) => `${order}."created_at" desc, ${order}."id" desc`,
      most: 100,
    },
  },
};
