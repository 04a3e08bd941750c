import { workerCaller } from "../vendors/people/caller.ts";
import type { PublishMethod } from "../../schema/vocabulary.ts";
import { traceWork } from "../kernel/tracing.ts";
import { required } from "../kernel/required-values.ts";
import { keysOf } from "../kernel/typed-records.ts";
import { renderDocument } from "../notifications/rendering/document-renderer.ts";
import type { MessageDocument } from "../notifications/rendering/message.content.ts";
import type { ClaimedMessage } from "../notifications/message-delivery.service.ts";
import type { MessageAttachment, MessageSender } from "../notifications/senders/message-port.ts";
import type { MessageSenders } from "../notifications/senders/message-senders.ts";
import type { VendorRecord } from "../vendors/vendor.repository.ts";
import { AttemptsInProgress } from "./attempts-in-progress.ts";
import { TurnLoop } from "./turn-loop.ts";
import { runForVendor, type VendorWorkOptions } from "./vendor-work.ts";

/** The dependencies of a dispatcher. */
interface MessageDispatcherOptions extends VendorWorkOptions {
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

/**
 * Queues messages for new events and sends those that are due, in a loop of its own: mail servers may take seconds to
 * answer, which must delay neither charges nor webhooks. Any number of workers may run it, because each attempt is claimed
 * with a lease. Vendors take turns, each with a few attempts at a time.
 */
export class MessageDispatcher {
  private readonly loop: TurnLoop;
  private readonly attempts = new AttemptsInProgress();
  private readonly countsByVendor = new Map<number, number>();
  private readonly channels: ReadonlySet<PublishMethod>;
  private lastVendorId = 0;

  /** @param options `now` is the real time. */
  constructor(private readonly options: MessageDispatcherOptions) {
    this.channels = new Set(keysOf(options.senders as Readonly<Record<PublishMethod, MessageSender>>));
    this.loop = new TurnLoop({
      runTurn: () => this.runTurn(),
      pauseMsAfter: (handled) => (handled > 0 ? 0 : IDLE_MS),
      afterFaultMs: AFTER_FAULT_MS,
      logger: options.logger,
      faultMessage: "the search for due messages failed",
    });
  }

  start(): void {
    this.loop.start();
  }

  /** Stops the loop, and waits some seconds for the attempts in progress. */
  stop(): Promise<void> {
    return this.attempts.stopAfter(this.loop.stop());
  }

  /** Queues messages of new events, and begins due attempts as far as there is room. @returns what was read and handled. */
  async runTurn(): Promise<number> {
    const { dueVendors, now } = this.options;
    let handled = 0;
    for (const vendorId of await dueVendors.vendorsWithUnreadMessageEvents(MAX_VENDORS)) {
      if (this.loop.isStopping) break;
      handled += await this.readNextEvents(vendorId);
    }
    for (const vendorId of this.inTurn(await dueVendors.vendorsWithDueMessages(now()))) {
      if (this.loop.isStopping || this.attempts.size >= MAX_ATTEMPTS) break;
      handled += await this.beginAttempts(vendorId);
      this.lastVendorId = vendorId;
    }
    return handled;
  }

  /** Waits until no attempt is in progress. */
  waitForAttempts(): Promise<void> {
    return this.attempts.waitForAll();
  }

  /** The vendors after the one that was served last come first, so that no vendor is served twice before the others. */
  private inTurn(vendorIds: readonly number[]): number[] {
    const later = vendorIds.filter((id) => id > this.lastVendorId);
    return [...later, ...vendorIds.filter((id) => id <= this.lastVendorId)];
  }

  private readNextEvents(vendorId: number): Promise<number> {
    return this.runIsolated(vendorId, (vendor) => {
      const { write } = this.options.contexts.createContext(vendor, "messages", workerCaller);
      return write(({ messageEventReader }) => messageEventReader.readNextEvents(vendorId, EVENT_BATCH_SIZE));
    });
  }

  private beginAttempts(vendorId: number): Promise<number> {
    return this.runIsolated(vendorId, async (vendor) => {
      const room = Math.min(
        MAX_ATTEMPTS - this.attempts.size,
        MAX_ATTEMPTS_PER_VENDOR - (this.countsByVendor.get(vendorId) ?? 0),
      );
      const limit = vendor.sandbox ? MAX_CLAIMED : room;
      if (limit <= 0) return 0;
      const { write } = this.options.contexts.createContext(vendor, "messages", workerCaller);
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
    const running = this.runIsolated(vendor.id, () =>
      traceWork("message attempt", vendor.id, () => this.makeAttempt(vendor, claimed)),
    );
    this.attempts.add(running, () => changeCount(-1));
  }

  /** Sends one message and records the result. If the process dies in between, the attempt is repeated after its lease. */
  private async makeAttempt(vendor: VendorRecord, claimed: ClaimedMessage): Promise<number> {
    const { message } = claimed;
    const sender = required(this.options.senders[message.channel], message.channel);
    const attachments = claimed.document ? [await toAttachment(claimed.document)] : [];
    const result = await sender.send({ ...claimed, attachments }, this.attempts.signal);
    const { write } = this.options.contexts.createContext(vendor, "messages", workerCaller);
    await write(({ messageDelivery }) => messageDelivery.recordResult(vendor.id, message, result));
    return 1;
  }

  /** Runs work for a vendor, and logs its error. Those of aborted attempts are expected. */
  private runIsolated(vendorId: number, work: (vendor: VendorRecord) => Promise<number>): Promise<number> {
    return runForVendor(this.options.findVendor, vendorId, work, (error) => {
      if (!this.attempts.signal.aborted) this.logFault(vendorId, error);
    });
  }

  private logFault(vendorId: number, error: unknown): void {
    this.options.logger.error({ vendorId, error: (error as Error).message }, "a message could not be handled");
  }
}

const toAttachment = async (document: MessageDocument): Promise<MessageAttachment> => ({
  name: document.fileName,
  contentType: "application/pdf",
  content: await renderDocument(document),
});
