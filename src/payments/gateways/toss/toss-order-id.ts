import { createHash } from "node:crypto";
import { GatewayFault, type ChargeIdentity } from "../gateway-port.ts";

/** Characters of the subject's digest at the beginning of an order id; 120 bits. */
const SUBJECT_LENGTH = 20;

/** The idempotency keys that the service makes: UUIDs and SHA-256 digests. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const digest = /^[0-9a-f]{64}$/;
const UUID_BYTES = 16;
const DIGEST_BYTES = 32;

const digestOf = (subject: string | null): string =>
  createHash("sha256")
    .update(subject ?? "")
    .digest("base64url")
    .slice(0, SUBJECT_LENGTH);

/**
 * The order id under which Toss knows a charge: 6 to 64 letters, digits, `-` and `_`, one for each charge
 * (https://docs.tosspayments.com/reference#자동결제-승인). It has the subject's digest and the idempotency key, so that a charge is
 * found by its key, and a callback names it.
 */
export function toOrderId({ subject, idempotencyKey }: Pick<ChargeIdentity, "subject" | "idempotencyKey">): string {
  if (!uuid.test(idempotencyKey) && !digest.test(idempotencyKey))
    throw new GatewayFault("NOT_SENT", "The idempotency key does not fit into the gateway's order id.");
  const key = Buffer.from(idempotencyKey.replaceAll("-", ""), "hex").toString("base64url");
  return `${digestOf(subject)}_${key}`;
}

/** The idempotency key in an order id; undefined if this service did not make it. */
export function keyOfOrderId(orderId: unknown): string | undefined {
  if (typeof orderId !== "string" || orderId[SUBJECT_LENGTH] !== "_") return undefined;
  const bytes = Buffer.from(orderId.slice(SUBJECT_LENGTH + 1), "base64url");
  const hex = bytes.toString("hex");
  if (bytes.length === DIGEST_BYTES) return hex;
  return bytes.length === UUID_BYTES ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") : undefined;
}
