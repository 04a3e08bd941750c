import type { Actor, CoverEventKind } from "../../../schema/vocabulary.ts";
import type { EventService, ModuleEvent } from "../../events/event.service.ts";
import { required } from "../../kernel/required-values.ts";
import { toCoverEventSubject, toCoverEventType } from "./cover-timeline.catalogue.ts";

/** An event to record; the time and, by default, the actor MANAGER are filled in. The ids are of registered records. */
export interface CoverEventEntry {
  kind: CoverEventKind;
  orderId?: number | null;
  subscriptionId?: number | null;
  coverId?: number;
  actor?: Actor;
  facts?: Record<string, unknown>;
  /** The states of the cover, which its timeline does not show. Those of an order are its facts `from` and `to`. */
  states?: { before: string | null; after: string };
  notify?: boolean;
}

/** Records events of the recovery module. A merchant's token acts for its managers; the engine acts as the system. */
export class CoverTimelineService {
  constructor(
    private readonly deps: {
      events: EventService;
    },
  ) {}

  /** The last renewal of the payment method by an order's payer after an instant; null if there is none. */
  methodChangedAt(vendorId: number, orderId: number, after: Date): Promise<Date | null> {
    return this.deps.events.findLastOccurrence(vendorId, orderId, "PAYMENT_METHOD_CHANGED", after);
  }

  recordEvents(vendorId: number, ...entries: CoverEventEntry[]): Promise<void> {
    return this.deps.events.recordModuleEvents(vendorId, ...entries.map(toModuleEvent));
  }
}

function toModuleEvent({
  kind,
  orderId = null,
  subscriptionId = null,
  coverId,
  actor = "MANAGER",
  facts = {},
  states,
  notify = true,
}: CoverEventEntry): ModuleEvent {
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
    facts,
    notify,
  };
}

const textFact = (value: unknown): string | null => (typeof value === "string" ? value : null);
