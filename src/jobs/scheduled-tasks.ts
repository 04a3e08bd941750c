import type { GatewayContext } from "../graphql/context.ts";
import { Refusal } from "../kernel/refusals.ts";

/** How much of a kind is done in one transaction. */
const BATCH_SIZE = 50;
/** Keys of requests are small and nothing depends on them. */
const KEY_BATCH_SIZE = 500;

/** Something that is done for vendors from time to time. */
interface ScheduledTask {
  /** The rows at which there may be something to do, as SQL: of the vendor `v`, at the instant `at`. Each vendor has an index for it. */
  dueRowsSql: string;
  /** Whether `at` is the real time and disabled vendors count: for work that is the service's own and no vendor's. */
  isHousekeeping?: true;
  /** Answers how much it did, and is done again until that is nothing. */
  run: (context: GatewayContext) => Promise<number>;
}

/** Work whose time comes without anybody asking, by the name of its queue; each is looked for every minute. */
export const scheduledTasks: Readonly<Record<string, ScheduledTask>> = {
  /** Orders that nobody paid by their deadline give their stock back, and so do renewals that failed of what is over. */
  "orders.release-stock": {
    dueRowsSql: `"orders" x where x."vendor_id" = v."id" and x."stock_returned_at" is null and x."payment_date" is null and x."parent_order_id" is null
      and x."created_at" <= at and coalesce(x."purchase_deadline", x."created_at" + interval '24 hours') <= at
      and (x."type" in ('ONE_TIME', 'RECURRING_INITIAL') or (x."type" = 'RECURRING' and x."claim_method_type" = 'PRE' and exists (select from "subscriptions" s
        where s."vendor_id" = x."vendor_id" and s."id" = x."parent_subscription_id" and s."status" in ('CANCELED', 'EXPIRED'))))`,
    run: ({ vendor, write }) => write(({ paidOrders }) => paidOrders.releaseStock(vendor.id, BATCH_SIZE)),
  },
  /** Invoices are sent at the time that was reserved. */
  "invoices.send-reserved": {
    dueRowsSql: `"invoices" x where x."vendor_id" = v."id" and x."status" = 'RESERVATION' and x."reservation_at" <= at`,
    run: sendReservedInvoices,
  },
  /** Invoices that nobody paid by their deadline are OVER_DUE. */
  "invoices.pass-deadline": {
    dueRowsSql: `"invoices" x where x."vendor_id" = v."id" and x."status" in ('SENT', 'SEND_FAIL') and x."purchase_deadline" <= at`,
    run: ({ vendor, write }) => write(({ invoices }) => invoices.markOverdue(vendor.id, BATCH_SIZE)),
  },
  /** Customers who were not seen for a year are DORMANT. */
  "customers.fall-asleep": {
    dueRowsSql: `"vendor_settings" s join "customers" x on x."vendor_id" = s."vendor_id" where s."vendor_id" = v."id"
      and s."use_dormant_customer" and x."status" = 'NORMAL' and x."last_active_at" <= at - interval '365 days'`,
    run: ({ vendor, write }) => write(({ customers }) => customers.markDormant(vendor.id, BATCH_SIZE)),
  },
  /** Requests with an idempotency key are deleted after 24 hours. */
  "requests.delete-expired": {
    dueRowsSql: `"idempotency_keys" x where x."vendor_id" = v."id" and x."created_at" <= at - interval '24 hours'`,
    isHousekeeping: true,
    run: ({ vendor, write }) => write(({ idempotency }) => idempotency.deleteExpired(vendor.id, KEY_BATCH_SIZE)),
  },
};

/** One invoice that cannot be ordered holds no other up. */
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
