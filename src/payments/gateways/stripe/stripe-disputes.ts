import type Stripe from "stripe";
import type { DisputeState } from "../../../../schema/vocabulary.ts";
import type { ReportedDispute } from "../gateway-port.ts";
import { fromStripeAmount } from "./stripe-amounts.ts";

/**
 * The states of https://docs.stripe.com/api/disputes/object in ours. An inquiry (`warning_…`) holds no money yet, and a
 * prevented dispute never does.
 */
const stateOf: Readonly<Partial<Record<string, DisputeState>>> = {
  needs_response: "OPEN",
  under_review: "OPEN",
  won: "WON",
  lost: "LOST",
  // After a lost dispute the decision can be appealed; the money stays lost until it is won.
  appeal_needs_response: "LOST",
  appeal_under_review: "LOST",
};

/** A dispute as Stripe reports it; undefined if it is of a charge without a PaymentIntent, which we never made. */
export function toReportedDispute(dispute: Stripe.Dispute): ReportedDispute | undefined {
  const { id, payment_intent: payment, status, reason, amount, currency, evidence_details: evidence } = dispute;
  const chargeReference = typeof payment === "string" ? payment : payment?.id;
  if (chargeReference === undefined) return undefined;
  return {
    reference: id,
    chargeReference,
    state: stateOf[status] ?? null,
    reason,
    amount: fromStripeAmount(amount, currency),
    currency: currency.toUpperCase(),
    respondBy: evidence.due_by === null ? null : new Date(evidence.due_by * 1_000),
  };
}
