import type { EventType } from "../../schema/vocabulary.ts";
import type { DunningMessageService } from "./dunning/dunning-message.service.ts";
import type { InvoiceMessageService } from "./invoices/invoice-message.service.ts";
import type { MethodExpiryNoticeService } from "./notices/method-expiry-notice.service.ts";
import type { MessageEventRepository, NumberedMessageEvent } from "./message-event.repository.ts";

/** The events of covers that the payer hears of. */
const coverTypes = [
  "COVER_STARTED",
  "COVER_ATTEMPT_FAILED",
  "COVER_RETRY_SCHEDULED",
  "COVER_RECOVERED",
  "COVER_EXHAUSTED",
  "COVER_STOPPED",
] as const satisfies EventType[];

/** Queues the messages that follow from an event. */
type EventReaction = (vendorId: number, event: NumberedMessageEvent["event"]) => Promise<void>;

/** Reads a vendor's numbered events and queues messages for them. Each vendor has the number that was read last. */
export class MessageEventReaderService {
  private readonly reactions: ReadonlyMap<EventType, EventReaction>;

  constructor(
    private readonly deps: {
      messageEventRepository: MessageEventRepository;
      invoiceMessages: InvoiceMessageService;
      dunningMessages: DunningMessageService;
      methodExpiryNotices: MethodExpiryNoticeService;
    },
  ) {
    this.reactions = new Map<EventType, EventReaction>([
      ["INVOICE_SENT", (...event) => deps.invoiceMessages.queueFor(...event)],
      ["PAYMENT_METHOD_EXPIRING", (...event) => deps.methodExpiryNotices.queueFor(...event)],
      ...coverTypes.map(
        (type) => [type, (...event: Parameters<EventReaction>) => deps.dunningMessages.queueFor(...event)] as const,
      ),
    ]);
  }

  /** Queues the messages of the next events. @returns the number of event numbers that were passed. */
  async readNextEvents(vendorId: number, limit: number): Promise<number> {
    const { messageEventRepository } = this.deps;
    const sequence = await messageEventRepository.lockSequence(vendorId);
    if (!sequence || sequence.lastNumber <= sequence.messagesReadNumber) return 0;
    const { messagesReadNumber: after, lastNumber: until } = sequence;
    const types = [...this.reactions.keys()];
    const events = await messageEventRepository.eventsBetween(vendorId, { after, until, types, limit });
    for (const { event } of events) await this.reactions.get(event.type)?.(vendorId, event);
    const read = events.length < limit ? until : (events.at(-1)?.number ?? until);
    await messageEventRepository.saveReadNumber(vendorId, read);
    return read - after;
  }
}
