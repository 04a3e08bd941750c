import { setTimeout as wait } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { PublishMethod } from "../../schema/vocabulary.ts";
import type { ContextFactory } from "../graphql/context.ts";
import { runAsParty } from "../kernel/current-party.ts";
import { required } from "../kernel/required-values.ts";
import { keysOf } from "../kernel/typed-records.ts";
import { renderDocument } from "../notifications/rendering/document-renderer.ts";
import type { MessageDocument } from "../notifications/rendering/message.content.ts";
import type { ClaimedMessage } from "../notifications/message-delivery.service.ts";
import type { MessageAttachment, MessageSender } from "../notifications/senders/message-port.ts";
import type { MessageSenders } from "../notifications/senders/message-senders.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import type { DueVendorRepository } from "./due-vendor.repository.ts";

/** The dependencies of a dispatcher. */
interface MessageDispatcherOptions {
  contexts: ContextFactory;
  dueVendors: DueVendorRepository;
  findVendor: (id: number) => Promise<VendorRecord | undefined>;
  /** The real time. */
  now: () => Date;
  logger: FastifyBaseLogger;
  senders: MessageSenders;
}

/** Attempts of this process that are in progress at the same time. */
const MAX_ATTEMPTS = 32;
const MAX_ATTEMPTS_PER_VENDOR = 4;
/** Messages that one transaction claims, if they are not sent but end in it. */
const MAX_CLAIMED = 20;
const MAX_VENDORS = 100;
const EVENT_BATCH_SIZE = 100;
const IDLE_MS = 500;
const AFTER_FAULT_MS = 5_000;
/** The time that attempts in progress get when the process stops. The others are repeated after their lease. */
const STOP_MS = 5_000;

/**
 * Queues messages for new events and sends those that are due, in a loop of its own: mail servers may take seconds to
 * answer, which must delay neither charges nor webhooks. Any number of workers may run it, because each attempt is claimed
 * with a lease. Vendors take turns, each with a few attempts at a time.
 */
export class MessageDispatcher {
  private running: Promise<void> | undefined;
  private readonly stopping = new AbortController();
  private readonly aborting = new AbortController();
  private readonly inProgress = new Set<Promise<void>>();
  private readonly countsByVendor = new Map<number, number>();
  private readonly channels: ReadonlySet<PublishMethod>;
  private lastVendorId = 0;

  constructor(private readonly options: MessageDispatcherOptions) {
    this.channels = new Set(keysOf(options.senders as Readonly<Record<PublishMethod, MessageSender>>));
  }

  start(): void {
    this.running = this.runLoop();
  }

  /** Stops the loop, and waits some seconds for the attempts in progress. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const abort = setTimeout(() => this.aborting.abort(), STOP_MS);
    await this.running;
    await this.waitForAttempts();
    clearTimeout(abort);
  }

  /** Queues messages of new events, and begins due attempts as far as there is room. @returns what was read and handled. */
  async runTurn(): Promise<number> {
    const { dueVendors, now } = this.options;
    let handled = 0;
    for (const vendorId of await dueVendors.vendorsWithUnreadMessageEvents(MAX_VENDORS)) {
      if (this.stopping.signal.aborted) break;
      handled += await this.readNextEvents(vendorId);
    }
    for (const vendorId of this.inTurn(await dueVendors.vendorsWithDueMessages(now()))) {
      if (this.stopping.signal.aborted || this.inProgress.size >= MAX_ATTEMPTS) break;
      handled += await this.beginAttempts(vendorId);
      this.lastVendorId = vendorId;
    }
    return handled;
  }

  /** Waits until no attempt is in progress. */
  async waitForAttempts(): Promise<void> {
    await Promise.all(this.inProgress);
  }

  /** The vendors after the one that was served last come first, so that no vendor is served twice before the others. */
  private inTurn(vendorIds: readonly number[]): number[] {
    const later = vendorIds.filter((id) => id > this.lastVendorId);
    return [...later, ...vendorIds.filter((id) => id <= this.lastVendorId)];
  }

  private readNextEvents(vendorId: number): Promise<number> {
    return this.runIsolated(vendorId, (vendor) => {
      const { write } = this.options.contexts.createContext(vendor, "messages");
      return write(({ messageEventReader }) => messageEventReader.readNextEvents(vendorId, EVENT_BATCH_SIZE));
    });
  }

  private beginAttempts(vendorId: number): Promise<number> {
    return this.runIsolated(vendorId, async (vendor) => {
      const room = Math.min(
        MAX_ATTEMPTS - this.inProgress.size,
        MAX_ATTEMPTS_PER_VENDOR - (this.countsByVendor.get(vendorId) ?? 0),
      );
      const limit = vendor.sandbox ? MAX_CLAIMED : room;
      if (limit <= 0) return 0;
      const { write } = this.options.contexts.createContext(vendor, "messages");
      const { channels } = this;
      const { claimed, handled, faults } = await write(({ messageDelivery }) =>
        messageDelivery.claimDue(vendor, { channels, limit }),
      );
      for (const fault of faults) this.logFault(vendorId, fault);
      for (const message of claimed) this.track(vendor, message);
      return handled;
    });
  }

  private track(vendor: VendorRecord, claimed: ClaimedMessage): void {
    const changeCount = (by: number) => {
      const count = (this.countsByVendor.get(vendor.id) ?? 0) + by;
      if (count === 0) this.countsByVendor.delete(vendor.id);
      else this.countsByVendor.set(vendor.id, count);
    };
    changeCount(1);
    const running: Promise<void> = this.runIsolated(vendor.id, () => this.makeAttempt(vendor, claimed)).then(() => {
      changeCount(-1);
      this.inProgress.delete(running);
    });
    this.inProgress.add(running);
  }

  /** Sends one message and records the result. If the process dies in between, the attempt is repeated after its lease. */
  private async makeAttempt(vendor: VendorRecord, claimed: ClaimedMessage): Promise<number> {
    const { message } = claimed;
    const sender = required(this.options.senders[message.channel], message.channel);
    const attachments = claimed.document ? [await toAttachment(claimed.document)] : [];
    const result = await sender.send({ ...claimed, attachments }, this.aborting.signal);
    const { write } = this.options.contexts.createContext(vendor, "messages");
    await write(({ messageDelivery }) => messageDelivery.recordResult(vendor.id, message, result));
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
      if (!this.aborting.signal.aborted) this.logFault(vendorId, error);
      return 0;
    }
  }

  private logFault(vendorId: number, error: unknown): void {
    this.options.logger.error({ vendorId, error: (error as Error).message }, "a message could not be handled");
  }

  private async runLoop(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      let idleMs = IDLE_MS;
      try {
        if ((await this.runTurn()) > 0) idleMs = 0;
      } catch (error) {
        this.options.logger.error({ error: (error as Error).message }, "the search for due messages failed");
        idleMs = AFTER_FAULT_MS;
      }
      if (idleMs > 0) await wait(idleMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

const toAttachment = async (document: MessageDocument): Promise<MessageAttachment> => ({
  name: document.fileName,
  contentType: "application/pdf",
  content: await renderDocument(document),
});
