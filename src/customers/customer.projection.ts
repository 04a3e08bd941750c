import { customers, paymentMethods, shippingAddresses } from "../../schema/tables/index.ts";
import { columnsOf, decimal, pointing, type Edge, type Shape } from "../database/projection.ts";
import { orderShape } from "../orders/order.projection.ts";
import { subscriptionShape } from "../subscriptions/subscription.projection.ts";

/** Orders of a customer, counted by the index. */
const ordersOf = (customer: string) =>
  `from "orders" o where o."vendor_id" = ${customer}."vendor_id" and o."customer_id" = ${customer}."id"`;

export const shippingShape: Shape = {
  table: shippingAddresses,
  fields: {
    databaseId: shippingAddresses.id,
    ...columnsOf(
      shippingAddresses,
      "name",
      "phone",
      "postcode",
      "address1",
      "address2",
      "state",
      "city",
      "countryCode",
    ),
  },
};

export const paymentMethodShape: Shape = {
  table: paymentMethods,
  fields: {
    databaseId: paymentMethods.id,
    ...columnsOf(paymentMethods, "id", "paymentInfo", "method", "gateway", "network", "createdAt"),
  },
};

/** The customer's newest rows of a table. */
const newest = (shape: () => Shape): Edge => ({
  shape,
  on: (row, customer) => `${row}."customer_id" = ${customer}."id"`,
  order: (row) => `${row}."created_at" desc, ${row}."id" desc`,
  most: 100,
});

export const customerShape: Shape = {
  table: customers,
  fields: {
    ...columnsOf(
      customers,
      "id",
      "uuid",
      "code",
      "status",
      "username",
      "name",
      "email",
      "phone",
      "marketingSms",
      "marketingEmail",
      "marketingMessenger",
      "region",
      "attributes",
      "additionalRecipients",
      "createdAt",
      "modifiedAt",
      "dormantAt",
    ),
    orderCount: (customer) => `(select count(*) ${ordersOf(customer)})`,
    activeSubscriptionCount: (customer) =>
      `(select count(*) from "subscriptions" s where s."vendor_id" = ${customer}."vendor_id" and s."customer_id" = ${customer}."id" and s."status" not in ('CANCELED', 'EXPIRED'))`,
    // What was paid in other currencies counts at the rate of its order.
    totalPurchasedPrice: (customer) =>
      decimal(
        `(select coalesce(round(sum((o."paid_amount" - o."returned_amount") / o."exchange_rate"), 6), 0) ${ordersOf(customer)})`,
      ),
  },
  one: {
    shipping: {
      shape: () => shippingShape,
      on: (address, customer) => `${address}."customer_id" = ${customer}."id"`,
      order: (address) => `${address}."used_at" desc, ${address}."id" desc`,
    },
  },
  many: {
    paymentMethods: {
      ...pointing(() => paymentMethodShape, paymentMethods.customerId, paymentMethods.id),
      on: (method, customer) => `${method}."customer_id" = ${customer}."id" and ${method}."removed_at" is null`,
    },
    latestOrders: newest(() => orderShape),
    latestSubscriptions: newest(() => subscriptionShape),
  },
  needs: { countryCode: ["region"], customFields: ["attributes"], customFieldTexts: ["attributes"] },
};
