import type { Interval } from "./model-calendar.ts";

/** An order as it should be: its money, and what the gateway should have in its books for it. */
export interface ToldOrder {
  type: string;
  at: number;
  amount: number;
  paid: number;
  returned: number;
  /** How often it was declined. */
  declined: number;
  /** By how many it raises the quantity, or the units that are allowed. */
  raise: number;
  /** Until when its virtual account, if its payer asked for one, waits for money; a charge by card closes it. */
  awaitedUntil: number;
  /** Whether it was to change a subscription that is over: nobody pays it any more. */
  isDropped: boolean;
}

export type ToldStatus = "ACTIVE" | "UNPAID" | "PENDING_PAUSE" | "PAUSE" | "PENDING_CANCEL" | "CANCELED" | "EXPIRED";

/**
 * What a subscription is of. A metered one charges its price and 10 for each unit: postpaid, for those that were used; prepaid,
 * for those that may be used, which are its quantity.
 */
export interface ToldPlan {
  interval: Interval;
  price: number;
  isPostpaid: boolean;
  /** Postpaid plans are. */
  isMetered: boolean;
  /** Whether a child of the merchant sells it: what is ordered of it is ordered of the child too. */
  isChilds: boolean;
  /** Days that cost nothing before the first charge; none is 0. Only prepaid plans have some. */
  trial: number;
  /** After so many charged periods it ends. */
  count: number | null;
  /** After so many days, those of its trial not counted, it ends. */
  term: number | null;
}

/** What the merchant's policy has for subscriptions whose recovery was in vain. */
export type ToldFinalAction = "EXPIRE" | "PAUSE" | "CANCEL" | "KEEP";

/** A stored card, of one subscription or of several, and what it says: yes, no, or never again. */
export interface ToldCard {
  says: "WORKS" | "DECLINES" | "LOST";
}
