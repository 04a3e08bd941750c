import type { GatewayContext } from "../graphql/context.ts";
import { toPasswordLinkContent } from "../notifications/people/password-link.content.ts";
import { messageLanguage } from "../notifications/rendering/message.language.ts";
import { renderMessage } from "../notifications/rendering/message-renderer.ts";
import type { MailSender } from "../notifications/senders/mail-sender.ts";

/**
 * Sends the mails with links to set a password, outside of a transaction. They are no messages to customers: the outbox,
 * which everyone of the vendor reads, must not have them, and in a sandbox they are sent too.
 */
export class PasswordLinkMailer {
  private readonly stopping = new AbortController();

  /** @param sender undefined if the operator has set up no mail server. */
  constructor(private readonly sender: MailSender | undefined) {}

  /** Aborts the attempt in progress; another worker repeats it after its lease. */
  stop(): void {
    this.stopping.abort();
  }

  /** Makes one attempt. @returns how many were made. */
  async sendNext({ vendor, write }: GatewayContext): Promise<number> {
    const { sender } = this;
    if (!sender) return 0;
    const link = await write(({ passwordLinks }) => passwordLinks.claimDue(vendor.id));
    if (!link) return 0;
    const content = toPasswordLinkContent(link.purpose, vendor.name, link.url, messageLanguage([], vendor.country));
    const mail = {
      message: { recipient: link.recipient, uuid: link.uuid },
      parts: renderMessage(content, "EMAIL"),
      sender: { name: content.sender, replyTo: null },
      attachments: [],
    };
    const { outcome } = await sender.send(mail, this.stopping.signal);
    await write(({ passwordLinks }) => passwordLinks.recordAttempt(vendor.id, link, outcome === "UNAVAILABLE"));
    return 1;
  }
}
