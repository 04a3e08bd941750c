import type { SubscriptionStatus } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";
import type { InitialSubscription } from "../../subscriptions/subscription.activation.ts";
import type { ScheduleDates } from "../../subscriptions/subscription.schedule.ts";
import type { subscriptionItems, subscriptionUnits } from "../../../schema/tables/index.ts";
import type { EventDraft, OrderDraft } from "./order-draft.ts";
import type { OrderedOffer } from "../order-factory.ts";
import type { CustomerDraft, StoredMethod } from "../customers.ts";

type ItemValues = Omit<
  typeof subscriptionItems.$inferInsert,
  "vendorId" | "id" | "subscriptionId" | "parentItemId" | "position"
>;

/** An unsaved item of a subscription. */
export interface ItemDraft {
  id: number;
  values: ItemValues;
  parent: ItemDraft | null;
  /** The item's offer, as orders price it. */
  item: OrderedOffer;
  units: UnitDraft[];
}

/** A change of the used units or of the quota. */
export type UnitDraft = Pick<typeof subscriptionUnits.$inferInsert, "series" | "at" | "actor" | "note"> & {
  change: Amount;
  order: OrderDraft | null;
};

/** The facts that determine a subscription's dates, and those dates. */
export type ScheduleDraft = Omit<InitialSubscription, "status"> & ScheduleDates & { status: SubscriptionStatus };

/** An unsaved subscription. */
export interface SubscriptionDraft {
  id: number;
  code: string;
  customer: CustomerDraft;
  method: StoredMethod | null;
  currency: string;
  schedule: ScheduleDraft;
  items: ItemDraft[];
  lastPaymentDate: Date | null;
  pausedAt: Date | null;
  canceledAt: Date | null;
  leaseUntil: Date | null;
  refundableAmount: Amount;
  createdAt: Date;
  modifiedAt: Date;
  events: (EventDraft & { order: OrderDraft | null })[];
}
