import type { SecretVault } from "../../kernel/secrets/secret-vault.ts";
import type { MessageRecord } from "../message.repository.ts";
import type { MessageService } from "../message.service.ts";
import { toPayerLink } from "../payer-link.ts";
import type { Composition, MessageVendor } from "../rendering/message.content.ts";
import { messageLanguage } from "../rendering/message.language.ts";
import type { MessageSettingsRecord, MessageSettingsRepository } from "../settings/message-settings.repository.ts";
import { toMethodExpiryContent } from "./method-expiry-notice.content.ts";
import type { NoticeRepository } from "./notice.repository.ts";

/** Asks customers to replace a payment method that expires before it fails. */
export class MethodExpiryNoticeService {
  constructor(
    private readonly deps: {
      noticeRepository: NoticeRepository;
      messageSettingsRepository: MessageSettingsRepository;
      messages: MessageService;
      vault: SecretVault;
      publicAddress: () => string;
      now: Date;
    },
  ) {}

  /** Queues the notice of a method that expires soon, if it charges a subscription. */
  async queueFor(vendorId: number, { subjectId }: { subjectId: number }): Promise<void> {
    const { noticeRepository, messageSettingsRepository, messages } = this.deps;
    const method = await noticeRepository.findChargedMethod(vendorId, subjectId);
    if (!method?.expiresAt || method.email === "") return;
    const { vendorCountry } = await messageSettingsRepository.read(vendorId);
    const { id, email, expiresAt, customerId, customerRegion, region, subscriptionId } = method;
    await messages.queueMessage(vendorId, {
      kind: "PAYMENT_METHOD_EXPIRING",
      channel: "EMAIL",
      recipient: email,
      language: messageLanguage([customerRegion, region], vendorCountry),
      subject: "PAYMENT_METHOD",
      subjectId: id,
      occurrence: toOccurrence(expiresAt),
      customerId,
      subscriptionId,
    });
  }

  /** Composes a notice, or says why it is not to be sent any more. */
  async compose(vendor: MessageVendor, message: MessageRecord, settings: MessageSettingsRecord): Promise<Composition> {
    const method = await this.deps.noticeRepository.findChargedMethod(vendor.id, message.subjectId);
    if (!method?.expiresAt || !method.nextPaymentDate || message.occurrence !== toOccurrence(method.expiresAt))
      return { canceled: "The payment method was replaced or renewed, or no subscription is charged by it." };
    const { expiresAt, nextPaymentDate, subscriptionId, customerId, customerName, paymentInfo } = method;
    const { vendorName: name, vendorEmail: email, zoneId } = settings;
    const page = { vendorId: vendor.id, subscriptionId, customerId, language: message.language };
    const shop = { name, email, zoneId };
    const facts = { customerName, paymentInfo, expiresAt, nextPaymentDate, shop, url: toPayerLink(page, this.deps) };
    return { content: toMethodExpiryContent(facts, message.language) };
  }
}

const toOccurrence = (expiresAt: Date): string => `expires_${expiresAt.toISOString()}`;
