import type { ModelInterval } from "./model-calendar.ts";

/** An order as it should be: its money, and what the gateway should have in its books for it. */
export interface ModelOrder {
  type: string;
  at: number;
  amount: number;
  paid: number;
  returned: number;
  /** How often it was declined. */
  declineCount: number;
  /** By how many it raises the quantity, or the units that are allowed. */
  quantityIncrease: number;
  /** Until when its virtual account, if its payer asked for one, waits for money; a charge by card closes it. */
  awaitedUntil: number;
  /** Whether it was to change a subscription that is over: nobody pays it any more. */
  isDropped: boolean;
}

export type ModelStatus = "ACTIVE" | "UNPAID" | "PENDING_PAUSE" | "PAUSE" | "PENDING_CANCEL" | "CANCELED" | "EXPIRED";

/**
 * What a subscription is of. A metered one charges its price and 10 for each unit: postpaid, for those that were used; prepaid,
 * for those that may be used, which are its quantity.
 */
export interface ModelPlan {
  interval: ModelInterval;
  price: number;
  isPostpaid: boolean;
  /** Postpaid plans are. */
  isMetered: boolean;
  /** Whether a child of the merchant sells it: what is ordered of it is ordered of the child too. */
  isOfChild: boolean;
  /** Days that cost nothing before the first charge; none is 0. Only prepaid plans have some. */
  trialDays: number;
  /** After so many charged periods it ends. */
  maxPeriods: number | null;
  /** After so many days, those of its trial not counted, it ends. */
  termDays: number | null;
}

/** What the merchant's policy has for subscriptions whose recovery was in vain. */
export type ModelFinalAction = "EXPIRE" | "PAUSE" | "CANCEL" | "KEEP";

/** A stored card, of one subscription or of several, and what it says: yes, no, or never again. */
export interface ModelCard {
  behaviour: "WORKS" | "DECLINES" | "LOST";
}
