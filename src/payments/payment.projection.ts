import { paymentMethods, payments, refunds } from "../../schema/tables/index.ts";
import { paymentMethodShape } from "../customers/customer.projection.ts";
import { at, columnsOf, pointedAt, pointing, type Shape } from "../database/projection.ts";
import { orderShape } from "../orders/order.projection.ts";

const refundShape: Shape = {
  table: refunds,
  fields: {
    databaseId: refunds.id,
    ...columnsOf(refunds, "state", "amount", "actor", "reason", "errorCode", "errorMessage", "createdAt", "settledAt"),
  },
};

export const paymentShape: Shape = {
  table: payments,
  fields: {
    databaseId: payments.id,
    ...columnsOf(
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
  parts: {
    gatewayReturn: {
      fields: { reference: payments.gatewayReference, ...columnsOf(payments, "state", "network", "adviceCode") },
    },
    customer: {
      fields: { name: payments.customerName, email: payments.customerEmail, phone: payments.customerPhone },
    },
  },
  one: {
    order: pointedAt(() => orderShape, payments.orderId),
    storedMethod: {
      shape: () => paymentMethodShape,
      on: (method, payment) => `${at(method, paymentMethods.id)} = ${at(payment, payments.methodId)}`,
    },
  },
  many: { refunds: pointing(() => refundShape, refunds.paymentId, refunds.id) },
};
