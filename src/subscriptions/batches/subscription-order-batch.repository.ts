import { and, desc, eq, inArray } from "drizzle-orm";
import { orders, orderSubscriptions, renewals } from "../../../schema/tables/index.ts";
import type { RegionCode } from "../../../schema/regions.ts";
import { batchCalls, batchReads, batchWrites } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";
import { insertRowBatch } from "../../database/row-batches.ts";
import { SubscriptionOrderRepository } from "../subscription-order.repository.ts";

type RenewalValues = Parameters<SubscriptionOrderRepository["addRenewal"]>[1];

/** Orders of subscriptions in work that runs many times at once in one transaction: one statement for the calls of all. */
export class SubscriptionOrderBatchRepository extends SubscriptionOrderRepository {
  private readonly links;
  private readonly renewalInserts;
  private readonly renewalReads;
  private readonly regionReads;
  private readonly latestReads;

  constructor(handle: Handle) {
    super(handle);
    this.links = batchWrites<Omit<typeof orderSubscriptions.$inferInsert, "vendorId">>((vendorId, all) =>
      insertRowBatch(handle, orderSubscriptions, vendorId, all),
    );
    this.renewalInserts = batchWrites<RenewalValues>((vendorId, all) =>
      insertRowBatch(handle, renewals, vendorId, all),
    );
    this.renewalReads = batchCalls<{ subscriptionId: number; dueAt: Date }, number | undefined>(
      async (vendorId, all) => {
        const ids = all.map(({ subscriptionId }) => subscriptionId);
        const dates = [...new Map(all.map(({ dueAt }) => [dueAt.getTime(), dueAt])).values()];
        const found = await handle
          .select()
          .from(renewals)
          .where(
            and(
              eq(renewals.vendorId, vendorId),
              idIsOneOf(renewals.subscriptionId, ids),
              inArray(renewals.dueAt, dates),
            ),
          );
        return all.map(
          ({ subscriptionId, dueAt }) =>
            found.find((one) => one.subscriptionId === subscriptionId && one.dueAt.getTime() === dueAt.getTime())
              ?.orderId,
        );
      },
    );
    this.regionReads = batchReads<number, { subscriptionId: number; region: RegionCode | null }>(
      (vendorId, ids) =>
        handle
          .select({ subscriptionId: orderSubscriptions.subscriptionId, region: orders.region })
          .from(orderSubscriptions)
          .innerJoin(
            orders,
            and(eq(orders.vendorId, orderSubscriptions.vendorId), eq(orders.id, orderSubscriptions.orderId)),
          )
          .where(
            and(
              eq(orderSubscriptions.vendorId, vendorId),
              eq(orders.vendorId, vendorId),
              idIsOneOf(orderSubscriptions.subscriptionId, ids),
              eq(orders.type, "RECURRING_INITIAL"),
            ),
          ),
      ({ subscriptionId }) => subscriptionId,
    );
    this.latestReads = batchReads<number, { subscriptionId: number | null; id: number }>(
      (vendorId, ids) =>
        handle
          .selectDistinctOn([orders.parentSubscriptionId], {
            subscriptionId: orders.parentSubscriptionId,
            id: orders.id,
          })
          .from(orders)
          .where(
            and(
              eq(orders.vendorId, vendorId),
              idIsOneOf(orders.parentSubscriptionId, ids),
              eq(orders.type, "RECURRING"),
            ),
          )
          .orderBy(orders.parentSubscriptionId, desc(orders.createdAt), desc(orders.id)),
      ({ subscriptionId }) => subscriptionId ?? 0,
    );
  }

  override addSubscription(vendorId: number, orderId: number, subscriptionId: number): Promise<void> {
    return this.links(vendorId, { orderId, subscriptionId });
  }

  override addRenewal(vendorId: number, values: RenewalValues): Promise<void> {
    return this.renewalInserts(vendorId, values);
  }

  override renewalOrderId(vendorId: number, subscriptionId: number, dueAt: Date): Promise<number | undefined> {
    return this.renewalReads(vendorId, { subscriptionId, dueAt });
  }

  override async regionOf(vendorId: number, subscriptionId: number): Promise<RegionCode | null> {
    const [first] = await this.regionReads(vendorId, subscriptionId);
    return first?.region ?? null;
  }

  override async latestRenewalOrderId(vendorId: number, subscriptionId: number): Promise<number | undefined> {
    const [newest] = await this.latestReads(vendorId, subscriptionId);
    return newest?.id;
  }
}
