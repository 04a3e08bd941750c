import type { DueRows } from "../database/due-rows.ts";
import { dueOrderItems } from "../orders/order.repository.ts";
import { faultCodes } from "../payments/gateways/payment.faults.ts";
import { duePayments } from "../payments/payment.repository.ts";
import { dueRefunds } from "../payments/refunds/refund.repository.ts";
import { dueRetries } from "../recovery/renewal-covers/renewal-cover.repository.ts";
import { unchargedOrders } from "../renewals/uncharged-order.repository.ts";
import { changedMethods, dueRenewals, dueTransitions } from "../subscriptions/subscription.repository.ts";

/** The scheduled work that a worker does in a vendor's turn, by its name. */
export const dueWork = {
  renewals: dueRenewals,
  transitions: dueTransitions,
  changedMethods,
  retries: dueRetries,
  unchargedOrders: unchargedOrders(faultCodes),
  orderItems: dueOrderItems,
  payments: duePayments,
  refunds: dueRefunds,
} as const satisfies Record<string, DueRows>;
