import { and, eq, isNotNull, lte, ne, sql } from "drizzle-orm";
import { messages } from "../../schema/tables/index.ts";
import type { EventSubject, MessageKind, MessageState, PublishMethod } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { idIsOneOf, isOneOf, whenGiven } from "../database/conditions.ts";
import { dueRowsOf, interval, timestamp, type DueRows } from "../database/due-rows.ts";
import { lockRow, updateRow } from "../database/prepared-statements.ts";
import { retentionMs } from "../kernel/retention.ts";
import { RecordList } from "../database/lists/record-list.ts";
import { firstRow } from "../database/rows.ts";

export type MessageRecord = typeof messages.$inferSelect;
export type MessageValues = Omit<typeof messages.$inferInsert, "vendorId" | "id">;

/** The filter of the outbox. */
export interface MessageFilter {
  kind?: MessageKind | null;
  channel?: PublishMethod | null;
  state?: MessageState | null;
  customerId?: number | undefined;
}

/** A subject of messages, such as an invoice. */
export interface MessageSubject {
  subject: EventSubject;
  subjectId: number;
}

/** Messages whose time has come. */
export const waitingMessages: DueRows = {
  table: messages,
  isDue: (at) => sql`${messages.state} = 'QUEUED' and ${messages.attemptAt} is null and ${messages.dueAt} <= ${at}`,
};

/** Messages that ended longer ago than they are kept. */
export const expiredMessages: DueRows = {
  table: messages,
  isDue: (at) => sql`${messages.endedAt} < ${at} - ${interval(retentionMs("messages"))}`,
};

/** Queries for messages to customers. */
export class MessageRepository {
  readonly list: RecordList<MessageRecord, MessageFilter, "CREATED_AT", never>;

  constructor(private readonly db: Handle) {
    this.list = new RecordList(db, {
      table: messages,
      sorts: { CREATED_AT: messages.createdAt },
      parentConditions: {},
      filterCondition: ({ kind, channel, state, customerId }) =>
        and(
          whenGiven(kind, (word) => eq(messages.kind, word)),
          whenGiven(channel, (word) => eq(messages.channel, word)),
          whenGiven(state, (word) => eq(messages.state, word)),
          whenGiven(customerId, (id) => eq(messages.customerId, id)),
        ),
    });
  }

  byIds(vendorId: number, ids: readonly number[]): Promise<MessageRecord[]> {
    return this.db
      .select()
      .from(messages)
      .where(and(eq(messages.vendorId, vendorId), idIsOneOf(messages.id, ids)));
  }

  /** Adds a message. Undefined if there is one of its kind, subject, occurrence, channel and recipient. */
  async add(vendorId: number, values: MessageValues): Promise<MessageRecord | undefined> {
    const [added] = await this.db
      .insert(messages)
      .values({ vendorId, ...values })
      .onConflictDoNothing()
      .returning();
    return added;
  }

  /** The message, locked until the transaction ends. */
  async lock(vendorId: number, id: number): Promise<MessageRecord | undefined> {
    const [message] = await lockRow(this.db, messages, vendorId, id);
    return message;
  }

  async change(vendorId: number, id: number, values: Partial<MessageValues>): Promise<MessageRecord> {
    return firstRow(await updateRow(this.db, messages, vendorId, id, values));
  }

  /** Makes messages due whose time has come. Rows that another worker has locked are skipped. @returns how many. */
  async release(vendorId: number, { now, realNow }: { now: Date; realNow: Date }, limit: number): Promise<number> {
    const due = this.db
      .select({ id: messages.id })
      .from(messages)
      .where(dueRowsOf(waitingMessages, vendorId, timestamp(now)))
      .orderBy(messages.dueAt, messages.id)
      .limit(limit)
      .for("no key update", { skipLocked: true });
    const released = await this.db
      .update(messages)
      .set({ attemptAt: realNow })
      .where(and(eq(messages.vendorId, vendorId), sql`${messages.id} in ${due}`))
      .returning({ id: messages.id });
    return released.length;
  }

  /** Locks messages whose attempt is due, or whose lease has ended. Rows that another worker has locked are skipped. */
  lockDue(vendorId: number, realNow: Date, limit: number): Promise<MessageRecord[]> {
    return this.db
      .select()
      .from(messages)
      .where(and(eq(messages.vendorId, vendorId), isNotNull(messages.attemptAt), lte(messages.attemptAt, realNow)))
      .orderBy(messages.attemptAt, messages.id)
      .limit(limit)
      .for("no key update", { skipLocked: true });
  }

  /** Locks messages about a subject of some kinds that no worker has begun to send, in the order of their ids. */
  lockQueued(
    vendorId: number,
    { subject, subjectId }: MessageSubject,
    { kinds, exceptFor }: { kinds: readonly MessageKind[]; exceptFor: string | undefined },
  ): Promise<MessageRecord[]> {
    return this.db
      .select()
      .from(messages)
      .where(
        and(
          eq(messages.vendorId, vendorId),
          eq(messages.subject, subject),
          eq(messages.subjectId, subjectId),
          isOneOf(messages.kind, kinds),
          whenGiven(exceptFor, (occurrence) => ne(messages.occurrence, occurrence)),
          eq(messages.state, "QUEUED"),
        ),
      )
      .orderBy(messages.id)
      .for("no key update");
  }

  /** The states of all messages about a subject for one occurrence. */
  async statesOf(
    vendorId: number,
    { subject, subjectId, kind, occurrence }: MessageSubject & { kind: MessageKind; occurrence: string },
  ): Promise<MessageState[]> {
    const rows = await this.db
      .selectDistinct({ state: messages.state })
      .from(messages)
      .where(
        and(
          eq(messages.vendorId, vendorId),
          eq(messages.subject, subject),
          eq(messages.subjectId, subjectId),
          eq(messages.kind, kind),
          eq(messages.occurrence, occurrence),
        ),
      );
    return rows.map(({ state }) => state);
  }

  /** Deletes messages that ended longer ago than they are kept. @returns how many. */
  async removeExpired(vendorId: number, realNow: Date, limit: number): Promise<number> {
    const expired = this.db
      .select({ id: messages.id })
      .from(messages)
      .where(dueRowsOf(expiredMessages, vendorId, timestamp(realNow)))
      .limit(limit);
    const removed = await this.db
      .delete(messages)
      .where(and(eq(messages.vendorId, vendorId), sql`${messages.id} in ${expired}`))
      .returning({ id: messages.id });
    return removed.length;
  }
}
