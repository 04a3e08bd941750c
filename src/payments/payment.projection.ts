import { paymentMethods, payments, refunds } from "../../schema/tables/index.ts";
import { paymentMethodProjection } from "../customers/customer.projection.ts";
import { columnOfRow, pickColumns, referencedRow, referencingRows, type Projection } from "../database/projection.ts";
import { orderProjection } from "../orders/order.projection.ts";

const refundProjection: Projection = {
  table: refunds,
  fields: {
    databaseId: refunds.id,
    ...pickColumns(
      refunds,
      "state",
      "amount",
      "actor",
      "reason",
      "errorCode",
      "errorMessage",
      "createdAt",
      "settledAt",
    ),
  },
};

export const paymentProjection: Projection = {
  table: payments,
  fields: {
    databaseId: payments.id,
    ...pickColumns(
      payments,
      "id",
      "state",
      "amount",
      "discount",
      "currency",
      "paymentMethod",
      "initiator",
      "paymentDate",
      "paymentGateway",
      "gatewayReference",
      "paymentReturn",
      "paymentReceiptUrl",
      "cardNumber",
      "network",
      "vbank",
      "challengeUrl",
      "errorCode",
      "adviceCode",
      "errorMessage",
      "createdAt",
      "settledAt",
    ),
  },
  objects: {
    gatewayResponse: {
      fields: { reference: payments.gatewayReference, ...pickColumns(payments, "state", "network", "adviceCode") },
    },
    customer: {
      fields: { name: payments.customerName, email: payments.customerEmail, phone: payments.customerPhone },
    },
  },
  one: {
    order: referencedRow(() => orderProjection, payments.orderId),
    storedMethod: {
      projection: () => paymentMethodProjection,
      joinCondition: (method, payment) =>
        `${columnOfRow(method, paymentMethods.id)} = ${columnOfRow(payment, payments.methodId)}`,
    },
  },
  many: { refunds: referencingRows(() => refundProjection, refunds.paymentId, refunds.id) },
};
