import type { SubscriptionStatus } from "../../../schema/vocabulary.ts";
import type { Amount } from "../../kernel/amounts.ts";
import type { Birth } from "../../subscriptions/subscription.activation.ts";
import type { Dates } from "../../subscriptions/subscription.schedule.ts";
import type { subscriptionItems, subscriptionUnits } from "../../../schema/tables/index.ts";
import type { Happening, OrderDraft } from "./order-draft.ts";
import type { Wanted } from "../order-factory.ts";
import type { Person, StoredMethod } from "../customers.ts";

type ItemValues = Omit<
  typeof subscriptionItems.$inferInsert,
  "vendorId" | "id" | "subscriptionId" | "parentItemId" | "position"
>;

/** An item of a subscription that is not kept yet. */
export interface ItemDraft {
  id: number;
  values: ItemValues;
  parent: ItemDraft | null;
  /** What it is of, as orders price it. */
  wanted: Wanted;
  units: UnitDraft[];
}

/** A change of used or allowed units. */
export type UnitDraft = Pick<typeof subscriptionUnits.$inferInsert, "series" | "at" | "actor" | "note"> & {
  change: Amount;
  order: OrderDraft | null;
};

/** What the dates of a subscription follow from, and those dates. */
export type StandingDraft = Omit<Birth, "status"> & Dates & { status: SubscriptionStatus };

/** A subscription that is not kept yet. */
export interface SubscriptionDraft {
  id: number;
  code: string;
  person: Person;
  method: StoredMethod | null;
  currency: string;
  standing: StandingDraft;
  items: ItemDraft[];
  lastPaymentDate: Date | null;
  pausedAt: Date | null;
  canceledAt: Date | null;
  leaseUntil: Date | null;
  refundableAmount: Amount;
  createdAt: Date;
  modifiedAt: Date;
  happenings: (Happening & { order: OrderDraft | null })[];
}
