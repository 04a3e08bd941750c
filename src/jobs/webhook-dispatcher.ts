import { workerCaller } from "../vendors/people/caller.ts";
import { currentTraceId, traceHeaders, traceStep, traceWork } from "../kernel/tracing.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import type { ClaimedAttempt } from "../webhooks/webhook-delivery.service.ts";
import { sendWebhook } from "../webhooks/webhook-sender.ts";
import { signatureHeaders } from "../webhooks/webhook.signature.ts";
import { AttemptsInProgress } from "./attempts-in-progress.ts";
import type { BusyDestinations, DueEndpoint, VendorEndpoint } from "./due-vendor.repository.ts";
import { TurnLoop } from "./turn-loop.ts";
import { runForVendor, type VendorWorkOptions } from "./vendor-work.ts";
import { AttemptSlots } from "./webhook-slots.ts";

/** Endpoints that are found by one search. */
const MAX_ENDPOINTS = 100;
/** After this time of reading, due attempts come first: replays of many events must not hold them up. */
const MAX_READING_MS = 1_000;
/** Events that an endpoint reads in one turn. */
const EVENT_BATCH_SIZE = 200;
const IDLE_MS = 500;
const AFTER_FAULT_MS = 5_000;
const FIRST: VendorEndpoint = { vendorId: 0, endpointId: 0 };
/** How long an endpoint is left out after an error of ours. */
const SET_ASIDE_MS = 60_000;

interface WebhookDispatcherOptions extends VendorWorkOptions {
  /** Counts an attempt. */
  countAttempt?: ((isDelivered: boolean) => void) | undefined;
}

/**
 * Delivers events to webhook endpoints, in a loop of its own: receivers may take seconds to answer, which must delay
 * neither charges nor each other. Any number of workers may run it, because each attempt is claimed with a lease.
 */
export class WebhookDispatcher {
  private readonly loop: TurnLoop;
  private readonly attempts = new AttemptsInProgress();
  private readonly slots = new AttemptSlots();
  /** Endpoints whose claim failed, with the time until which they are left out. */
  private readonly setAside = new Map<number, number>();
  /** The last endpoint that read events: the next search begins after it, so that each gets its turn. */
  private lastReader: VendorEndpoint = FIRST;

  /** @param options `now` is the real time. */
  constructor(private readonly options: WebhookDispatcherOptions) {
    this.loop = new TurnLoop({
      runTurn: () => this.runTurn(),
      pauseMsAfter: (begun) => (begun > 0 ? 0 : IDLE_MS),
      afterFaultMs: AFTER_FAULT_MS,
      // An attempt that ends makes room for others, and can release the next event of its subject.
      listWakers: () => this.attempts.list(),
      logger: options.logger,
      faultMessage: "the search for due webhooks failed",
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Stops the loop, and waits some seconds for the attempts in progress. */
  stop(): Promise<void> {
    return this.attempts.stopAfter(this.loop.stop());
  }

  /**
   * Makes deliveries of new events, and begins due attempts as far as there are slots for them.
   * @returns the number of events that were read and attempts that were begun.
   */
  async runTurn(): Promise<number> {
    let begun = 0;
    const end = performance.now() + MAX_READING_MS;
    for (const reader of await this.findReaders()) {
      if (this.loop.isStopping || performance.now() > end) break;
      begun += await this.readNextEvents(reader);
      this.lastReader = reader;
    }
    const { dueVendors, now } = this.options;
    for (const endpoint of await dueVendors.dueWebhookEndpoints(now(), this.findBusy(), MAX_ENDPOINTS)) {
      if (this.loop.isStopping) break;
      if (this.slots.countFree(endpoint) > 0) begun += await this.beginAttempts(endpoint);
    }
    return begun;
  }

  /** Waits until no attempt is in progress. */
  waitForAttempts(): Promise<void> {
    return this.attempts.waitForAll();
  }

  /** Endpoints with unread events: the next ones after those of the turn before. */
  private async findReaders(): Promise<VendorEndpoint[]> {
    const { dueVendors } = this.options;
    const readers = await dueVendors.webhookEndpointsWithUnreadEvents(this.lastReader, MAX_ENDPOINTS);
    if (readers.length > 0 || this.lastReader === FIRST) return readers;
    this.lastReader = FIRST;
    return dueVendors.webhookEndpointsWithUnreadEvents(FIRST, MAX_ENDPOINTS);
  }

  private readNextEvents({ vendorId, endpointId }: VendorEndpoint): Promise<number> {
    return this.runIsolated(vendorId, (vendor) => {
      const { write } = this.options.contexts.createContext(vendor, "webhooks", workerCaller);
      return write(({ webhookFanOut }) => webhookFanOut.readNextEvents(vendorId, endpointId, EVENT_BATCH_SIZE));
    });
  }

  /** Endpoints that are busy, or whose claim failed a moment ago: they would be found again first, and hide the others. */
  private findBusy(): BusyDestinations {
    const now = this.options.now().getTime();
    for (const [id, until] of this.setAside) if (until <= now) this.setAside.delete(id);
    const busy = this.slots.findBusy();
    return { ...busy, endpointIds: [...busy.endpointIds, ...this.setAside.keys()] };
  }

  private async beginAttempts(endpoint: DueEndpoint): Promise<number> {
    const { vendorId, endpointId } = endpoint;
    return this.runIsolated(vendorId, async (vendor) => {
      const { write } = this.options.contexts.createContext(vendor, "webhooks", workerCaller);
      const [room, underWay] = [this.slots.countFree(endpoint), this.slots.countAt(endpointId)];
      this.setAside.set(endpointId, this.options.now().getTime() + SET_ASIDE_MS);
      const attempts = await write(({ webhookDeliveries }) =>
        webhookDeliveries.claimDue(vendor, endpointId, { room, underWay }),
      );
      this.setAside.delete(endpointId);
      for (const attempt of attempts) this.track(vendor, endpoint, attempt);
      return attempts.length;
    });
  }

  private track(vendor: VendorRecord, endpoint: DueEndpoint, attempt: ClaimedAttempt): void {
    this.slots.take(endpoint);
    const running = this.runIsolated(vendor.id, () =>
      traceWork("webhook attempt", vendor.id, () => this.makeAttempt(vendor, attempt)),
    );
    this.attempts.add(running, () => this.slots.giveBack(endpoint));
  }

  /** Sends one message and records the answer. If the process dies in between, the attempt is repeated after its lease. */
  private async makeAttempt(vendor: VendorRecord, attempt: ClaimedAttempt): Promise<number> {
    const { eventId, body, endpoint, endpointId, number } = attempt;
    const startedAt = this.options.now();
    const from = performance.now();
    const headers = signatureHeaders({ id: eventId, sentAt: startedAt, body }, endpoint.secrets);
    const answer = await traceStep(
      () => ({ name: "webhook send", kind: "CLIENT" }),
      () => sendWebhook({ ...endpoint, headers: { ...headers, ...traceHeaders() }, body }, this.attempts.signal),
    );
    const result = { startedAt, durationMs: Math.round(performance.now() - from), ...answer };
    const { write } = this.options.contexts.createContext(vendor, "webhooks", workerCaller);
    await write(({ webhookDeliveries }) => webhookDeliveries.recordResult(vendor.id, attempt, result));
    const isDelivered = result.error === null;
    this.options.countAttempt?.(isDelivered);
    const ids = { vendorId: vendor.id, endpointId, eventId, traceId: currentTraceId() ?? undefined };
    const line = { ...ids, attempt: number, status: result.status };
    this.options.logger.info(
      { ...line, milliseconds: result.durationMs },
      isDelivered ? "webhook delivered" : "webhook failed",
    );
    return 1;
  }

  /** Runs work for a vendor, and logs its error. Those of aborted attempts are expected. */
  private runIsolated(vendorId: number, work: (vendor: VendorRecord) => Promise<number>): Promise<number> {
    return runForVendor(this.options.findVendor, vendorId, work, (error) => {
      if (!this.attempts.signal.aborted)
        this.options.logger.error({ vendorId, error: (error as Error).message }, "a webhook could not be delivered");
    });
  }
}
