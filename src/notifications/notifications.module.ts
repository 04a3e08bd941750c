import { DunningMessageRepository } from "./dunning/dunning-message.repository.ts";
import { DunningMessageService } from "./dunning/dunning-message.service.ts";
import { InvoiceMessageRepository } from "./invoices/invoice-message.repository.ts";
import { InvoiceMessageService } from "./invoices/invoice-message.service.ts";
import { ChargeNoticeService } from "./notices/charge-notice.service.ts";
import { DormancyNoticeService } from "./notices/dormancy-notice.service.ts";
import { MethodExpiryNoticeService } from "./notices/method-expiry-notice.service.ts";
import { NoticeRepository } from "./notices/notice.repository.ts";
import { MessageComposerService } from "./message-composer.service.ts";
import { MessageDeliveryService } from "./message-delivery.service.ts";
import { MessageEventReaderService } from "./message-event-reader.service.ts";
import { MessageEventRepository } from "./message-event.repository.ts";
import { MessageSettingsRepository } from "./settings/message-settings.repository.ts";
import { MessageSettingsService } from "./settings/message-settings.service.ts";
import { MessageRepository } from "./message.repository.ts";
import { MessageService } from "./message.service.ts";

/** The notifications services of a transaction, by the names under which services depend on each other. */
export const notificationsModule = {
  repositories: {
    messageRepository: MessageRepository,
    messageSettingsRepository: MessageSettingsRepository,
    messageEventRepository: MessageEventRepository,
    invoiceMessageRepository: InvoiceMessageRepository,
    dunningMessageRepository: DunningMessageRepository,
    noticeRepository: NoticeRepository,
  },
  services: {
    messages: MessageService,
    messageSettings: MessageSettingsService,
    messageComposer: MessageComposerService,
    messageDelivery: MessageDeliveryService,
    messageEventReader: MessageEventReaderService,
    invoiceMessages: InvoiceMessageService,
    dunningMessages: DunningMessageService,
    chargeNotices: ChargeNoticeService,
    dormancyNotices: DormancyNoticeService,
    methodExpiryNotices: MethodExpiryNoticeService,
  },
};
