import { randomUUID } from "node:crypto";
import type { MessageKind } from "../../schema/vocabulary.ts";
import type { MessageRecord, MessageRepository, MessageSubject, MessageValues } from "./message.repository.ts";
import { messageStates } from "./message.states.ts";
import type { MessageSettingsRepository } from "./settings/message-settings.repository.ts";

/** A message to queue. */
export type QueuedMessage = Pick<
  MessageValues,
  "kind" | "channel" | "recipient" | "language" | "subject" | "subjectId" | "occurrence"
> &
  Partial<
    Pick<MessageValues, "customerId" | "orderId" | "subscriptionId" | "invoiceId" | "coverId" | "facts" | "dueAt">
  >;

/** Queues messages to customers, once for each occurrence, and withdraws them. */
export class MessageService {
  constructor(
    private readonly deps: {
      messageRepository: MessageRepository;
      messageSettingsRepository: MessageSettingsRepository;
      now: Date;
      realNow: Date;
    },
  ) {}

  /**
   * Queues a message in the transaction of its caller. Undefined if the vendor does not send its kind, or if it was queued
   * before. `dueAt` is by the vendor's clock; it defaults to now.
   */
  async queueMessage(
    vendorId: number,
    { dueAt, facts, ...message }: QueuedMessage,
  ): Promise<MessageRecord | undefined> {
    const { messageRepository, messageSettingsRepository, now, realNow } = this.deps;
    const { disabledKinds } = await messageSettingsRepository.read(vendorId);
    if (disabledKinds.includes(message.kind)) return undefined;
    return messageRepository.add(vendorId, {
      ...message,
      uuid: randomUUID(),
      state: "QUEUED",
      facts: facts ?? {},
      dueAt: dueAt ?? now,
      attemptAt: dueAt === undefined || dueAt <= now ? realNow : null,
      createdAt: now,
    });
  }

  /**
   * Withdraws messages about a subject that no worker has begun to send, but for those of an occurrence that still counts.
   * @returns how many.
   */
  async cancelQueued(
    vendorId: number,
    subject: MessageSubject,
    { kinds, exceptFor, reason }: { kinds: readonly MessageKind[]; exceptFor?: string; reason: string },
  ): Promise<number> {
    const { messageRepository, now } = this.deps;
    const queued = await messageRepository.lockQueued(vendorId, subject, { kinds, exceptFor });
    for (const { id, state } of queued)
      await messageRepository.change(vendorId, id, {
        state: messageStates.transition(state, "cancelMessage"),
        lastError: reason,
        attemptAt: null,
        endedAt: now,
      });
    return queued.length;
  }

  /** Makes messages due whose time has come by the vendor's clock. @returns how many. */
  releaseDue(vendorId: number, limit: number): Promise<number> {
    return this.deps.messageRepository.release(vendorId, this.deps, limit);
  }

  /** Deletes messages that ended longer ago than they are kept. @returns how many. */
  removeExpired(vendorId: number, limit: number): Promise<number> {
    return this.deps.messageRepository.removeExpired(vendorId, this.deps.realNow, limit);
  }
}
