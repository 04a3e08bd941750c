import type { MessageKind } from "../../../schema/vocabulary.ts";
import type { SecretVault } from "../../kernel/secrets/secret-vault.ts";
import { toDunningContent, type DunningKind } from "./dunning-message.content.ts";
import type { DunnedCover, DunningMessageRepository } from "./dunning-message.repository.ts";
import { outsideQuietHours, retryNoticeTime } from "./dunning-message.times.ts";
import type { Composition, MessageVendor } from "../rendering/message.content.ts";
import { messageLanguage } from "../rendering/message.language.ts";
import type { MessageRecord } from "../message.repository.ts";
import { toPayerLink } from "../payer-link.ts";
import { delayedFrom } from "../settings/message-delay.ts";
import { toDurationMs } from "../settings/message-durations.ts";
import type { MessageSettingsRecord, MessageSettingsRepository } from "../settings/message-settings.repository.ts";
import type { MessageService } from "../message.service.ts";

const DAY_MS = 86_400_000;

/** The messages that ask the payer to act. They are withdrawn when the cover ends. */
const ASKING: readonly MessageKind[] = ["PAYMENT_FAILED", "RETRY_COMING", "LAST_NOTICE", "PAYMENT_METHOD_REQUIRED"];

/** The messages that say that a payment failed. A payer gets notices of retries only after one of them. */
const REPORTING: readonly MessageKind[] = ["PAYMENT_FAILED", "LAST_NOTICE"];

/** Tells the payers of failed renewals what happened, and how they can help. */
export class DunningMessageService {
  constructor(
    private readonly deps: {
      dunningMessageRepository: DunningMessageRepository;
      messageSettingsRepository: MessageSettingsRepository;
      messages: MessageService;
      vault: SecretVault;
      publicAddress: () => string;
      now: Date;
    },
  ) {}

  /** Queues the message that follows from an event of a cover. Registered orders are left to their merchants. */
  async queueFor(vendorId: number, { coverId, type }: { coverId: number | null; type: string }): Promise<void> {
    const cover = coverId === null ? undefined : await this.deps.dunningMessageRepository.findCover(vendorId, coverId);
    if (!cover || cover.messageArm === "NO_MESSAGES") return;
    if (cover.state !== "IN_PROGRESS") {
      await this.deps.messages.cancelQueued(
        vendorId,
        { subject: "COVER", subjectId: cover.id },
        { kinds: ASKING, reason: "The recovery has ended." },
      );
      if (needsMethod(cover)) return this.queue(vendorId, cover, "PAYMENT_METHOD_REQUIRED");
      const wasDunned =
        cover.state === "RECOVERED" && (await this.deps.dunningMessageRepository.hasSent(vendorId, cover.id, ASKING));
      return wasDunned ? this.queue(vendorId, cover, "PAYMENT_RECOVERED") : undefined;
    }
    if (type === "COVER_STARTED") await this.queue(vendorId, cover, "PAYMENT_FAILED");
    if (type === "COVER_ATTEMPT_FAILED" && cover.planned.length === 1) await this.queue(vendorId, cover, "LAST_NOTICE");
    await this.queueRetryNotice(vendorId, cover);
  }

  /** Composes a message, or says why it is not to be sent any more. */
  async compose(vendor: MessageVendor, message: MessageRecord, settings: MessageSettingsRecord): Promise<Composition> {
    const cover = await this.deps.dunningMessageRepository.findCover(vendor.id, message.subjectId);
    const kind = message.kind as DunningKind;
    if (!cover || !isNeeded(kind, cover)) return { canceled: "The payment is not open any more." };
    const obstacle = kind === "RETRY_COMING" ? await this.reasonAgainstNotice(vendor.id, cover, message) : undefined;
    if (obstacle) return { canceled: obstacle };
    const { vendorName: name, vendorEmail: email } = settings;
    const { subscriptionId, customerId } = cover;
    const page = { vendorId: vendor.id, subscriptionId, customerId, language: message.language };
    const url = kind === "PAYMENT_RECOVERED" ? null : toPayerLink(page, this.deps);
    return { content: toDunningContent(kind, { cover, shop: { name, email }, url }, message.language) };
  }

  /** Queues the notice of the next retry, and withdraws that of another date. */
  private async queueRetryNotice(vendorId: number, cover: DunnedCover): Promise<void> {
    const occurrence = retryOccurrence(cover);
    await this.deps.messages.cancelQueued(
      vendorId,
      { subject: "COVER", subjectId: cover.id },
      { kinds: ["RETRY_COMING"], exceptFor: occurrence, reason: "The retry has another date." },
    );
    const { retryNoticeLead } = await this.deps.messageSettingsRepository.read(vendorId);
    const dueAt = retryNoticeTime(cover, toDurationMs(retryNoticeLead), this.deps.now);
    if (dueAt) await this.queue(vendorId, cover, "RETRY_COMING", { occurrence, dueAt });
  }

  /** Why the notice of a retry is not sent; undefined if it is. */
  private async reasonAgainstNotice(vendorId: number, cover: DunnedCover, message: MessageRecord) {
    const { dunningMessageRepository, now } = this.deps;
    if (message.occurrence !== retryOccurrence(cover)) return "The retry has another date.";
    if (cover.retryAt !== null && cover.retryAt <= now) return "The time of the retry has come.";
    if (!(await dunningMessageRepository.hasSent(vendorId, cover.id, REPORTING)))
      return "The payer had no message about the failed payment.";
    const since = new Date(now.getTime() - DAY_MS);
    return (await dunningMessageRepository.hasOtherSince(vendorId, cover.id, message, since))
      ? "Another message about the payment is sent within a day."
      : undefined;
  }

  private async queue(
    vendorId: number,
    cover: DunnedCover,
    kind: DunningKind,
    notice?: { occurrence: string; dueAt: Date },
  ): Promise<void> {
    const settings = await this.deps.messageSettingsRepository.read(vendorId);
    for (const channel of settings.dunningChannels) {
      const recipient = channel === "EMAIL" ? cover.email : cover.phone;
      if (recipient === "") continue;
      await this.deps.messages.queueMessage(vendorId, {
        kind,
        channel,
        recipient,
        language: messageLanguage([cover.region, cover.customerRegion], settings.vendorCountry),
        subject: "COVER",
        subjectId: cover.id,
        occurrence: notice?.occurrence ?? `cover_${cover.id}`,
        customerId: cover.customerId,
        orderId: cover.orderId,
        subscriptionId: cover.subscriptionId,
        coverId: cover.id,
        dueAt: notice?.dueAt ?? outsideQuietHours(cover, delayedFrom(this.deps.now, kind, settings.delays)),
      });
    }
  }
}

/** The occurrence of the notice of a retry: each date has one. */
const retryOccurrence = ({ retryAt }: DunnedCover): string => `retry_${retryAt?.toISOString() ?? "none"}`;

/** Whether only a new payment method can pay. */
const needsMethod = ({ endReason, subscriptionStatus }: DunnedCover): boolean =>
  (endReason === "NEEDS_NEW_METHOD" || endReason === "NEEDS_CUSTOMER") && subscriptionStatus === "UNPAID";

/** Whether a message still says what is true when it is sent. */
function isNeeded(kind: DunningKind, cover: DunnedCover): boolean {
  if (kind === "PAYMENT_RECOVERED") return cover.state === "RECOVERED";
  return kind === "PAYMENT_METHOD_REQUIRED" ? needsMethod(cover) : cover.state === "IN_PROGRESS";
}
