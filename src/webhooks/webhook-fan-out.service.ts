import { toEventMessage } from "../events/event.message.ts";
import { invalidField } from "../kernel/refusals.ts";
import type { WebhookDeliveryRepository } from "./webhook-delivery.repository.ts";
import type { WebhookEndpointRecord, WebhookEndpointRepository } from "./webhook-endpoint.repository.ts";
import type { WebhookEndpointService } from "./webhook-endpoint.service.ts";
import { reportsFailureOf } from "./webhook.events.ts";
import type { NumberedEvent, WebhookFanOutRepository } from "./webhook-fan-out.repository.ts";

/** An endpoint with so many open deliveries reads no further events; they wait in the log, where they cost nothing. */
const MAX_OPEN = 10_000;
/** How far back a replay can begin. */
const MAX_REPLAY_MS = 30 * 86_400_000;
/** Numbers are given in the order of commits: an event can have a time so much earlier than the event before it. */
const NUMBERING_SLACK_MS = 60_000;

/** Makes deliveries of numbered events, one endpoint at a time. Each endpoint remembers the number that it has read. */
export class WebhookFanOutService {
  constructor(
    private readonly deps: {
      webhookFanOutRepository: WebhookFanOutRepository;
      webhookDeliveryRepository: WebhookDeliveryRepository;
      webhookEndpointRepository: WebhookEndpointRepository;
      webhookEndpoints: WebhookEndpointService;
      realNow: Date;
    },
  ) {}

  /** Makes deliveries of the next events for an endpoint. @returns the number of events that were read. */
  async readNextEvents(vendorId: number, endpointId: number, limit: number): Promise<number> {
    const { webhookEndpointRepository, webhookFanOutRepository, webhookDeliveryRepository } = this.deps;
    const endpoint = await webhookEndpointRepository.lock(vendorId, endpointId);
    if (!endpoint?.enabled) return 0;
    if ((await webhookDeliveryRepository.countOpen(vendorId, endpointId, { limit: MAX_OPEN })) >= MAX_OPEN) return 0;
    const events = await webhookFanOutRepository.eventsAfter(vendorId, endpoint.lastReadNumber, limit);
    const last = events.at(-1);
    if (!last) return 0;
    await this.addDeliveries(endpoint, events);
    await webhookEndpointRepository.change(vendorId, endpointId, {
      lastReadNumber: last.number,
      dueAt: await webhookDeliveryRepository.earliestDueAt(vendorId, endpointId),
    });
    return events.length;
  }

  /**
   * Delivers again, in their order, the events that were recorded since an instant of real time. Later events follow them.
   * @throws a Refusal WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_DISABLED, INVALID_ARGUMENT.
   */
  async replay(vendorId: number, endpointId: number, from: Date): Promise<WebhookEndpointRecord> {
    const { webhookEndpoints, webhookEndpointRepository, realNow } = this.deps;
    if (from > realNow) throw invalidField("from", "must not be in the future.");
    if (realNow.getTime() - from.getTime() > MAX_REPLAY_MS)
      throw invalidField("from", "must be at most 30 days ago; read older events with the query `events`.");
    const endpoint = await webhookEndpoints.lockEnabled(vendorId, endpointId);
    const number = await this.lastNumberBefore(vendorId, from, endpoint.lastReadNumber);
    return webhookEndpointRepository.change(vendorId, endpointId, { lastReadNumber: number });
  }

  private async addDeliveries(endpoint: WebhookEndpointRecord, events: readonly NumberedEvent[]): Promise<void> {
    const { vendorId, id: endpointId } = endpoint;
    const { webhookDeliveryRepository, realNow } = this.deps;
    const messages = events
      .filter(({ event }) => event.notify && !reportsFailureOf(endpoint, event))
      .map(({ event }) => ({ event, message: toEventMessage(event) }))
      .filter(({ message }) => endpoint.eventTypes?.includes(message.type) ?? true);
    if (messages.length === 0) return;
    const openSubjects = await webhookDeliveryRepository.openSubjects(
      vendorId,
      endpointId,
      messages.map(({ event }) => event),
    );
    const rows = messages.map(({ event, message }) => {
      const subject = `${event.subject} ${event.subjectId}`;
      const isFirst = !openSubjects.has(subject);
      openSubjects.add(subject);
      return {
        endpointId,
        eventId: message.id,
        eventType: message.type,
        subject: event.subject,
        subjectId: event.subjectId,
        body: JSON.stringify(message),
        state: "PENDING" as const,
        dueAt: isFirst ? realNow : null,
        createdAt: realNow,
      };
    });
    await webhookDeliveryRepository.addAll(vendorId, rows);
  }

  /** The greatest number whose event, and all before, were recorded before an instant. Numbers have no gaps. */
  private async lastNumberBefore(vendorId: number, from: Date, lastNumber: number): Promise<number> {
    const bound = from.getTime() - NUMBERING_SLACK_MS;
    let [before, since] = [0, lastNumber + 1];
    while (since - before > 1) {
      const middle = Math.floor((before + since) / 2);
      const recordedAt = await this.deps.webhookFanOutRepository.recordedAt(vendorId, middle);
      if (recordedAt !== undefined && recordedAt.getTime() < bound) before = middle;
      else since = middle;
    }
    return before;
  }
}
