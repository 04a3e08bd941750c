import { and, desc, eq, sql } from "drizzle-orm";
import { covers, orderStates, subscriptions } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { dueRowsOf, timestamp, type DueRows } from "../../database/due-rows.ts";
import type { CoverRecord } from "../covers/cover.repository.ts";

/** A cover of a renewal. */
export interface RenewalCoverRecord extends CoverRecord {
  renewalOrderId: number;
  renewalSubscriptionId: number;
}

/**
 * Covers of renewals whose next retry is due and that no worker has leased. The index over all vendors excludes leased
 * ones.
 */
export const dueRetries: DueRows = {
  table: covers,
  isDue: (at) => sql`${covers.state} = 'IN_PROGRESS' and ${covers.renewalOrderId} is not null
    and ${covers.retryAt} is not null and greatest(${covers.retryAt}, ${covers.leaseUntil}) <= ${at}`,
  ofOneVendor: (at) => sql`${covers.retryAt} <= ${at}`,
};

/** Whether the order of a cover is paid. A scalar subquery, so that it is looked up by key for each cover. */
const isPaid = sql<boolean>`((select ${orderStates.status} from ${orderStates} where ${orderStates.vendorId} = ${covers.vendorId}
  and ${orderStates.orderId} = ${covers.renewalOrderId} and ${orderStates.status} = 'PAID') is not null)`;

/**
 * Covers of renewals in progress with no open amount: the order was paid, or the subscription has ended. No module
 * below recovery depends on covers, so that all covers in progress are read, each with the keys of its order and
 * subscription; the condition on the retry date (`covers_end`) is repeated for the index over them.
 */
export const settledCovers: DueRows = {
  table: covers,
  isDue:
    () => sql`${covers.state} = 'IN_PROGRESS' and ${covers.renewalOrderId} is not null and ${covers.retryAt} is not null
    and ((select ${subscriptions.status} from ${subscriptions} where ${subscriptions.vendorId} = ${covers.vendorId}
      and ${subscriptions.id} = ${covers.renewalSubscriptionId}) in ('CANCELED', 'EXPIRED') or ${isPaid})`,
};

/** Queries for covers of renewals, for the side that makes the attempts. */
export class RenewalCoverRepository {
  constructor(private readonly db: Handle) {}

  /** The newest cover of a renewal's order, locked until the transaction ends. */
  async lockLatestOf(vendorId: number, orderId: number): Promise<RenewalCoverRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(covers)
      .where(and(eq(covers.vendorId, vendorId), eq(covers.renewalOrderId, orderId)))
      .orderBy(desc(covers.startedAt), desc(covers.id))
      .limit(1)
      .for("no key update");
    return row as RenewalCoverRecord | undefined;
  }

  /** The newest cover of a subscription's renewals. */
  async findLatestOfSubscription(vendorId: number, subscriptionId: number): Promise<RenewalCoverRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(covers)
      .where(and(eq(covers.vendorId, vendorId), eq(covers.renewalSubscriptionId, subscriptionId)))
      .orderBy(desc(covers.startedAt), desc(covers.id))
      .limit(1);
    return row as RenewalCoverRecord | undefined;
  }

  /** A cover whose next attempt is due, locked; covers that another worker has locked or leased are skipped. */
  async lockDue(vendorId: number, now: Date): Promise<RenewalCoverRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(covers)
      .where(dueRowsOf(dueRetries, vendorId, timestamp(now)))
      .orderBy(covers.retryAt, covers.id)
      .limit(1)
      .for("no key update", { skipLocked: true });
    return row as RenewalCoverRecord | undefined;
  }

  /** Covers in progress without an open amount: orders that were paid, and subscriptions that have ended. */
  async findSettled(vendorId: number, now: Date, limit: number): Promise<{ orderId: number; isPaid: boolean }[]> {
    return this.db
      .select({
        orderId: sql<number>`${covers.renewalOrderId}`.mapWith(Number),
        isPaid: sql<boolean>`${isPaid}`,
      })
      .from(covers)
      .where(dueRowsOf(settledCovers, vendorId, timestamp(now)))
      .limit(limit);
  }
}
