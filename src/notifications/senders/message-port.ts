import type { ClaimedMessage, MessageResult } from "../message-delivery.service.ts";

/** The operator's mail server. */
export interface MailSettings {
  server: {
    host: string;
    port: number;
    /** TLS from the first byte, as on port 465. */
    secure: boolean;
    /** Whether a connection that begins without TLS must change to it. */
    requireTLS: boolean;
    auth?: { user: string; pass: string };
  };
  /** The address that messages come from. */
  from: string;
}

/** The operator's adapter of a channel. */
export interface HttpSenderSettings {
  url: string;
  /** The secret that signs: `whsec_` and base64. */
  secret: string;
}

/** A file that is sent with an e-mail. */
export interface MessageAttachment {
  name: string;
  contentType: string;
  content: Buffer;
}

/** The part of a message that an e-mail needs. */
export type OutgoingMail = Pick<OutgoingMessage, "parts" | "sender" | "attachments"> & {
  message: Pick<OutgoingMessage["message"], "recipient" | "uuid">;
};

/** A message for a sender. */
export type OutgoingMessage = ClaimedMessage & { attachments: readonly MessageAttachment[] };

/**
 * Sends messages of one channel. A repeated attempt has the uuid of the first one, so that a receiver can recognize it.
 * A sender throws only if the signal aborts, and answers within two minutes.
 */
export interface MessageSender {
  send(message: OutgoingMessage, signal: AbortSignal): Promise<MessageResult>;
}
