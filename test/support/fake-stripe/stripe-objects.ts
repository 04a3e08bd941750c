import { randomBytes } from "node:crypto";
import type Stripe from "stripe";
import type { ErrorBody } from "./api-error.ts";
import type { FormFields } from "./form-body.ts";

/** A decline as a bank and its network word it. */
export type FakeDecline = Pick<
  ErrorBody,
  "decline_code" | "network_decline_code" | "network_advice_code" | "advice_code" | "message"
> & { code?: string };

/** The behaviour of a stored card when it is charged. */
export type CardBehaviour =
  | "APPROVES"
  | "NEEDS_PAYER"
  | "SILENT_AFTER_CHARGE"
  | "SILENT"
  | "FAILS_AFTER_CHARGE"
  | "GARBAGE"
  | { decline: FakeDecline };

export interface StoredCard {
  id: string;
  customer: string | null;
  behaviour: CardBehaviour;
  last4: string;
}

/** A charge with what the fake remembers besides Stripe's own fields. */
export type FakePayment = Pick<
  Stripe.PaymentIntent,
  | "id"
  | "object"
  | "amount"
  | "currency"
  | "created"
  | "customer"
  | "description"
  | "last_payment_error"
  | "metadata"
  | "next_action"
  | "payment_method"
  | "setup_future_usage"
  | "status"
> & { latest_charge: FakeCharge | null };
type FakeCharge = Pick<Stripe.Charge, "id" | "object" | "receipt_url" | "refunded"> & {
  payment_method_details: object;
};
export type FakeSetup = Pick<
  Stripe.SetupIntent,
  "id" | "object" | "customer" | "last_setup_error" | "metadata" | "next_action" | "status"
> & { payment_method: object | null; methodId: string | null };
export type FakePage = Pick<
  Stripe.Checkout.Session,
  "id" | "object" | "client_reference_id" | "metadata" | "mode" | "status" | "url"
> & { payment_intent: FakePayment | null; setup_intent: FakeSetup | null; request: FormFields };
export type FakeDispute = Pick<
  Stripe.Dispute,
  "id" | "object" | "amount" | "currency" | "payment_intent" | "reason" | "status" | "evidence_details"
>;
export type FakeRefund = Pick<Stripe.Refund, "id" | "object" | "amount" | "metadata" | "status"> & {
  payment_intent: string;
};

/** A new id of an object: `pi_…`. */
export const idOf = (prefix: string) => `${prefix}_${randomBytes(12).toString("hex")}`;
