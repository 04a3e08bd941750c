import type { ModelInterval } from "./model-calendar.ts";

/** An order as it should be: its amounts, and the expected entries in the gateway's books. */
export interface ModelOrder {
  type: string;
  at: number;
  amount: number;
  paid: number;
  returned: number;
  /** The number of declines. */
  declineCount: number;
  /** The amount by which it raises the quantity, or the allowed units. */
  quantityIncrease: number;
  /** The deadline of its virtual account, if its payer requested one; a charge by card closes it. */
  awaitedUntil: number;
  /** Whether it was to change a subscription that has ended: nobody pays it any more. */
  isDropped: boolean;
}

export type ModelStatus = "ACTIVE" | "UNPAID" | "PENDING_PAUSE" | "PAUSE" | "PENDING_CANCEL" | "CANCELED" | "EXPIRED";

/**
 * The plan of a subscription. A metered one charges its price and 10 for each unit: postpaid, for the used units;
 * prepaid, for the allowed units, which are its quantity.
 */
export interface ModelPlan {
  interval: ModelInterval;
  price: number;
  isPostpaid: boolean;
  /** Postpaid plans are. */
  isMetered: boolean;
  /** Whether a child of the merchant sells it: an order of it is ordered from the child too. */
  isOfChild: boolean;
  /** Free days before the first charge; 0 if there is no trial. Only prepaid plans have one. */
  trialDays: number;
  /** It ends after so many charged periods. */
  maxPeriods: number | null;
  /** It ends after so many days, not counting those of its trial. */
  termDays: number | null;
}

/** The merchant's policy for subscriptions whose recovery has failed. */
export type ModelFinalAction = "EXPIRE" | "PAUSE" | "CANCEL" | "KEEP";

/** A stored card, of one subscription or of several, and its result: approved, declined, or never again. */
export interface ModelCard {
  behaviour: "WORKS" | "DECLINES" | "LOST";
}
