import { randomUUID } from "node:crypto";
import type { EventService } from "../events/event.service.ts";
import { conflict, notFound } from "../kernel/refusals.ts";
import type {
  WebhookDeliveryRecord,
  WebhookDeliveryRepository,
  WebhookDeliveryValues,
} from "./webhook-delivery.repository.ts";
import type { WebhookEndpointRecord, WebhookEndpointRepository } from "./webhook-endpoint.repository.ts";
import type { OpenedEndpoint, WebhookEndpointService } from "./webhook-endpoint.service.ts";
import { isAboutWebhooks, toDeliveryFailedEvent, toEndpointDisabledEvent } from "./webhook.events.ts";
import { hasFailedTooLong, nextAttemptAt } from "./webhook.schedule.ts";

/** The type of the message that `sendTestWebhook` sends. It is in no timeline and no feed. */
const TEST_EVENT_TYPE = "webhook.test";

/** After this time another worker may repeat an attempt whose worker died. It is longer than an attempt can take. */
const LEASE_MS = 60_000;

/** Tests and redeliveries of an endpoint that are open at once: each is a request that a merchant lets Recoup make. */
const MAX_UNORDERED = 1_000;

/** The receiver says that it is gone: an endpoint with this status is disabled at once. */
const STATUS_GONE = 410;

/** An attempt to make, with all that it needs. */
export interface ClaimedAttempt {
  deliveryId: number;
  endpointId: number;
  /** The number of the attempt: 1 for the first. */
  number: number;
  eventId: string;
  body: string;
  endpoint: OpenedEndpoint;
}

/** What came of an attempt. */
export interface AttemptResult {
  startedAt: Date;
  durationMs: number;
  /** The HTTP status; null without an answer. */
  status: number | null;
  /** The reason of a failure; null for a success. */
  error: string | null;
  /** The first bytes of the answer's body; null without an answer. */
  response: string | null;
}

/** Delivers events to endpoints: claims attempts and records their results. All its times are real. */
export class WebhookDeliveryService {
  constructor(
    private readonly deps: {
      events: EventService;
      webhookDeliveryRepository: WebhookDeliveryRepository;
      webhookEndpointRepository: WebhookEndpointRepository;
      webhookEndpoints: WebhookEndpointService;
      now: Date;
      realNow: Date;
    },
  ) {}

  /**
   * Delivers a message without an event, so that a receiver can be tried.
   * @throws a Refusal WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_DISABLED, TOO_MANY_WEBHOOK_DELIVERIES.
   */
  async sendTest(vendorId: number, endpointId: number): Promise<WebhookDeliveryRecord> {
    const eventId = `evt_test_${randomUUID()}`;
    const timestamp = this.deps.now.toISOString();
    const body = { id: eventId, type: TEST_EVENT_TYPE, timestamp, data: { endpointId } };
    return this.addUnordered(vendorId, endpointId, {
      eventId,
      eventType: TEST_EVENT_TYPE,
      body: JSON.stringify(body),
    });
  }

  /**
   * Delivers an event again, at once and beside the order of its subject.
   * @throws a Refusal WEBHOOK_DELIVERY_NOT_FOUND, WEBHOOK_ENDPOINT_NOT_FOUND, WEBHOOK_ENDPOINT_DISABLED,
   * TOO_MANY_WEBHOOK_DELIVERIES.
   */
  async redeliver(vendorId: number, deliveryId: number): Promise<WebhookDeliveryRecord> {
    const [delivery] = await this.deps.webhookDeliveryRepository.byIds(vendorId, [deliveryId]);
    if (!delivery) throw notFound("WEBHOOK_DELIVERY_NOT_FOUND", "There is no webhook delivery with this id.");
    const { endpointId, eventId, eventType, body } = delivery;
    return this.addUnordered(vendorId, endpointId, { eventId, eventType, body });
  }

  /**
   * Claims due attempts of an endpoint; none if it is disabled. One that fails gets one attempt at a time, so that endpoints
   * that hang take few of a worker's slots.
   * @param room how many attempts the worker can begin. @param underWay how many it makes at this endpoint already.
   */
  async claimDue(
    vendor: { id: number; sandbox: boolean },
    endpointId: number,
    { room, underWay }: { room: number; underWay: number },
  ): Promise<ClaimedAttempt[]> {
    const { webhookEndpointRepository, webhookDeliveryRepository, webhookEndpoints, realNow } = this.deps;
    const endpoint = await webhookEndpointRepository.lock(vendor.id, endpointId);
    if (!endpoint?.enabled) return [];
    const limit = endpoint.failingSince === null ? room : Math.min(room, 1 - underWay);
    if (limit <= 0) return [];
    const leaseUntil = new Date(realNow.getTime() + LEASE_MS);
    const deliveries = await webhookDeliveryRepository.claimDue(vendor.id, endpointId, {
      now: realNow,
      leaseUntil,
      limit,
    });
    await this.changeEndpoint(endpoint, {});
    const opened = webhookEndpoints.open(vendor, endpoint);
    return deliveries.map(({ id, attempts, eventId, body }) => ({
      deliveryId: id,
      endpointId,
      number: attempts,
      eventId,
      body,
      endpoint: opened,
    }));
  }

  /**
   * Records the result of an attempt: the delivery ends or gets its next date, and the endpoint may be disabled. Events report
   * the end of a delivery that failed and of an endpoint.
   */
  async recordResult(
    vendorId: number,
    { deliveryId, endpointId, number }: ClaimedAttempt,
    result: AttemptResult,
  ): Promise<void> {
    const { webhookEndpointRepository, webhookDeliveryRepository } = this.deps;
    const endpoint = await webhookEndpointRepository.lock(vendorId, endpointId);
    const [delivery] = await webhookDeliveryRepository.byIds(vendorId, [deliveryId]);
    if (!endpoint || !delivery) return;
    await webhookDeliveryRepository.addAttempt(vendorId, { deliveryId, number, ...result });
    const isSuccess = result.error === null;
    // After the end of a lease another worker may have begun the next attempt: then only a success counts.
    const isLatest = delivery.attempts === number;
    if (delivery.state === "PENDING" && (isSuccess || isLatest)) await this.advance(delivery, isSuccess);
    const health = this.healthAfter(endpoint, result);
    await this.changeEndpoint(endpoint, health);
    if (health.enabled === false)
      await this.deps.events.recordModuleEvents(vendorId, toEndpointDisabledEvent({ ...endpoint, ...health }));
  }

  /** Deletes deliveries that ended longer ago than they are kept. @returns the number of deleted rows. */
  removeExpired(vendorId: number, limit: number): Promise<number> {
    return this.deps.webhookDeliveryRepository.removeExpired(vendorId, this.deps.realNow, limit);
  }

  /** Deletes deliveries of an endpoint that the vendor deleted, and at last the endpoint. @returns the number of deleted rows. */
  async removeDeletedEndpoint(vendorId: number, limit: number): Promise<number> {
    const { webhookEndpointRepository, webhookDeliveryRepository } = this.deps;
    const endpointId = await webhookEndpointRepository.findDeleted(vendorId);
    if (endpointId === undefined) return 0;
    const removed = await webhookDeliveryRepository.removeOfEndpoint(vendorId, endpointId, limit);
    if (removed < limit) await webhookEndpointRepository.remove(vendorId, endpointId);
    return removed + 1;
  }

  private async advance(delivery: WebhookDeliveryRecord, isSuccess: boolean): Promise<void> {
    const { webhookDeliveryRepository, realNow } = this.deps;
    const { vendorId, id, endpointId, subject, subjectId, attempts, firstAttemptAt } = delivery;
    const next = isSuccess
      ? undefined
      : nextAttemptAt({ attempts, firstAttemptAt: firstAttemptAt ?? realNow, failedAt: realNow }, Math.random());
    if (next) return webhookDeliveryRepository.change(vendorId, id, { dueAt: next });
    await webhookDeliveryRepository.change(vendorId, id, {
      state: isSuccess ? "SUCCEEDED" : "FAILED",
      dueAt: null,
      endedAt: realNow,
    });
    if (subject !== null && subjectId !== null)
      await webhookDeliveryRepository.releaseNext(vendorId, endpointId, { subject, subjectId }, realNow);
    if (!isSuccess && !isAboutWebhooks(delivery))
      await this.deps.events.recordModuleEvents(vendorId, toDeliveryFailedEvent(delivery));
  }

  /** Whether an endpoint fails and since when, and whether it is disabled for it. */
  private healthAfter(
    endpoint: WebhookEndpointRecord,
    { error, status }: AttemptResult,
  ): Partial<WebhookEndpointRecord> {
    const { realNow } = this.deps;
    if (error === null) return { failingSince: null, lastSuccessAt: realNow };
    const failingSince = endpoint.failingSince ?? realNow;
    const reason = status === STATUS_GONE ? "GONE" : hasFailedTooLong(failingSince, realNow) ? "FAILING" : undefined;
    if (reason === undefined || !endpoint.enabled) return { failingSince };
    return { failingSince, enabled: false, disabledReason: reason, disabledAt: realNow };
  }

  /** Changes an endpoint, and when its next delivery is due. */
  private async changeEndpoint(
    { vendorId, id }: WebhookEndpointRecord,
    values: Partial<WebhookEndpointRecord>,
  ): Promise<void> {
    const dueAt = await this.deps.webhookDeliveryRepository.earliestDueAt(vendorId, id);
    await this.deps.webhookEndpointRepository.change(vendorId, id, { ...values, dueAt });
  }

  /** Adds a delivery that waits for no other. */
  private async addUnordered(
    vendorId: number,
    endpointId: number,
    message: Pick<WebhookDeliveryValues, "eventId" | "eventType" | "body">,
  ): Promise<WebhookDeliveryRecord> {
    const { webhookDeliveryRepository, webhookEndpointRepository, webhookEndpoints, realNow } = this.deps;
    const endpoint = await webhookEndpoints.lockEnabled(vendorId, endpointId);
    const open = await webhookDeliveryRepository.countOpen(vendorId, endpointId, {
      limit: MAX_UNORDERED,
      unorderedOnly: true,
    });
    if (open >= MAX_UNORDERED)
      throw conflict(
        "TOO_MANY_WEBHOOK_DELIVERIES",
        `${MAX_UNORDERED.toLocaleString("en")} tests and redeliveries to this endpoint are open; try again when some of them have ended.`,
      );
    const delivery = await webhookDeliveryRepository.add(vendorId, {
      ...message,
      endpointId,
      state: "PENDING",
      dueAt: realNow,
      createdAt: realNow,
    });
    const dueAt = endpoint.dueAt !== null && endpoint.dueAt < realNow ? endpoint.dueAt : realNow;
    await webhookEndpointRepository.change(vendorId, endpointId, { dueAt });
    return delivery;
  }
}
