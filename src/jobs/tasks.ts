import type { GatewayContext } from "../graphql/context.ts";
import { Refusal } from "../kernel/errors.ts";

/** How much of a kind is done in one transaction. */
const MOST = 50;

/** Something that is done for each vendor from time to time: it answers how much it did, and is done again until that is nothing. */
type Task = (context: GatewayContext) => Promise<number>;

/** Work whose time comes without anybody asking, by the name of its queue; each is looked for every minute. */
export const tasks: Readonly<Record<string, Task>> = {
  /** Orders that nobody paid by their deadline give their stock back. */
  "orders.release-stock": ({ vendor, write }) => write(({ paidOrders }) => paidOrders.releaseStock(vendor.id, MOST)),
  /** Invoices are sent at the time that was reserved. */
  "invoices.send-reserved": sendReserved,
  /** Invoices that nobody paid by their deadline are OVER_DUE. */
  "invoices.pass-deadline": ({ vendor, write }) => write(({ invoices }) => invoices.passDeadlines(vendor.id, MOST)),
  /** Customers who were not seen for a year are DORMANT. */
  "customers.fall-asleep": ({ vendor, write }) => write(({ customers }) => customers.letSleep(vendor.id, MOST)),
};

/** One invoice that cannot be ordered holds no other up. */
async function sendReserved({ vendor, write }: GatewayContext): Promise<number> {
  const ids = await write(({ invoices }) => invoices.reserved(vendor.id, MOST));
  for (const id of ids) {
    try {
      await write(({ invoices }) => invoices.send(vendor, id));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await write(({ invoices }) => invoices.failReserved(vendor.id, id));
    }
  }
  return ids.length;
}
