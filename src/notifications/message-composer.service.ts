import type { MessageKind } from "../../schema/vocabulary.ts";
import type { DunningMessageService } from "./dunning/dunning-message.service.ts";
import type { InvoiceMessageService } from "./invoices/invoice-message.service.ts";
import type { ChargeNoticeService } from "./notices/charge-notice.service.ts";
import type { DormancyNoticeService } from "./notices/dormancy-notice.service.ts";
import type { MethodExpiryNoticeService } from "./notices/method-expiry-notice.service.ts";
import type { Composition, MessageVendor } from "./rendering/message.content.ts";
import type { MessageRecord } from "./message.repository.ts";
import type { MessageSettingsRecord } from "./settings/message-settings.repository.ts";
import { applyWording } from "./settings/message-wording.ts";

/** What a module does for its kinds of messages. */
interface KindRules {
  /** Composes a message just before an attempt, from the records as they are then. */
  compose: (vendor: MessageVendor, message: MessageRecord, settings: MessageSettingsRecord) => Promise<Composition>;
  /** Reacts to a message that failed for good. */
  handleFailure?: (vendorId: number, message: MessageRecord) => Promise<void>;
}

/** Selects the rules of a message by its kind. */
export class MessageComposerService {
  private readonly rules: Readonly<Record<MessageKind, KindRules>>;

  constructor({
    invoiceMessages,
    dunningMessages,
    chargeNotices,
    dormancyNotices,
    methodExpiryNotices,
  }: {
    invoiceMessages: InvoiceMessageService;
    dunningMessages: DunningMessageService;
    chargeNotices: ChargeNoticeService;
    dormancyNotices: DormancyNoticeService;
    methodExpiryNotices: MethodExpiryNoticeService;
  }) {
    const dunning: KindRules = { compose: (...message) => dunningMessages.compose(...message) };
    const chargeNotice: KindRules = { compose: (...message) => chargeNotices.compose(...message) };
    this.rules = {
      INVOICE: {
        compose: (...message) => invoiceMessages.compose(...message),
        handleFailure: (...message) => invoiceMessages.handleFailure(...message),
      },
      PAYMENT_FAILED: dunning,
      RETRY_COMING: dunning,
      LAST_NOTICE: dunning,
      PAYMENT_METHOD_REQUIRED: dunning,
      PAYMENT_RECOVERED: dunning,
      CHARGE_COMING: chargeNotice,
      USAGE_CHARGE_COMING: chargeNotice,
      TRIAL_ENDING: chargeNotice,
      PAYMENT_METHOD_EXPIRING: { compose: (...message) => methodExpiryNotices.compose(...message) },
      DORMANCY_COMING: { compose: (...message) => dormancyNotices.compose(...message) },
    };
  }

  /** Composes a message just before an attempt, in the vendor's own words. The document of an invoice has none of them. */
  async compose(vendor: MessageVendor, message: MessageRecord, settings: MessageSettingsRecord): Promise<Composition> {
    const composition = await this.rules[message.kind].compose(vendor, message, settings);
    return "canceled" in composition
      ? composition
      : { ...composition, content: applyWording(composition.content, message.kind, settings.wordings) };
  }

  async handleFailure(vendorId: number, message: MessageRecord): Promise<void> {
    await this.rules[message.kind].handleFailure?.(vendorId, message);
  }
}
