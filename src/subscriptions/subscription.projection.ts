import { paymentMethods, subscriptionItems, subscriptions } from "../../schema/tables/index.ts";
import { customerProjection, paymentMethodProjection } from "../customers/customer.projection.ts";
import {
  columnOfRow,
  pickColumns,
  decimalSql,
  referencedRow,
  sharedRow,
  type Projection,
} from "../database/projection.ts";
import { orderProjection } from "../orders/order.projection.ts";
import { planPresentationProjection, pricePlanProjection } from "../products/price-plans/price-plan.projection.ts";
import { productProjection } from "../products/product.projection.ts";

/** A value of the product or the plan of an item. */
const relatedColumn = (table: "products" | "price_plans", value: string) => (item: string) => {
  const key = table === "products" ? "product_id" : "price_id";
  return `(select p."${value}" from "${table}" p where p."vendor_id" = ${item}."vendor_id" and p."id" = ${item}."${key}")`;
};

/**
 * An item's current units, in SQL; null if none were ever reported. Accounts are carried over, usage counts within the
 * period. If the last or the largest record counts, that one is returned; the last one ever may be of an earlier
 * period.
 */
const unitsSql = (series: "RECORD" | "QUOTA") => (item: string) => {
  const own = `u."vendor_id" = ${item}."vendor_id" and u."item_id" = ${item}."id" and u."series" = '${series}'`;
  const inPeriod = `(p."type" = 'UNIT_BASED' or u."at" >= s."current_period_start")`;
  const ever = `array_agg(u."change" order by u."at" desc, u."id" desc)`;
  const last = `(${ever} filter (where ${inPeriod}))[1]`;
  const largest = `max(u."change") filter (where ${inPeriod})`;
  const added = `sum(u."change") filter (where ${inPeriod})`;
  const isMeasured = series === "RECORD" ? `p."type" = 'USAGE_BASED' and p."aggregate_usage_type" =` : "false and '' =";
  const all = `case when ${isMeasured} 'LAST_DURING_PERIOD' then ${last} when ${isMeasured} 'LAST_EVER' then (${ever})[1]
    when ${isMeasured} 'MAX' then ${largest} else ${added} end`;
  return decimalSql(`(select case when count(*) > 0 then coalesce(${all}, 0) end from "subscription_units" u
    join "price_plans" p on p."vendor_id" = ${item}."vendor_id" and p."id" = ${item}."price_id"
    join "subscriptions" s on s."vendor_id" = ${item}."vendor_id" and s."id" = ${item}."subscription_id"
    where ${own} group by p."type", p."aggregate_usage_type")`);
};

const subscriptionItemProjection: Projection = {
  table: subscriptionItems,
  fields: {
    databaseId: subscriptionItems.id,
    ...pickColumns(subscriptionItems, "code", "type", "price", "currency", "quantity", "isAdditional", "keepWhenRenew"),
    selectedProductOptionIds: subscriptionItems.optionIds,
    selectedProductOptionLabel: subscriptionItems.optionLabel,
    selectedProductOptionPrice: subscriptionItems.optionPrice,
    productName: relatedColumn("products", "name"),
    productType: relatedColumn("products", "type"),
    productCode: relatedColumn("products", "code"),
    featuredImageUrl: relatedColumn("products", "featured_image_url"),
    isOnetimePurchasable: relatedColumn("products", "is_onetime_purchasable"),
    hasOptions: (item) =>
      `exists (select from "option_groups" g where g."vendor_id" = ${item}."vendor_id" and g."product_id" = ${item}."product_id")`,
    priceCode: relatedColumn("price_plans", "code"),
    planName: relatedColumn("price_plans", "plan_name"),
    priceType: relatedColumn("price_plans", "type"),
    claimMethodType: relatedColumn("price_plans", "claim_method_type"),
    maximumPurchaseQuantity: relatedColumn("price_plans", "maximum_purchase_quantity"),
    selectedOptions: (item) =>
      `(select coalesce(json_agg(json_build_object('databaseId', o."id", 'name', o."name") order by c.place), '[]'::json)
        from unnest(${item}."option_ids") with ordinality as c(id, place)
        join "product_options" o on o."vendor_id" = ${item}."vendor_id" and o."id" = c.id)`,
    usedUnits: unitsSql("RECORD"),
    allowedUnits: unitsSql("QUOTA"),
    parentSubscriptionItemCode: (item) =>
      `(select p."code" from "subscription_items" p where p."vendor_id" = ${item}."vendor_id" and p."id" = ${item}."parent_item_id")`,
  },
  one: {
    product: sharedRow(() => productProjection, subscriptionItems.productId),
    pricePlan: sharedRow(() => pricePlanProjection, subscriptionItems.priceId),
    nextPricePlan: sharedRow(() => pricePlanProjection, subscriptionItems.nextPriceId),
    plan: referencedRow(() => planPresentationProjection, subscriptionItems.priceId),
  },
};

/** Whether an order belongs to a subscription, in SQL. */
const orderBelongsSql = (order: string, subscription: string) =>
  `exists (select from "order_subscriptions" j where j."vendor_id" = ${subscription}."vendor_id" and j."subscription_id" = ${subscription}."id" and j."order_id" = ${order}."id")`;

export const subscriptionProjection: Projection = {
  table: subscriptions,
  fields: pickColumns(
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
  objects: {
    period: { fields: pickColumns(subscriptions, "interval", "intervalCount") },
    nextPeriod: {
      fields: { interval: subscriptions.nextInterval, intervalCount: subscriptions.nextIntervalCount },
      presentColumn: subscriptions.nextInterval,
    },
  },
  one: {
    customer: referencedRow(() => customerProjection, subscriptions.customerId),
    price: sharedRow(() => pricePlanProjection, subscriptions.priceId),
    paymentMethod: {
      projection: () => paymentMethodProjection,
      joinCondition: (method, subscription) =>
        `${columnOfRow(method, paymentMethods.id)} = ${columnOfRow(subscription, subscriptions.paymentMethodId)}`,
    },
  },
  many: {
    items: {
      projection: () => subscriptionItemProjection,
      joinCondition: (item, subscription) =>
        `${columnOfRow(item, subscriptionItems.subscriptionId)} = ${subscription}."id" and ${columnOfRow(item, subscriptionItems.activatedAt)} is not null and ${columnOfRow(item, subscriptionItems.removedAt)} is null`,
      orderBy: (item) => columnOfRow(item, subscriptionItems.position),
    },
    latestOrders: {
      projection: () => orderProjection,
      joinCondition: orderBelongsSql,
      orderBy: (order) => `${order}."created_at" desc, ${order}."id" desc`,
      limit: 100,
    },
  },
};
