import { inArray, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import {
  coverOrders,
  covers,
  disputes,
  invoices,
  orderItems,
  orders,
  payments,
  refunds,
  subscriptions,
} from "../../schema/tables/index.ts";
import type { Person } from "./personal-rows.projection.ts";

/** Records that prevent an erasure while they are open. */
export interface OpenThing {
  kind: "COVER" | "SUBSCRIPTION" | "ORDER" | "INVOICE" | "PAYMENT" | "REFUND" | "DISPUTE";
  table: PgTable & { vendorId: PgColumn };
  /** The column by which the caller knows the records. */
  nameColumn: PgColumn;
  isOpen: (person: Person) => SQL;
}

/**
 * States of order lines in which nobody waits for the other: neither for money nor for goods. A line that rests as PAID is a
 * service; goods are being prepared for their delivery.
 */
const restingStatuses = sql.raw(
  [
    ...["CANCELLED", "PAID", "CANCELLATION_REQUEST_DENIED", "CANCELLATION_REFUNDED", "CANCELLATION_REFUNDED_PARTIALLY"],
    ...[
      "ORDER_DELIVERY_COMPLETED",
      "FINISHED_EXCHANGE_AVAILABLE",
      "FINISHED_RETURN_AVAILABLE",
      "FINISHED_SUCCESSFULLY",
    ],
    ...["RETURN_REFUNDED", "RETURN_REFUNDED_PARTIALLY", "RETURN_REQUEST_REJECTED", "RETURN_REJECT_DELIVERY_COMPLETED"],
    ...["EXCHANGE_DELIVERY_COMPLETED", "EXCHANGE_REQUEST_REJECTED", "EXCHANGE_REJECT_DELIVERY_COMPLETED"],
  ]
    .map((status) => `'${status}'`)
    .join(", "),
);

const ordersOf = ({ vendorId, customerId }: Person, id: PgColumn) =>
  sql`(select ${id} from ${orders} where ${orders.vendorId} = ${vendorId} and ${orders.customerId} = ${customerId})`;

/** The failed charge of a prepaid period whose subscription has ended: nothing was delivered, and nobody can pay it. */
const isGivenUp = sql`${orderItems.status} = 'PAYMENT_FAILURE' and ${orders.type} = 'RECURRING' and ${orders.claimMethodType} = 'PRE'`;

/** In the order in which they are to be resolved. The order of a sent invoice counts, and not the invoice. */
export const openThings: readonly OpenThing[] = [
  {
    kind: "COVER",
    table: coverOrders,
    nameColumn: coverOrders.partnerOrderId,
    isOpen: ({ vendorId, payerIds }) =>
      sql`${inArray(coverOrders.customerId, [...payerIds])} and exists (select from ${covers} where ${covers.vendorId} = ${vendorId}
        and ${covers.orderId} = ${coverOrders.id} and ${covers.state} = 'IN_PROGRESS')`,
  },
  {
    kind: "SUBSCRIPTION",
    table: subscriptions,
    nameColumn: subscriptions.code,
    isOpen: ({ customerId }) =>
      sql`${subscriptions.customerId} = ${customerId} and ${subscriptions.status} not in ('CANCELED', 'EXPIRED')`,
  },
  {
    kind: "PAYMENT",
    table: payments,
    nameColumn: payments.id,
    isOpen: (person) =>
      sql`${payments.orderId} in ${ordersOf(person, orders.id)} and ${payments.state} in ('PENDING', 'UNKNOWN')`,
  },
  {
    kind: "REFUND",
    table: refunds,
    nameColumn: refunds.id,
    isOpen: (person) =>
      sql`${refunds.orderId} in ${ordersOf(person, orders.id)} and ${refunds.state} in ('PENDING', 'UNKNOWN')`,
  },
  {
    kind: "DISPUTE",
    table: disputes,
    nameColumn: disputes.id,
    isOpen: (person) => sql`${disputes.orderId} in ${ordersOf(person, orders.id)} and ${disputes.state} = 'OPEN'`,
  },
  {
    kind: "INVOICE",
    table: invoices,
    nameColumn: invoices.id,
    isOpen: ({ customerId }) => sql`${invoices.customerId} = ${customerId} and ${invoices.status} = 'RESERVATION'`,
  },
  {
    kind: "ORDER",
    table: orders,
    nameColumn: orders.code,
    isOpen: ({ vendorId, customerId }) =>
      sql`${orders.customerId} = ${customerId} and exists (select from ${orderItems} where ${orderItems.vendorId} = ${vendorId}
        and ${orderItems.orderId} = ${orders.id} and ${orderItems.status} not in (${restingStatuses}) and not (${isGivenUp}))`,
  },
];
