import { createHmac, randomBytes } from "node:crypto";

/** The specification asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;
const SECRET_PREFIX = "whsec_";

/** What is signed: the headers and the body. */
export interface SignedMessage {
  /** The `webhook-id`. */
  id: string;
  sentAt: Date;
  body: string;
}

/** Generates the secret of an endpoint: `whsec_` and 32 random bytes in base64. */
export const generateWebhookSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");

/** The headers of a message by the Standard Webhooks specification, with one signature for each secret. */
export function signatureHeaders({ id, sentAt, body }: SignedMessage, secrets: readonly string[]) {
  const timestamp = Math.floor(sentAt.getTime() / 1000).toString();
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
