import { customers, paymentMethods, shippingAddresses } from "../../schema/tables/index.ts";
import {
  pickColumns,
  decimalSql,
  referencingRows,
  type ProjectedEdge,
  type Projection,
} from "../database/projection.ts";
import { orderProjection } from "../orders/order.projection.ts";
import { subscriptionProjection } from "../subscriptions/subscription.projection.ts";

/** Orders of a customer, counted by the index. */
const ordersSql = (customer: string) =>
  `from "orders" o where o."vendor_id" = ${customer}."vendor_id" and o."customer_id" = ${customer}."id"`;

export const shippingProjection: Projection = {
  table: shippingAddresses,
  fields: {
    databaseId: shippingAddresses.id,
    ...pickColumns(
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

export const paymentMethodProjection: Projection = {
  table: paymentMethods,
  fields: {
    databaseId: paymentMethods.id,
    paymentMethod: paymentMethods.method,
    paymentGateway: paymentMethods.gateway,
    ...pickColumns(paymentMethods, "id", "paymentInfo", "network", "createdAt"),
  },
};

/** The customer's newest rows of a table. */
const newestRowsEdge = (shape: () => Projection): ProjectedEdge => ({
  projection: shape,
  joinCondition: (row, customer) => `${row}."customer_id" = ${customer}."id"`,
  orderBy: (row) => `${row}."created_at" desc, ${row}."id" desc`,
  limit: 100,
});

export const customerProjection: Projection = {
  table: customers,
  fields: {
    ...pickColumns(
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
      "erasedAt",
    ),
    orderCount: (customer) => `(select count(*) ${ordersSql(customer)})`,
    activeSubscriptionCount: (customer) =>
      `(select count(*) from "subscriptions" s where s."vendor_id" = ${customer}."vendor_id" and s."customer_id" = ${customer}."id" and s."status" not in ('CANCELED', 'EXPIRED'))`,
    // Payments in other currencies are converted at the rate of their order.
    totalPurchasedPrice: (customer) =>
      decimalSql(
        `(select coalesce(round(sum((o."paid_amount" - o."returned_amount") / o."exchange_rate"), 6), 0) ${ordersSql(customer)})`,
      ),
  },
  one: {
    shipping: {
      projection: () => shippingProjection,
      joinCondition: (address, customer) => `${address}."customer_id" = ${customer}."id"`,
      orderBy: (address) => `${address}."used_at" desc, ${address}."id" desc`,
    },
  },
  many: {
    paymentMethods: {
      ...referencingRows(() => paymentMethodProjection, paymentMethods.customerId, paymentMethods.id),
      joinCondition: (method, customer) =>
        `${method}."customer_id" = ${customer}."id" and ${method}."removed_at" is null`,
    },
    latestOrders: newestRowsEdge(() => orderProjection),
    latestSubscriptions: newestRowsEdge(() => subscriptionProjection),
  },
  requiredFields: { countryCode: ["region"], customFields: ["attributes"], customFieldTexts: ["attributes"] },
};
