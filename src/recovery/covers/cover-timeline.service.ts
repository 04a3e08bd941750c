import type { Actor, CoverEventKind } from "../../../schema/vocabulary.ts";
import type { EventService, ModuleEvent } from "../../events/event.service.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { required } from "../../kernel/required-values.ts";
import { toCoverEventSubject, toCoverEventType } from "./cover-timeline.catalogue.ts";
import type { CoverTimelineRepository } from "./cover-timeline.repository.ts";

/** An event to record; the time and, by default, the actor MANAGER are filled in. The ids are of registered records. */
export interface CoverEventEntry {
  kind: CoverEventKind;
  orderId?: number | null;
  subscriptionId?: number | null;
  coverId?: number;
  actor?: Actor;
  facts?: Record<string, unknown>;
  /** The amount that the cover recovers, in the vendor's currency; null for covers of an older gateway. */
  amount?: Amount | null;
  /** The states of the cover, which its timeline does not show. Those of an order are its facts `from` and `to`. */
  states?: { before: string | null; after: string };
  notify?: boolean;
}

/** Records events of the recovery module. A merchant's token acts for its managers; the engine acts as the system. */
export class CoverTimelineService {
  constructor(
    private readonly deps: {
      events: EventService;
      coverTimelineRepository: CoverTimelineRepository;
    },
  ) {}

  /** The last renewal of the payment method by an order's payer after an instant; null if there is none. */
  methodChangedAt(vendorId: number, orderId: number, after: Date): Promise<Date | null> {
    return this.deps.events.findLastOccurrence(vendorId, orderId, "PAYMENT_METHOD_CHANGED", after);
  }

  async recordEvents(vendorId: number, ...entries: CoverEventEntry[]): Promise<void> {
    const hasAmounts = entries.some(({ amount }) => amount);
    const currency = hasAmounts ? await this.deps.coverTimelineRepository.currencyOf(vendorId) : undefined;
    await this.deps.events.recordModuleEvents(vendorId, ...entries.map((entry) => toModuleEvent(entry, currency)));
  }
}

function toModuleEvent(
  {
    kind,
    orderId = null,
    subscriptionId = null,
    coverId,
    actor = "MANAGER",
    facts = {},
    amount,
    states,
    notify = true,
  }: CoverEventEntry,
  currency: string | undefined,
): ModuleEvent {
  const subject = toCoverEventSubject(kind);
  const subjectIds = { COVER: coverId, COVER_ORDER: orderId, COVER_SUBSCRIPTION: subscriptionId };
  return {
    type: toCoverEventType(kind, facts),
    subject,
    subjectId: required(subjectIds[subject], "the subject's id"),
    trigger: kind,
    statusBefore: states ? states.before : textFact(facts["from"]),
    statusAfter: states ? states.after : textFact(facts["to"]),
    coverOrderId: orderId,
    coverSubscriptionId: subscriptionId,
    coverId: coverId ?? null,
    actor,
    facts: { ...facts, ...(amount && { amount: amount.toFixed(), currency }) },
    notify,
  };
}

const textFact = (value: unknown): string | null => (typeof value === "string" ? value : null);
