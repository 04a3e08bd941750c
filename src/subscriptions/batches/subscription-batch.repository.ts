import { and, eq } from "drizzle-orm";
import { subscriptionItems, subscriptions, subscriptionUnits } from "../../../schema/tables/index.ts";
import { batchListReads, batchReads, batchWrites } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";
import { insertRowBatch, updateRowBatch } from "../../database/row-batches.ts";
import {
  SubscriptionRepository,
  type SubscriptionItemRecord,
  type SubscriptionItemValues,
  type SubscriptionRecord,
  type SubscriptionValues,
  type UnitRecord,
  type UnitValues,
} from "../subscription.repository.ts";

/** Subscriptions of work that runs many times at once in one transaction: one statement for the calls of all. */
export class SubscriptionBatchRepository extends SubscriptionRepository {
  private readonly updates;
  private readonly locks;
  private readonly itemReads;
  private readonly itemUpdates;
  private readonly unitReads;
  private readonly unitInserts;

  constructor(handle: Handle) {
    super(handle);
    this.updates = batchWrites<{ id: number; values: Partial<SubscriptionValues> }>((vendorId, all) =>
      updateRowBatch(handle, subscriptions, vendorId, all),
    );
    this.locks = batchReads<number, SubscriptionRecord>(
      (vendorId, ids) =>
        handle
          .select()
          .from(subscriptions)
          .where(and(eq(subscriptions.vendorId, vendorId), idIsOneOf(subscriptions.id, ids)))
          .orderBy(subscriptions.id)
          .for("no key update"),
      ({ id }) => id,
    );
    this.itemReads = batchReads<number, SubscriptionItemRecord>(
      (vendorId, ids) =>
        handle
          .select()
          .from(subscriptionItems)
          .where(and(eq(subscriptionItems.vendorId, vendorId), idIsOneOf(subscriptionItems.subscriptionId, ids)))
          .orderBy(subscriptionItems.subscriptionId, subscriptionItems.position),
      ({ subscriptionId }) => subscriptionId,
    );
    this.itemUpdates = batchWrites<{ id: number; values: Partial<SubscriptionItemValues> }>((vendorId, all) =>
      updateRowBatch(handle, subscriptionItems, vendorId, all),
    );
    this.unitReads = batchListReads<number, UnitRecord>(
      (vendorId, itemIds) => super.unitsOf(vendorId, itemIds),
      ({ itemId }) => itemId,
    );
    this.unitInserts = batchWrites<readonly UnitValues[]>((vendorId, all) =>
      insertRowBatch(handle, subscriptionUnits, vendorId, all.flat()),
    );
  }

  override update(vendorId: number, id: number, values: Partial<SubscriptionValues>): Promise<void> {
    return this.updates(vendorId, { id, values });
  }

  override async lock(vendorId: number, id: number): Promise<SubscriptionRecord | undefined> {
    const [row] = await this.locks(vendorId, id);
    return row;
  }

  override itemsOf(vendorId: number, subscriptionId: number): Promise<SubscriptionItemRecord[]> {
    return this.itemReads(vendorId, subscriptionId);
  }

  override updateItem(vendorId: number, id: number, values: Partial<SubscriptionItemValues>): Promise<void> {
    return this.itemUpdates(vendorId, { id, values });
  }

  override unitsOf(vendorId: number, itemIds: readonly number[]): Promise<UnitRecord[]> {
    return this.unitReads(vendorId, itemIds);
  }

  override async addUnits(vendorId: number, changes: readonly UnitValues[]): Promise<void> {
    if (changes.length > 0) await this.unitInserts(vendorId, changes);
  }
}
