import { and, eq } from "drizzle-orm";
import { subscriptions } from "../../schema/tables/index.ts";
import type { SubscriptionStatus } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { when, within, type Period } from "../database/conditions.ts";
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

  constructor(db: Handle) {
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
}
