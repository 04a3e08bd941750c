import type { PublishMethod } from "../../schema/vocabulary.ts";
import type { EventService } from "../events/event.service.ts";
import type { MessageComposerService } from "./message-composer.service.ts";
import type { MessageDocument, MessageParts, MessageVendor } from "./rendering/message.content.ts";
import { renderMessage } from "./rendering/message-renderer.ts";
import type { MessageRecord, MessageRepository, MessageValues } from "./message.repository.ts";
import { MAX_ATTEMPTS, nextAttemptAt } from "./message.schedule.ts";
import { messageStates, type MessageTrigger } from "./message.states.ts";
import type { MessageSettingsRecord, MessageSettingsRepository } from "./settings/message-settings.repository.ts";
import { toOneLine } from "./rendering/message.text.ts";

/** After this time another worker may repeat an attempt whose worker died. It is longer than an attempt can take. */
const LEASE_MS = 180_000;
const MAX_ERROR_LENGTH = 500;

/** An attempt to make, with all that it needs. */
export interface ClaimedMessage {
  message: MessageRecord;
  parts: MessageParts;
  /** The document to attach; null for none. */
  document: MessageDocument | null;
  sender: { name: string; replyTo: string | null };
}

/** What came of an attempt: a repeat may succeed after UNAVAILABLE, and cannot after REFUSED. */
export interface MessageResult {
  outcome: "SENT" | "REFUSED" | "UNAVAILABLE";
  error: string | null;
}

/** Sends queued messages: claims attempts and records their results. */
export class MessageDeliveryService {
  constructor(
    private readonly deps: {
      messageRepository: MessageRepository;
      messageSettingsRepository: MessageSettingsRepository;
      messageComposer: MessageComposerService;
      events: EventService;
      now: Date;
      realNow: Date;
    },
  ) {}

  /**
   * Claims messages whose attempt is due, with a lease. Those of a sandbox are marked as sent instead, because nothing leaves
   * a sandbox; those of a channel without a sender are canceled.
   * @returns the attempts to make, how many messages were handled, and the errors of those that could not be composed.
   */
  async claimDue(
    vendor: MessageVendor,
    { channels, limit }: { channels: ReadonlySet<PublishMethod>; limit: number },
  ): Promise<{ claimed: ClaimedMessage[]; handled: number; faults: unknown[] }> {
    const { messageRepository, messageSettingsRepository, realNow } = this.deps;
    const due = await messageRepository.lockDue(vendor.id, realNow, limit);
    if (due.length === 0) return { claimed: [], handled: 0, faults: [] };
    const settings = await messageSettingsRepository.read(vendor.id);
    const claimed: ClaimedMessage[] = [];
    const faults: unknown[] = [];
    for (const message of due) {
      try {
        const attempt = await this.claim(vendor, message, { channels, settings });
        if (attempt) claimed.push(attempt);
      } catch (error) {
        // A message that cannot be composed must not hold up the others. After an error of the database nothing is saved.
        faults.push(error);
        await this.deferFault(message);
      }
    }
    return { claimed, handled: due.length, faults };
  }

  /** Records the result of an attempt: the message ends, or is due again later. */
  async recordResult(
    vendorId: number,
    { id, attempts }: MessageRecord,
    { outcome, error }: MessageResult,
  ): Promise<void> {
    const { messageRepository, realNow } = this.deps;
    const message = await messageRepository.lock(vendorId, id);
    if (message?.state !== "SENDING") return;
    if (outcome === "SENT") return this.end(message, "deliverMessage", null);
    // After the end of a lease another worker may have begun the next attempt: then only a success counts.
    if (message.attempts !== attempts) return;
    const next = outcome === "REFUSED" ? undefined : nextAttemptAt(attempts, realNow, Math.random());
    if (!next) return this.end(message, "failMessage", error);
    await messageRepository.change(vendorId, id, {
      state: messageStates.transition(message.state, "deferMessage"),
      attemptAt: next,
      lastError: toStoredError(error),
    });
  }

  private async claim(
    vendor: MessageVendor,
    message: MessageRecord,
    { channels, settings }: { channels: ReadonlySet<PublishMethod>; settings: MessageSettingsRecord },
  ): Promise<ClaimedMessage | undefined> {
    const { messageRepository, messageComposer, realNow } = this.deps;
    const { channel, attempts, state } = message;
    if (!vendor.sandbox && !channels.has(channel))
      return this.end(message, "cancelMessage", `This installation has no sender for ${channel}.`);
    const composition = await messageComposer.compose(vendor, message, settings);
    if ("canceled" in composition) return this.end(message, "cancelMessage", composition.canceled);
    const parts = renderMessage(composition.content, channel);
    // Only e-mails have attachments.
    const document = (channel === "EMAIL" ? composition.document : undefined) ?? null;
    const claimed = await messageRepository.change(vendor.id, message.id, {
      ...parts,
      attachmentNames: document ? [document.fileName] : [],
      state: messageStates.transition(state, "claimMessage"),
      attempts: attempts + 1,
      attemptAt: new Date(realNow.getTime() + LEASE_MS),
    });
    if (claimed.recipient === "")
      return this.end(
        claimed,
        "failMessage",
        `The customer has no ${channel === "EMAIL" ? "e-mail address" : "phone number"}.`,
      );
    if (attempts >= MAX_ATTEMPTS) return this.end(claimed, "failMessage", "No attempt of a day had a result.");
    if (vendor.sandbox) return this.end(claimed, "deliverMessage", null);
    const { senderName, vendorName, replyTo, vendorEmail } = settings;
    return {
      message: claimed,
      parts,
      document,
      sender: { name: senderName || vendorName, replyTo: replyTo ?? (vendorEmail || null) },
    };
  }

  private async deferFault(message: MessageRecord): Promise<void> {
    const { messageRepository, realNow } = this.deps;
    const attempts = message.attempts + 1;
    const next = nextAttemptAt(attempts, realNow, Math.random());
    const error = "The message could not be composed. The log of the service has the reason.";
    const state = messageStates.transition(message.state, "claimMessage");
    const attemptAt = next ?? realNow;
    const claimed = await messageRepository.change(message.vendorId, message.id, { state, attempts, attemptAt });
    if (!next) return this.end(claimed, "failMessage", error);
    await messageRepository.change(message.vendorId, message.id, {
      state: messageStates.transition(claimed.state, "deferMessage"),
      lastError: error,
    });
  }

  /** Ends a message, and records the event of a success or a failure. */
  private async end(
    message: MessageRecord,
    trigger: Extract<MessageTrigger, "deliverMessage" | "failMessage" | "cancelMessage">,
    error: string | null,
  ): Promise<undefined> {
    const { messageRepository, messageComposer, events, now } = this.deps;
    const { vendorId, id, kind, channel, subject, subjectId } = message;
    const { customerId, orderId, subscriptionId, coverId } = message;
    const values: Partial<MessageValues> = {
      state: messageStates.transition(message.state, trigger),
      attemptAt: null,
      endedAt: now,
      lastError: toStoredError(error),
    };
    const ended = await messageRepository.change(vendorId, id, values);
    if (trigger === "cancelMessage") return;
    await events.recordEvents(vendorId, {
      ...{ subject, subjectId, customerId, orderId, subscriptionId, coverId, trigger },
      statusBefore: message.state,
      statusAfter: ended.state,
      reason: ended.lastError,
      facts: { messageId: id, kind, channel },
    });
    if (trigger === "failMessage") await messageComposer.handleFailure(vendorId, ended);
  }
}

const toStoredError = (error: string | null): string | null =>
  error === null ? null : toOneLine(error).slice(0, MAX_ERROR_LENGTH);
