import { dormantCustomers } from "../customers/customer.repository.ts";
import type { DueRows } from "../database/due-rows.ts";
import type { GatewayContext } from "../graphql/context.ts";
import { expiredRequests } from "../idempotency/idempotency.repository.ts";
import { overdueInvoices, reservedInvoices } from "../invoices/invoice.repository.ts";
import { Refusal } from "../kernel/refusals.ts";
import { ordersToReleaseStock } from "../orders/order.repository.ts";

/** How much of a kind is done in one transaction. */
const BATCH_SIZE = 50;
/** Keys of requests are small and nothing depends on them. */
const KEY_BATCH_SIZE = 500;

/** Something that is done for vendors from time to time. */
interface ScheduledTask {
  /** The due rows; each vendor has an index for them. */
  dueRows: DueRows;
  /** Whether the real time and disabled vendors count: for work that is the service's own and no vendor's. */
  isHousekeeping?: true;
  /** Answers how much it did, and is done again until that is nothing. */
  run: (context: GatewayContext) => Promise<number>;
}

/** Scheduled work by the name of its queue; each task runs every minute. */
export const scheduledTasks: Readonly<Record<string, ScheduledTask>> = {
  /** Orders that are unpaid at their deadline return their stock, and so do failed renewals of ended subscriptions. */
  "orders.release-stock": {
    dueRows: ordersToReleaseStock,
    run: ({ vendor, write }) => write(({ paidOrders }) => paidOrders.releaseStock(vendor.id, BATCH_SIZE)),
  },
  /** Invoices are sent at the time that was reserved. */
  "invoices.send-reserved": {
    dueRows: reservedInvoices,
    run: sendReservedInvoices,
  },
  /** Invoices that are unpaid at their deadline become OVER_DUE. */
  "invoices.pass-deadline": {
    dueRows: overdueInvoices,
    run: ({ vendor, write }) => write(({ invoices }) => invoices.markOverdue(vendor.id, BATCH_SIZE)),
  },
  /** Customers who were not seen for a year are DORMANT. */
  "customers.fall-asleep": {
    dueRows: dormantCustomers,
    run: ({ vendor, write }) => write(({ customers }) => customers.markDormant(vendor.id, BATCH_SIZE)),
  },
  /** Requests with an idempotency key are deleted after 24 hours. */
  "requests.delete-expired": {
    dueRows: expiredRequests,
    isHousekeeping: true,
    run: ({ vendor, write }) => write(({ idempotency }) => idempotency.deleteExpired(vendor.id, KEY_BATCH_SIZE)),
  },
};

/** An invoice that cannot be ordered does not block others. */
async function sendReservedInvoices({ vendor, write }: GatewayContext): Promise<number> {
  const ids = await write(({ invoices }) => invoices.findDueReservations(vendor.id, BATCH_SIZE));
  for (const id of ids) {
    try {
      await write(({ invoices }) => invoices.send(vendor, id, "SYSTEM"));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await write(({ invoices }) => invoices.recordReservationFailure(vendor.id, id, error.message));
    }
  }
  return ids.length;
}
