import type { RecurringInterval } from "../../../schema/vocabulary.ts";
import { Refusal } from "../../kernel/refusals.ts";
import type { SecretVault } from "../../kernel/secret-vault.ts";
import { toVendorDay } from "../../recovery/analytics/recovery-analytics.tally.ts";
import type { SubscriptionNoticeService } from "../../subscriptions/notices/subscription-notice.service.ts";
import type { SubscriptionChargePreviewService } from "../../subscriptions/renewal-orders/charge-preview.service.ts";
import type { SubscriptionRecord } from "../../subscriptions/subscription.service.ts";
import type { MessageRecord } from "../message.repository.ts";
import type { MessageService } from "../message.service.ts";
import { toPayerLink } from "../payer-link.ts";
import type { Composition, MessageVendor } from "../rendering/message.content.ts";
import { messageLanguage } from "../rendering/message.language.ts";
import type { MessageSettingsRecord, MessageSettingsRepository } from "../settings/message-settings.repository.ts";
import { toChargeNoticeContent, type ChargeNoticeFacts } from "./notice.content.ts";
import type { NoticeRepository, NoticeSubscription } from "./notice.repository.ts";

/** The days that a cycle has at most. */
const DAYS_OF_INTERVAL: Record<RecurringInterval, number> = { DAY: 1, WEEK: 7, MONTH: 31, YEAR: 366 };

/** Notifies customers of the charges of their subscriptions before they are made. */
export class ChargeNoticeService {
  constructor(
    private readonly deps: {
      noticeRepository: NoticeRepository;
      messageSettingsRepository: MessageSettingsRepository;
      messages: MessageService;
      subscriptionNotices: SubscriptionNoticeService;
      subscriptionPreviews: SubscriptionChargePreviewService;
      vault: SecretVault;
      publicAddress: () => string;
      now: Date;
    },
  ) {}

  /** Queues the due notices, one for each charge. @returns the number of charges that were handled. */
  async queueDue(vendorId: number, limit: number): Promise<number> {
    const { messageSettingsRepository, subscriptionNotices } = this.deps;
    const claimed = await subscriptionNotices.claimCharges(vendorId, limit);
    if (claimed.length === 0) return 0;
    const settings = await messageSettingsRepository.read(vendorId);
    for (const subscription of claimed)
      if (isLongerThanNotice(subscription, settings)) await this.queue(vendorId, subscription, settings);
    return claimed.length;
  }

  /** Composes a notice, or says why it is not to be sent any more. */
  async compose(vendor: MessageVendor, message: MessageRecord, settings: MessageSettingsRecord): Promise<Composition> {
    const { noticeRepository, now } = this.deps;
    const subscription = await noticeRepository.findSubscription(vendor.id, message.subjectId);
    const { zoneId, vendorName: name, vendorEmail: email } = settings;
    const date = subscription?.nextPaymentDate;
    if (!subscription || !date || date <= now || toVendorDay(date, zoneId) !== message.facts["day"])
      return { canceled: "The charge was made, moved or cancelled." };
    const charge = await this.previewCharge(vendor.id, subscription);
    if ("canceled" in charge) return charge;
    const { id: subscriptionId, customerId } = subscription;
    const page = { vendorId: vendor.id, subscriptionId, customerId, language: message.language, until: date };
    const facts = { subscription, charge, shop: { name, email, zoneId }, url: toPayerLink(page, this.deps) };
    return { content: toChargeNoticeContent(facts, message.language) };
  }

  private async queue(
    vendorId: number,
    { id, nextPaymentDate }: SubscriptionRecord,
    { vendorCountry, zoneId }: MessageSettingsRecord,
  ): Promise<void> {
    const subscription = await this.deps.noticeRepository.findSubscription(vendorId, id);
    if (!subscription || subscription.email === "" || nextPaymentDate === null) return;
    const { email, region, customerRegion, customerId } = subscription;
    const day = toVendorDay(nextPaymentDate, zoneId);
    await this.deps.messages.queueMessage(vendorId, {
      kind: "CHARGE_COMING",
      channel: "EMAIL",
      recipient: email,
      language: messageLanguage([customerRegion, region], vendorCountry),
      subject: "SUBSCRIPTION",
      subjectId: id,
      occurrence: `charge_${day}`,
      customerId,
      subscriptionId: id,
      facts: { day },
    });
  }

  /** The next charge by current facts, or why there is nothing to notify of. */
  private async previewCharge(
    vendorId: number,
    { id, isMetered }: NoticeSubscription,
  ): Promise<ChargeNoticeFacts["charge"] | { canceled: string }> {
    try {
      const preview = await this.deps.subscriptionPreviews.previewNextCharge(vendorId, id);
      if (!preview || (preview.amount.lte(0) && !isMetered)) return { canceled: "Nothing will be charged." };
      const { date, amount, currency, lines } = preview;
      return { date, amount, currency, productName: lines.find(({ type }) => type === "SKU")?.name ?? "" };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { canceled: `The charge cannot be calculated. ${error.message}` };
    }
  }
}

/** A notice of a shorter cycle would come before the previous charge. */
const isLongerThanNotice = (
  { interval, intervalCount }: SubscriptionRecord,
  { chargeNoticeDays }: MessageSettingsRecord,
): boolean => DAYS_OF_INTERVAL[interval] * intervalCount >= chargeNoticeDays;
