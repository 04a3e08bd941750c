import Stripe from "stripe";
import { denied } from "../../../kernel/refusals.ts";
import { required } from "../../../kernel/required-values.ts";
import { parseJsonBody } from "../../../kernel/json-reader.ts";
import type { AdapterAccount, GatewayCallback, RawCallback } from "../gateway-port.ts";
import { keyOf } from "./stripe-metadata.ts";

/** An older callback may be a recorded one that is replayed: https://docs.stripe.com/webhooks#replay-attacks. */
const TOLERANCE_SECONDS = 300;

/** The object of an event, as far as it is trusted: only for the name of the charge or the dispute that is then looked up. */
interface EventObject {
  object?: unknown;
  id?: unknown;
  metadata?: Record<string, string> | null;
}

/** Objects whose changes concern a charge: https://docs.stripe.com/api/events/types. */
const chargeObjects: ReadonlySet<unknown> = new Set(["payment_intent", "setup_intent", "checkout.session"]);

/** Reads a webhook event after the library verified its signature. @throws a Refusal CALLBACK_REFUSED, MALFORMED_JSON. */
export function readStripeCallback(
  { callbackSecret }: AdapterAccount,
  { headers, body, receivedAt }: RawCallback,
): GatewayCallback {
  const header = String(headers["stripe-signature"] ?? "");
  try {
    const at = receivedAt.getTime();
    required(Stripe.webhooks.signature, "signature").verifyHeader(
      body,
      header,
      callbackSecret,
      TOLERANCE_SECONDS,
      undefined,
      at,
    );
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
    throw denied("CALLBACK_REFUSED", "The callback is not signed by the gateway, or it is too old.");
  }
  const event = parseJsonBody(Buffer.from(body)) as { data?: { object?: EventObject } } | null | undefined;
  const object = event?.data?.object;
  if (object?.object === "dispute" && typeof object.id === "string") return { kind: "DISPUTE", reference: object.id };
  const idempotencyKey = keyOf(object?.metadata);
  return chargeObjects.has(object?.object) && typeof idempotencyKey === "string"
    ? { kind: "CHARGE", idempotencyKey }
    : { kind: "IGNORED" };
}
