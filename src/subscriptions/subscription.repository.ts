import { and, eq, sql } from "drizzle-orm";
import { subscriptionItems, subscriptions } from "../../schema/tables/index.ts";
import type { SubscriptionStatus } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { when, within, type Period } from "../database/conditions.ts";
import { anyOf } from "../database/keyset.ts";
import { ShapedList } from "../database/shaped-list.ts";
import { subscriptionShape } from "./subscription.shape.ts";

/** Which subscriptions are asked for. */
export interface SubscriptionFilter {
  status?: SubscriptionStatus | null;
  customerId?: number | null;
  createdAt?: Period | null;
}

/** Every question we ask of the subscriptions of the billing side. */
export class SubscriptionRepository {
  readonly list: ShapedList<SubscriptionFilter, "CREATED_AT", "customerId">;

  constructor(private readonly db: Handle) {
    this.list = new ShapedList(db, {
      shape: subscriptionShape,
      sorts: { CREATED_AT: subscriptions.createdAt },
      parents: { customerId: subscriptions.customerId },
      matching: ({ status, customerId, createdAt }) =>
        and(
          when(status, (word) => eq(subscriptions.status, word)),
          when(customerId, (id) => eq(subscriptions.customerId, id)),
          within(subscriptions.createdAt, createdAt),
        ),
    });
  }

  async productsOfLive(vendorId: number, customerId: number, productIds: readonly number[]): Promise<Set<number>> {
    const rows = await this.db
      .selectDistinct({ productId: subscriptionItems.productId })
      .from(subscriptions)
      .innerJoin(
        subscriptionItems,
        and(
          eq(subscriptionItems.vendorId, subscriptions.vendorId),
          eq(subscriptionItems.subscriptionId, subscriptions.id),
        ),
      )
      .where(
        and(
          eq(subscriptions.vendorId, vendorId),
          eq(subscriptionItems.vendorId, vendorId),
          eq(subscriptions.customerId, customerId),
          sql`${subscriptions.status} not in ('CANCELED', 'EXPIRED')`,
          anyOf(subscriptionItems.productId, productIds),
        ),
      );
    return new Set(rows.map(({ productId }) => productId));
  }
}
