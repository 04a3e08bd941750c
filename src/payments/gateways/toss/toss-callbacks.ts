import { parseJsonBody } from "../../../kernel/json-reader.ts";
import type { GatewayCallback, RawCallback } from "../gateway-port.ts";
import { keyOfOrderId } from "./toss-order-id.ts";

interface WebhookBody {
  eventType?: unknown;
  data?: { orderId?: unknown } | null;
}

/**
 * Reads a webhook. Toss signs those of payouts only (https://docs.tosspayments.com/reference/using-api/webhook-events), so that
 * nothing in it is believed: it names a charge, whose state is looked up. @throws a Refusal MALFORMED_JSON.
 */
export function readTossCallback({ body }: RawCallback): GatewayCallback {
  const event = parseJsonBody(Buffer.from(body)) as WebhookBody | null | undefined;
  const idempotencyKey = event?.eventType === "PAYMENT_STATUS_CHANGED" ? keyOfOrderId(event.data?.orderId) : undefined;
  return idempotencyKey === undefined ? { kind: "IGNORED" } : { kind: "CHARGE", idempotencyKey };
}
