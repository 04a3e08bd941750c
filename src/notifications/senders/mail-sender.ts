import { createTransport, type SendMailOptions } from "nodemailer";
import type { MessageResult } from "../message-delivery.service.ts";
import type { MailSettings, MessageSender, OutgoingMail } from "./message-port.ts";
import { isMailAddress } from "./mail.address.ts";
import { toOneLine } from "../rendering/message.text.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 20_000;
/** A server that answers slowly, and never stops, is given up after this time. */
const TOTAL_TIMEOUT_MS = 60_000;

/** The part of an error of nodemailer that says who refused what. */
interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
}

/** Sends e-mails by SMTP, each over a connection of its own, so that a server that hangs delays no other message. */
export class MailSender implements MessageSender {
  constructor(private readonly settings: MailSettings) {}

  async send(outgoing: OutgoingMail, signal: AbortSignal): Promise<MessageResult> {
    const { recipient } = outgoing.message;
    if (!isMailAddress(recipient)) return { outcome: "REFUSED", error: "The recipient is no e-mail address." };
    const transport = createTransport({
      ...this.settings.server,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    try {
      const timeout = AbortSignal.timeout(TOTAL_TIMEOUT_MS);
      await rejectOnAbort(transport.sendMail(this.toMail(outgoing)), AbortSignal.any([signal, timeout]));
      return { outcome: "SENT", error: null };
    } catch (error) {
      signal.throwIfAborted();
      return toFailure(error as SmtpError);
    } finally {
      transport.close();
    }
  }

  private toMail({ message, parts, sender, attachments }: OutgoingMail): SendMailOptions {
    const { from } = this.settings;
    const { recipient, uuid } = message;
    const replyTo = sender.replyTo !== null && isMailAddress(sender.replyTo) ? sender.replyTo : null;
    return {
      from: { name: toOneLine(sender.name), address: from },
      to: { name: "", address: recipient },
      ...(replyTo !== null && { replyTo: { name: "", address: replyTo } }),
      envelope: { from, to: [recipient] },
      messageId: `<${uuid}@${from.slice(from.lastIndexOf("@") + 1)}>`,
      subject: parts.subjectLine ?? "",
      text: parts.textBody,
      ...(parts.htmlBody !== null && { html: parts.htmlBody }),
      headers: { "Auto-Submitted": "auto-generated" },
      attachments: attachments.map(({ name, contentType, content }) => ({ filename: name, contentType, content })),
    };
  }
}

/** A promise that rejects when the signal aborts. */
async function rejectOnAbort(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let reject: (() => void) | undefined;
  const aborted = new Promise<never>((_, rejectAborted) => {
    reject = () => rejectAborted(new Error("The mail server did not answer in time."));
    if (signal.aborted) reject();
    else signal.addEventListener("abort", reject);
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    if (reject) signal.removeEventListener("abort", reject);
    // After an abort nobody waits for the rest.
    work.catch(() => undefined);
  }
}

/** The server refuses a recipient or a content for good with 5xx. Anything else may pass: a wrong password is corrected. */
function toFailure({ message, code, command, responseCode = 0 }: SmtpError): MessageResult {
  const isAboutMessage = command === "RCPT TO" || command === "DATA" || code === "EMESSAGE";
  return { outcome: responseCode >= 500 && isAboutMessage ? "REFUSED" : "UNAVAILABLE", error: message };
}
