import { setTimeout as wait } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { ContextFactory } from "../graphql/context.ts";
import { runAsParty } from "../kernel/current-party.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import type { ClaimedAttempt } from "../webhooks/webhook-delivery.service.ts";
import { sendWebhook } from "../webhooks/webhook-sender.ts";
import { signatureHeaders } from "../webhooks/webhook.signature.ts";
import type { DueVendorRepository } from "./due-vendor.repository.ts";

/** The dependencies of a dispatcher. */
interface WebhookDispatcherOptions {
  contexts: ContextFactory;
  dueVendors: DueVendorRepository;
  findVendor: (id: number) => Promise<VendorRecord | undefined>;
  /** The real time. */
  now: () => Date;
  logger: FastifyBaseLogger;
}

/** Attempts of this process that are under way at the same time. */
const MAX_ATTEMPTS = 256;
const MAX_ATTEMPTS_PER_VENDOR = 32;
const MAX_ATTEMPTS_PER_ENDPOINT = 8;
/** Endpoints that are found by one search. */
const MAX_ENDPOINTS = 500;
/** Events that an endpoint reads in one turn. */
const EVENT_BATCH_SIZE = 200;
const IDLE_MS = 500;
const AFTER_FAULT_MS = 5_000;
/** The time that attempts under way get when the process stops. The others are repeated after their lease. */
const STOP_MS = 5_000;

/**
 * Delivers events to webhook endpoints, in a loop of its own: receivers may take seconds to answer, which must delay
 * neither charges nor each other. Any number of workers may run it, because each attempt is claimed with a lease.
 */
export class WebhookDispatcher {
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private readonly aborting = new AbortController();
  private readonly underWay = new Set<Promise<void>>();
  private readonly countsByVendor = new Map<number, number>();
  private readonly countsByEndpoint = new Map<number, number>();

  constructor(private readonly options: WebhookDispatcherOptions) {}

  start(): void {
    this.running = this.runLoop();
  }

  /** Stops the loop, and waits some seconds for the attempts under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const abort = setTimeout(() => this.aborting.abort(), STOP_MS);
    await this.running;
    await this.waitForAttempts();
    clearTimeout(abort);
  }

  /**
   * Makes deliveries of new events, and begins due attempts as far as there is room for them.
   * @returns the number of events that were read and attempts that were begun.
   */
  async runTurn(): Promise<number> {
    const { dueVendors, now } = this.options;
    let begun = 0;
    for (const { vendorId, endpointId } of await dueVendors.webhookEndpointsWithUnreadEvents(MAX_ENDPOINTS)) {
      if (this.stopping.signal.aborted) break;
      begun += await this.readNextEvents(vendorId, endpointId);
    }
    for (const { vendorId, endpointId } of await dueVendors.dueWebhookEndpoints(now(), MAX_ENDPOINTS)) {
      const room = this.roomOf(vendorId, endpointId);
      if (this.stopping.signal.aborted) break;
      if (room > 0) begun += await this.beginAttempts(vendorId, endpointId, room);
    }
    return begun;
  }

  /** Waits until no attempt is under way. */
  async waitForAttempts(): Promise<void> {
    await Promise.all(this.underWay);
  }

  private roomOf(vendorId: number, endpointId: number): number {
    return Math.min(
      MAX_ATTEMPTS - this.underWay.size,
      MAX_ATTEMPTS_PER_VENDOR - (this.countsByVendor.get(vendorId) ?? 0),
      MAX_ATTEMPTS_PER_ENDPOINT - (this.countsByEndpoint.get(endpointId) ?? 0),
    );
  }

  private readNextEvents(vendorId: number, endpointId: number): Promise<number> {
    return this.runIsolated(vendorId, (vendor) => {
      const { write } = this.options.contexts.createContext(vendor, "webhooks");
      return write(({ webhookFanOut }) => webhookFanOut.readNextEvents(vendorId, endpointId, EVENT_BATCH_SIZE));
    });
  }

  private async beginAttempts(vendorId: number, endpointId: number, room: number): Promise<number> {
    return this.runIsolated(vendorId, async (vendor) => {
      const { write } = this.options.contexts.createContext(vendor, "webhooks");
      const underWay = this.countsByEndpoint.get(endpointId) ?? 0;
      const attempts = await write(({ webhookDeliveries }) =>
        webhookDeliveries.claimDue(vendor, endpointId, { room, underWay }),
      );
      for (const attempt of attempts) this.track(vendor, attempt);
      return attempts.length;
    });
  }

  private track(vendor: VendorRecord, attempt: ClaimedAttempt): void {
    const change = (counts: Map<number, number>, id: number, by: number) => {
      const count = (counts.get(id) ?? 0) + by;
      if (count === 0) counts.delete(id);
      else counts.set(id, count);
    };
    change(this.countsByVendor, vendor.id, 1);
    change(this.countsByEndpoint, attempt.endpointId, 1);
    const running: Promise<void> = this.runIsolated(vendor.id, () => this.makeAttempt(vendor, attempt)).then(() => {
      change(this.countsByVendor, vendor.id, -1);
      change(this.countsByEndpoint, attempt.endpointId, -1);
      this.underWay.delete(running);
    });
    this.underWay.add(running);
  }

  /** Sends one message and records the answer. If the process dies in between, the attempt is repeated after its lease. */
  private async makeAttempt(vendor: VendorRecord, attempt: ClaimedAttempt): Promise<number> {
    const { eventId, body, endpoint } = attempt;
    const startedAt = this.options.now();
    const from = performance.now();
    const headers = signatureHeaders({ id: eventId, sentAt: startedAt, body }, endpoint.secrets);
    const answer = await sendWebhook({ ...endpoint, headers, body }, this.aborting.signal);
    const result = { startedAt, durationMs: Math.round(performance.now() - from), ...answer };
    const { write } = this.options.contexts.createContext(vendor, "webhooks");
    await write(({ webhookDeliveries }) => webhookDeliveries.recordResult(vendor.id, attempt, result));
    return 1;
  }

  /** Runs work for a vendor, and logs its error, so that it does not affect other vendors. */
  private async runIsolated(vendorId: number, work: (vendor: VendorRecord) => Promise<number>): Promise<number> {
    try {
      return await runAsParty({ kind: "WORKER", id: vendorId }, async () => {
        const vendor = await this.options.findVendor(vendorId);
        return vendor ? await work(vendor) : 0;
      });
    } catch (error) {
      if (!this.aborting.signal.aborted)
        this.options.logger.error({ vendorId, error: (error as Error).message }, "a webhook could not be delivered");
      return 0;
    }
  }

  private async runLoop(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      let idleMs = IDLE_MS;
      try {
        if ((await this.runTurn()) > 0) idleMs = 0;
      } catch (error) {
        this.options.logger.error({ error: (error as Error).message }, "the search for due webhooks failed");
        idleMs = AFTER_FAULT_MS;
      }
      // An attempt that ends makes room for others, and can release the next event of its subject.
      if (idleMs > 0)
        await Promise.race([wait(idleMs, undefined, { signal }).catch(() => undefined), ...this.underWay]);
    }
  }
}
