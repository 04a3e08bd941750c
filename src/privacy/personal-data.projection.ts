import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import {
  coverAttempts,
  coverCustomers,
  coverDecisions,
  coverOrders,
  covers,
  coverSubscriptions,
  customers,
  disputes,
  eventLog,
  importedRecords,
  invoices,
  ledgerEntries,
  messages,
  orderItemHistories,
  orderItems,
  orderLogs,
  orders,
  pastPayments,
  paymentMethods,
  payments,
  refunds,
  shippingAddresses,
  subscriptionItems,
  subscriptions,
  subscriptionUnits,
  webhookAttempts,
  webhookDeliveries,
} from "../../schema/tables/index.ts";

import {
  coversOf,
  deliveriesOf,
  eventsOf,
  methodsOf,
  orderItemsOf,
  ordersOf,
  partnerIdsOf,
  subscriptionItemsOf,
  subscriptionsOf,
  valuesOf,
  type Person,
  type VendorTable,
} from "./personal-rows.projection.ts";

/*
 * Where the data of a customer is stored. Export and erasure read this one list, and a test compares it with the tables: a new
 * column of text is either listed here, or there as one without personal data.
 */

/** The time of an erasure, by the vendor's clock and by the real one. */
export interface ErasureTime {
  at: Date;
  realAt: Date;
}

/** The values of some columns after an erasure. */
type ErasedValues = (time: ErasureTime, person: Person) => Record<string, unknown>;

/** What an erasure does with the rows of a table: deletes them, sets some of their columns, or leaves them as they are. */
type Erasure = "DELETE" | "NOTHING" | ErasedValues;

/** A table that has data of customers. */
export interface PersonalTable {
  /** The name of its rows in an export. */
  name: string;
  table: VendorTable;
  /** The rows of a customer. */
  isOf: (person: Person) => SQL | undefined;
  erasure: Erasure;
}

/** The name of an erased customer, which orders and payments need. */
const ERASED_NAME = "[erased]";

/** Stands for the merchant's own id of a record, which may be made of a name or an e-mail address. It is unique like the id. */
const pseudonymOf = (id: PgColumn) => sql`'erased-' || ${id}`;

/** A table whose rows have a condition beside the vendor. */
function personalTable<Table extends VendorTable>(
  name: string,
  table: Table,
  isOf: (person: Person) => SQL,
  erasure:
    "DELETE" | "NOTHING" | ((time: ErasureTime, person: Person) => { [Name in keyof Table["_"]["columns"]]?: unknown }),
): PersonalTable {
  return {
    name,
    table,
    isOf: (person) => and(eq(table.vendorId, person.vendorId), isOf(person)),
    erasure,
  };
}

const isCustomerOf =
  ({ customerId }: { customerId: PgColumn }) =>
  (person: Person) =>
    sql`${customerId} = ${person.customerId}`;
const isOrderOf =
  ({ orderId }: { orderId: PgColumn }) =>
  (person: Person) =>
    sql`${orderId} in ${ordersOf(person)}`;
const isCoverOf =
  ({ coverId }: { coverId: PgColumn }) =>
  (person: Person) =>
    sql`${coverId} in ${coversOf(person)}`;

/**
 * The tables in the order in which they are erased: rows that are found by others come before these. The words of a gateway about
 * a decline stay with the attempts, because decisions are replayed from them and models are trained on them.
 */
export const personalTables: readonly PersonalTable[] = [
  personalTable("shippingAddresses", shippingAddresses, isCustomerOf(shippingAddresses), "DELETE"),
  // A worker detaches the method at its gateway, and then deletes the token with the fingerprint that it is encrypted for.
  personalTable("paymentMethods", paymentMethods, isCustomerOf(paymentMethods), ({ at, realAt }) => ({
    paymentInfo: "",
    fingerprint: sql`case when ${paymentMethods.token} is not null then ${paymentMethods.fingerprint} end`,
    detachAt: sql`case when ${paymentMethods.token} is not null then ${realAt.toISOString()}::timestamptz end`,
    expiresAt: null,
    noticedExpiry: null,
    removedAt: sql`coalesce(${paymentMethods.removedAt}, ${at.toISOString()}::timestamptz)`,
  })),
  personalTable("orders", orders, isCustomerOf(orders), () => ({
    customerName: ERASED_NAME,
    customerPhone: "",
    customerEmail: "",
  })),
  personalTable("orderItems", orderItems, isOrderOf(orderItems), () => ({ deliveryCode: null })),
  personalTable(
    "orderItemHistories",
    orderItemHistories,
    (person) => sql`${orderItemHistories.itemId} in ${orderItemsOf(person)}`,
    () => ({ reason: null }),
  ),
  personalTable("orderLogs", orderLogs, isOrderOf(orderLogs), () => ({ content: ERASED_NAME })),
  personalTable("subscriptions", subscriptions, isCustomerOf(subscriptions), "NOTHING"),
  personalTable(
    "subscriptionItems",
    subscriptionItems,
    (person) => sql`${subscriptionItems.subscriptionId} in ${subscriptionsOf(person)}`,
    "NOTHING",
  ),
  personalTable(
    "subscriptionUnits",
    subscriptionUnits,
    (person) => sql`${subscriptionUnits.itemId} in ${subscriptionItemsOf(person)}`,
    () => ({ note: null }),
  ),
  personalTable("invoices", invoices, isCustomerOf(invoices), () => ({ memoToCustomer: "" })),
  personalTable("payments", payments, isOrderOf(payments), () => ({
    customerName: ERASED_NAME,
    customerPhone: "",
    customerEmail: "",
    cardNumber: null,
    paymentReceiptUrl: "",
    vbank: null,
    challengeUrl: null,
  })),
  personalTable("refunds", refunds, isOrderOf(refunds), () => ({ reason: null })),
  personalTable("disputes", disputes, isOrderOf(disputes), "NOTHING"),
  personalTable("ledgerEntries", ledgerEntries, isOrderOf(ledgerEntries), "NOTHING"),
  personalTable("covers", covers, (person) => sql`${covers.id} in ${coversOf(person)}`, "NOTHING"),
  personalTable("coverAttempts", coverAttempts, isCoverOf(coverAttempts), "NOTHING"),
  personalTable("coverDecisions", coverDecisions, isCoverOf(coverDecisions), "NOTHING"),
  personalTable("messages", messages, isCustomerOf(messages), "DELETE"),
  personalTable(
    "webhookAttempts",
    webhookAttempts,
    (person) => sql`${webhookAttempts.deliveryId} in ${deliveriesOf(person)}`,
    () => ({ response: sql`case when ${webhookAttempts.response} is not null then '' end` }),
  ),
  personalTable(
    "webhookDeliveries",
    webhookDeliveries,
    (person) => sql`${webhookDeliveries.id} in ${deliveriesOf(person)}`,
    () => ({
      body: sql`(jsonb_set(${webhookDeliveries.body}::jsonb, '{data,reason}', 'null') #- '{data,facts,reason}')::text`,
    }),
  ),
  personalTable(
    "events",
    eventLog,
    (person) => sql`${eventLog.id} in ${eventsOf(person)}`,
    () => ({ reason: null, facts: sql`${eventLog.facts} - 'reason'` }),
  ),
  personalTable(
    "pastPayments",
    pastPayments,
    (person) => sql`${pastPayments.payerId} in ${partnerIdsOf(person)}`,
    (_time, person) => ({
      partnerId: pseudonymOf(pastPayments.id),
      // The same for all, so that models still know them as one payer.
      payerId: sql`'erased-' || ${valuesOf(customers.uuid, customers, person, sql`${customers.id} = ${person.customerId}`)}`,
    }),
  ),
  personalTable(
    "coverSubscriptions",
    coverSubscriptions,
    ({ payerIds }) => inArray(coverSubscriptions.customerId, [...payerIds]),
    ({ at }) => ({ partnerSubscriptionId: pseudonymOf(coverSubscriptions.id), modifiedAt: at }),
  ),
  personalTable(
    "coverOrders",
    coverOrders,
    ({ payerIds }) => inArray(coverOrders.customerId, [...payerIds]),
    ({ at }) => ({ partnerOrderId: pseudonymOf(coverOrders.id), paymentInfo: null, modifiedAt: at }),
  ),
  personalTable(
    "coverCustomers",
    coverCustomers,
    ({ payerIds }) => inArray(coverCustomers.id, [...payerIds]),
    ({ at }) => ({
      partnerCustomerId: pseudonymOf(coverCustomers.id),
      name: ERASED_NAME,
      email: "",
      phone: "",
      modifiedAt: at,
    }),
  ),
  personalTable(
    "importedRecords",
    importedRecords,
    (person) => sql`case ${importedRecords.kind} when 'CUSTOMER' then ${importedRecords.recordId} = ${person.customerId}
      when 'PAYMENT_METHOD' then ${importedRecords.recordId} in ${methodsOf(person)}
      when 'SUBSCRIPTION' then ${importedRecords.recordId} in ${subscriptionsOf(person)} else false end`,
    "DELETE",
  ),
  personalTable(
    "customers",
    customers,
    (person) => sql`${customers.id} = ${person.customerId}`,
    ({ at }) => ({
      username: null,
      name: ERASED_NAME,
      email: "",
      phone: "",
      marketingSms: false,
      marketingEmail: false,
      marketingMessenger: false,
      attributes: {},
      additionalRecipients: [],
      erasedAt: at,
      modifiedAt: at,
    }),
  ),
];
