import type { RecurringInterval } from "../../../schema/vocabulary.ts";
import { Refusal } from "../../kernel/refusals.ts";
import type { SecretVault } from "../../kernel/secrets/secret-vault.ts";
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
import { toChargeNoticeContent, type ChargeNoticeFacts, type ChargeNoticeKind } from "./charge-notice.content.ts";
import { noticeLead } from "./notice.rules.ts";
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

  /** Queues the due notices of a kind, one for each occasion. @returns the number of occasions that were handled. */
  async queueDue(vendorId: number, kind: ChargeNoticeKind, limit: number): Promise<number> {
    const claimed = await this.claim(vendorId, kind, limit);
    if (claimed.length === 0) return 0;
    const settings = await this.deps.messageSettingsRepository.read(vendorId);
    for (const subscription of claimed) await this.queue(vendorId, kind, { subscription, settings });
    return claimed.length;
  }

  /** Composes a notice, or says why it is not to be sent any more. */
  async compose(vendor: MessageVendor, message: MessageRecord, settings: MessageSettingsRecord): Promise<Composition> {
    const { noticeRepository, now } = this.deps;
    const kind = message.kind as ChargeNoticeKind;
    const subscription = await noticeRepository.findSubscription(vendor.id, message.subjectId);
    const { zoneId, vendorName: name, vendorEmail: email } = settings;
    const date = subscription?.nextPaymentDate;
    if (!subscription || !date || date <= now || toVendorDay(date, zoneId) !== message.facts["day"])
      return { canceled: "The charge was made, moved or cancelled." };
    if (kind === "TRIAL_ENDING" && !isAfter(subscription.trialEndDate, now))
      return { canceled: "The trial has ended." };
    const charge = await this.previewCharge(vendor.id, subscription);
    if ("canceled" in charge) return charge;
    const { id: subscriptionId, customerId } = subscription;
    const page = { vendorId: vendor.id, subscriptionId, customerId, language: message.language, until: date };
    const facts = { subscription, charge, shop: { name, email, zoneId }, url: toPayerLink(page, this.deps) };
    return { content: toChargeNoticeContent(kind, facts, message.language) };
  }

  private claim(vendorId: number, kind: ChargeNoticeKind, limit: number): Promise<SubscriptionRecord[]> {
    const { subscriptionNotices } = this.deps;
    if (kind === "CHARGE_COMING") return subscriptionNotices.claimCharges(vendorId, limit);
    const days = noticeLead(kind);
    return kind === "TRIAL_ENDING"
      ? subscriptionNotices.claimTrialEnds(vendorId, days, limit)
      : subscriptionNotices.claimUsageCharges(vendorId, days, limit);
  }

  private async queue(
    vendorId: number,
    kind: ChargeNoticeKind,
    { subscription: record, settings }: { subscription: SubscriptionRecord; settings: MessageSettingsRecord },
  ): Promise<void> {
    const subscription = await this.deps.noticeRepository.findSubscription(vendorId, record.id);
    if (!subscription || subscription.email === "" || !hasNotice(kind, record, subscription, settings)) return;
    const { email, region, customerRegion, customerId, nextPaymentDate, trialEndDate } = subscription;
    if (nextPaymentDate === null) return;
    const { vendorCountry, zoneId } = settings;
    const day = toVendorDay(nextPaymentDate, zoneId);
    await this.deps.messages.queueMessage(vendorId, {
      kind,
      channel: "EMAIL",
      recipient: email,
      language: messageLanguage([customerRegion, region], vendorCountry),
      subject: "SUBSCRIPTION",
      subjectId: record.id,
      occurrence:
        kind === "TRIAL_ENDING" && trialEndDate ? `trial_${toVendorDay(trialEndDate, zoneId)}` : `charge_${day}`,
      customerId,
      subscriptionId: record.id,
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

/** Whether a claimed occasion has a notice of this kind. */
function hasNotice(
  kind: ChargeNoticeKind,
  { interval, intervalCount }: SubscriptionRecord,
  { isMetered, nextPaymentDate, trialEndDate }: NoticeSubscription,
  { chargeNoticeDays, disabledKinds }: MessageSettingsRecord,
): boolean {
  if (kind === "TRIAL_ENDING") return true;
  const days = kind === "CHARGE_COMING" ? chargeNoticeDays : noticeLead(kind);
  // A notice of a shorter cycle would come before the previous charge.
  if (DAYS_OF_INTERVAL[interval] * intervalCount < days) return false;
  if (kind === "USAGE_CHARGE_COMING") return isMetered;
  // One message says it all: the notice of the trial, or that of the usage on the same day, names the charge too.
  const endsTrial = trialEndDate !== null && trialEndDate.getTime() === nextPaymentDate?.getTime();
  if (endsTrial && !disabledKinds.includes("TRIAL_ENDING")) return false;
  return !isMetered || days !== noticeLead("USAGE_CHARGE_COMING") || disabledKinds.includes("USAGE_CHARGE_COMING");
}

const isAfter = (at: Date | null, now: Date): boolean => at !== null && at > now;
