import type { Clock } from "../../kernel/clock.ts";
import { traceHeaders } from "../../kernel/tracing.ts";
import { sendWebhook } from "../../webhooks/webhook-sender.ts";
import { signatureHeaders } from "../../webhooks/webhook.signature.ts";
import type { MessageResult } from "../message-delivery.service.ts";
import type { HttpSenderSettings, MessageSender, OutgoingMessage } from "./message-port.ts";
import { toOneLine } from "../rendering/message.text.ts";

/** Answers that say nothing about the message: the receiver is busy, or wants the request again later. */
const TEMPORARY_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** Sends text and messenger messages to the operator's adapter: a signed POST with JSON. docs/messages.md is its contract. */
export class HttpMessageSender implements MessageSender {
  constructor(
    private readonly settings: HttpSenderSettings,
    private readonly clock: Clock,
  ) {}

  async send({ message, parts, sender }: OutgoingMessage, signal: AbortSignal): Promise<MessageResult> {
    const { url, secret } = this.settings;
    const { uuid, channel, kind, language, recipient } = message;
    const body = JSON.stringify({
      ...{ id: uuid, channel, kind, language, to: recipient },
      ...{ sender: toOneLine(sender.name), text: parts.textBody },
    });
    const headers = signatureHeaders({ id: uuid, sentAt: this.clock.now(), body }, [secret]);
    // The operator's own adapter can be beside the service. Metadata and link-local addresses stay refused.
    const rules = { allowsHttp: true, allowsPrivate: true };
    const { status, error } = await sendWebhook(
      { url, headers: { ...headers, ...traceHeaders() }, body, rules },
      signal,
    );
    if (error === null) return { outcome: "SENT", error: null };
    const isRefusal = status !== null && status >= 400 && status < 500 && !TEMPORARY_STATUSES.has(status);
    return { outcome: isRefusal ? "REFUSED" : "UNAVAILABLE", error };
  }
}
