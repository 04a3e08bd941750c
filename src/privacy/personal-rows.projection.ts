import { inArray, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import {
  coverCustomers,
  coverOrders,
  covers,
  coverSubscriptions,
  eventLog,
  importedRecords,
  orderItems,
  orders,
  paymentMethods,
  subscriptionItems,
  subscriptions,
  webhookDeliveries,
} from "../../schema/tables/index.ts";

/* Which rows are a customer's: ids of records, by which the rows of other tables are found. */

export type VendorTable = PgTable & { vendorId: PgColumn };

/** A customer of a vendor. */
export interface Person {
  vendorId: number;
  customerId: number;
  /** The payers who are this customer, and whom the vendor registered for recovery. */
  payerIds: readonly number[];
}

/** Rows of a vendor's table, as a list of the values of one column. */
export const valuesOf = (column: PgColumn, table: VendorTable, person: Person, condition: SQL) =>
  sql`(select ${column} from ${table} where ${table.vendorId} = ${person.vendorId} and ${condition})`;

export const ordersOf = (person: Person) =>
  valuesOf(orders.id, orders, person, sql`${orders.customerId} = ${person.customerId}`);
export const subscriptionsOf = (person: Person) =>
  valuesOf(subscriptions.id, subscriptions, person, sql`${subscriptions.customerId} = ${person.customerId}`);
export const subscriptionItemsOf = (person: Person) =>
  valuesOf(
    subscriptionItems.id,
    subscriptionItems,
    person,
    sql`${subscriptionItems.subscriptionId} in ${subscriptionsOf(person)}`,
  );
export const orderItemsOf = (person: Person) =>
  valuesOf(orderItems.id, orderItems, person, sql`${orderItems.orderId} in ${ordersOf(person)}`);
const payersOrdersOf = (person: Person) =>
  valuesOf(coverOrders.id, coverOrders, person, inArray(coverOrders.customerId, [...person.payerIds]));
const payersSubscriptionsOf = (person: Person) =>
  valuesOf(
    coverSubscriptions.id,
    coverSubscriptions,
    person,
    inArray(coverSubscriptions.customerId, [...person.payerIds]),
  );
export const coversOf = (person: Person) => sql`(
  ${valuesOf(covers.id, covers, person, sql`${covers.renewalOrderId} in ${ordersOf(person)}`)}
  union ${valuesOf(covers.id, covers, person, sql`${covers.orderId} in ${payersOrdersOf(person)}`)})`;
export const methodsOf = (person: Person) =>
  valuesOf(paymentMethods.id, paymentMethods, person, sql`${paymentMethods.customerId} = ${person.customerId}`);

/** Each part has an index; one condition of several alternatives would read the whole log. */
export const eventsOf = (person: Person) => sql`(
  ${valuesOf(eventLog.id, eventLog, person, sql`${eventLog.customerId} = ${person.customerId}`)}
  union ${valuesOf(eventLog.id, eventLog, person, sql`${eventLog.orderId} in ${ordersOf(person)}`)}
  union ${valuesOf(eventLog.id, eventLog, person, sql`${eventLog.subscriptionId} in ${subscriptionsOf(person)}`)}
  union ${valuesOf(eventLog.id, eventLog, person, sql`${eventLog.coverOrderId} in ${payersOrdersOf(person)}`)}
  union ${valuesOf(eventLog.id, eventLog, person, sql`${eventLog.coverSubscriptionId} in ${payersSubscriptionsOf(person)}`)}
  union ${valuesOf(eventLog.id, eventLog, person, sql`${eventLog.coverId} in ${coversOf(person)}`)})`;

export const deliveriesOf = (person: Person) =>
  valuesOf(
    webhookDeliveries.id,
    webhookDeliveries,
    person,
    sql`${webhookDeliveries.eventId} in (select 'event_' || "id" from ${eventsOf(person)} as "events")`,
  );

/** The merchant's own ids of the customer, as imports and registrations have them. */
export const partnerIdsOf = (person: Person) => sql`(
  ${importedIdsOf(person)}
  union ${valuesOf(coverCustomers.partnerCustomerId, coverCustomers, person, inArray(coverCustomers.id, [...person.payerIds]))})`;

/** The merchant's own ids of a customer, as an import has them. */
export const importedIdsOf = ({ vendorId, customerId }: Pick<Person, "vendorId" | "customerId">) =>
  sql`(select ${importedRecords.partnerId} from ${importedRecords} where ${importedRecords.vendorId} = ${vendorId}
    and ${importedRecords.kind} = 'CUSTOMER' and ${importedRecords.recordId} = ${customerId})`;

/** The merchant's own ids of everything that the payers of a customer were registered with, and of what an import brought. */
export const ownIdsOf = (person: Person) => sql`(
  ${partnerIdsOf(person)}
  union ${valuesOf(coverOrders.partnerOrderId, coverOrders, person, inArray(coverOrders.customerId, [...person.payerIds]))}
  union ${valuesOf(coverSubscriptions.partnerSubscriptionId, coverSubscriptions, person, inArray(coverSubscriptions.customerId, [...person.payerIds]))})`;
