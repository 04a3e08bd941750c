import type { InvoiceStatus, PublishMethod } from "../../../schema/vocabulary.ts";
import { encodeCheckoutLink } from "../../checkout/checkout-link.codec.ts";
import type { InvoiceService } from "../../invoices/invoice.service.ts";
import type { SecretVault } from "../../kernel/secrets/secret-vault.ts";
import { toInvoiceContent, toInvoiceDocument } from "./invoice-message.content.ts";
import type { InvoiceMessageRepository, SentInvoice } from "./invoice-message.repository.ts";
import type { Composition, MessageVendor } from "../rendering/message.content.ts";
import { languageTagOf, messageLanguage } from "../rendering/message.language.ts";
import type { MessageRecord, MessageRepository } from "../message.repository.ts";
import type { MessageSettingsRecord, MessageSettingsRepository } from "../settings/message-settings.repository.ts";
import type { MessageService } from "../message.service.ts";

const DAY_MS = 86_400_000;
/** A link in an invoice is valid until the deadline, but at least and at most so long. */
const MIN_LINK_MS = 30 * DAY_MS;
const MAX_LINK_MS = 365 * DAY_MS;

/** The states in which an invoice still asks for its payment. */
const unpaidStates: ReadonlySet<InvoiceStatus> = new Set<InvoiceStatus>(["SENT", "OVER_DUE"]);

/** Delivers sent invoices, and reports to the invoice if no channel could. */
export class InvoiceMessageService {
  constructor(
    private readonly deps: {
      invoiceMessageRepository: InvoiceMessageRepository;
      messageRepository: MessageRepository;
      messageSettingsRepository: MessageSettingsRepository;
      messages: MessageService;
      invoices: InvoiceService;
      vault: SecretVault;
      publicAddress: () => string;
      now: Date;
    },
  ) {}

  /** Queues the messages of an invoice that was sent: one for each channel and recipient. */
  async queueFor(vendorId: number, { id: eventId, subjectId }: { id: number; subjectId: number }): Promise<void> {
    const { invoiceMessageRepository, messageSettingsRepository, messages } = this.deps;
    const invoice = await invoiceMessageRepository.findSent(vendorId, subjectId);
    if (!invoice || !unpaidStates.has(invoice.status)) return;
    const settings = await messageSettingsRepository.read(vendorId);
    for (const [channel, recipient] of recipientsOf(invoice))
      await messages.queueMessage(vendorId, {
        kind: "INVOICE",
        channel,
        recipient,
        language: messageLanguage([invoice.region, invoice.customerRegion], settings.vendorCountry),
        subject: "INVOICE",
        subjectId: invoice.id,
        occurrence: `event_${eventId}`,
        customerId: invoice.customerId,
        orderId: invoice.orderId,
        invoiceId: invoice.id,
        facts: { sentAt: invoice.sentAt?.toISOString() ?? null },
      });
  }

  /** Composes the message of an invoice, or says why it is not to be sent any more. */
  async compose(vendor: MessageVendor, message: MessageRecord, settings: MessageSettingsRecord): Promise<Composition> {
    const { invoiceMessageRepository, now } = this.deps;
    const invoice = await invoiceMessageRepository.findSent(vendor.id, message.subjectId);
    if (!invoice || !unpaidStates.has(invoice.status)) return { canceled: "The invoice does not wait for a payment." };
    const lines = await invoiceMessageRepository.linesOf(vendor.id, invoice.orderId);
    const { vendorName: name, vendorEmail: email, zoneId } = settings;
    const payUrl = this.payUrlOf(vendor.id, invoice, message);
    const facts = { invoice, lines, shop: { name, email, zoneId }, payUrl };
    const content = toInvoiceContent(facts, message.language);
    return { content, document: toInvoiceDocument(facts, content, invoice.sentAt ?? now) };
  }

  /** Marks the invoice as undelivered when all its messages have ended, none was sent and one failed. */
  async handleFailure(vendorId: number, message: MessageRecord): Promise<void> {
    const { invoices, messageRepository } = this.deps;
    // The lock orders messages that fail at the same time: the last one sees all others.
    await invoices.recordUndelivered(vendorId, message.subjectId, {
      sentAt: new Date(String(message.facts["sentAt"])),
      reason: message.lastError,
      isUndelivered: async () => {
        const states = await messageRepository.statesOf(vendorId, message);
        return states.includes("FAILED") && states.every((state) => state === "FAILED" || state === "CANCELED");
      },
    });
  }

  /** The link to the checkout. Null without a key that signs it, or an address that it begins with. */
  private payUrlOf(vendorId: number, { orderId, purchaseDeadline }: SentInvoice, message: MessageRecord) {
    const { vault, publicAddress, now } = this.deps;
    const address = publicAddress();
    if (address === "" || !vault.hasKey) return null;
    const validMs = Math.max((purchaseDeadline?.getTime() ?? 0) - now.getTime(), MIN_LINK_MS);
    const expiresAt = new Date(now.getTime() + Math.min(validMs, MAX_LINK_MS));
    const language = languageTagOf(message.language);
    return `${address}/checkout/${encodeCheckoutLink({ vendorId, orderId, expiresAt, language, returnUrls: {} }, vault)}`;
  }
}

/** The recipients of an invoice by channel. Further recipients get the e-mail. */
function recipientsOf(invoice: SentInvoice): [PublishMethod, string][] {
  const { publishMethods, email, phone, additionalRecipients } = invoice;
  return [...new Set(publishMethods)].flatMap((channel): [PublishMethod, string][] =>
    channel === "EMAIL"
      ? [...new Set([email, ...additionalRecipients])].map((address) => [channel, address])
      : [[channel, phone]],
  );
}
