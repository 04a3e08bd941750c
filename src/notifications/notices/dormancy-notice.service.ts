import type { CustomerRecord, CustomerService } from "../../customers/customer.service.ts";
import { addDurationInZone } from "../../kernel/instants.ts";
import type { MessageRecord } from "../message.repository.ts";
import type { MessageService } from "../message.service.ts";
import type { Composition, MessageVendor } from "../rendering/message.content.ts";
import { messageLanguage } from "../rendering/message.language.ts";
import type { MessageSettingsRecord, MessageSettingsRepository } from "../settings/message-settings.repository.ts";
import { toDormancyNoticeContent } from "./dormancy-notice.content.ts";
import type { NoticeRepository } from "./notice.repository.ts";
import { noticeLead } from "./notice.rules.ts";

/** Warns customers before they become dormant. */
export class DormancyNoticeService {
  constructor(
    private readonly deps: {
      noticeRepository: NoticeRepository;
      messageSettingsRepository: MessageSettingsRepository;
      messages: MessageService;
      customers: CustomerService;
    },
  ) {}

  /** Queues the due notices, one for each time without activity. @returns the number of customers that were handled. */
  async queueDue(vendorId: number, limit: number): Promise<number> {
    const { customers, messageSettingsRepository } = this.deps;
    const claimed = await customers.claimDormancyNotices(vendorId, noticeLead("DORMANCY_COMING"), limit);
    if (claimed.length === 0) return 0;
    const { vendorCountry } = await messageSettingsRepository.read(vendorId);
    for (const customer of claimed) await this.queue(vendorId, customer, vendorCountry);
    return claimed.length;
  }

  /** Composes a notice, or says why it is not to be sent any more. */
  async compose(vendor: MessageVendor, message: MessageRecord, settings: MessageSettingsRecord): Promise<Composition> {
    const customer = await this.deps.noticeRepository.findCustomer(vendor.id, message.subjectId);
    if (customer?.status !== "NORMAL" || message.occurrence !== toOccurrence(customer.lastActiveAt))
      return { canceled: "The customer has ordered, has a subscription, or is dormant." };
    const { vendorName: name, vendorEmail: email, zoneId } = settings;
    // The rule of dormancy counts the year in UTC.
    const dormantAt = addDurationInZone(customer.lastActiveAt, "P1Y", "UTC");
    const facts = { customerName: customer.name, shop: { name, email, zoneId }, dormantAt };
    return { content: toDormancyNoticeContent(facts, message.language) };
  }

  private async queue(vendorId: number, customer: CustomerRecord, vendorCountry: string): Promise<void> {
    const { id, email, region, lastActiveAt } = customer;
    if (email === "") return;
    await this.deps.messages.queueMessage(vendorId, {
      kind: "DORMANCY_COMING",
      channel: "EMAIL",
      recipient: email,
      language: messageLanguage([region], vendorCountry),
      subject: "CUSTOMER",
      subjectId: id,
      occurrence: toOccurrence(lastActiveAt),
      customerId: id,
    });
  }
}

const toOccurrence = (lastActiveAt: Date): string => `inactive_since_${lastActiveAt.toISOString()}`;
