import { and, eq, lte, ne, or, sql } from "drizzle-orm";
import { managers, sessions, vendors } from "../../../schema/tables/index.ts";
import type { PersonRole } from "../../../schema/vocabulary.ts";
import type { Handle } from "../../database/client.ts";
import { dueRowsOf, timestamp, type DueRows } from "../../database/due-rows.ts";
import { preparedStatement } from "../../database/prepared-statements.ts";
import { parentJoin, vendorColumns, type VendorRecord } from "../vendor.repository.ts";

export type SessionRecord = typeof sessions.$inferSelect;

/** A session with the person and the vendor that it acts for. */
export interface FoundSession {
  session: Pick<SessionRecord, "id" | "lastSeenAt" | "expiresAt">;
  person: { id: number; role: PersonRole; isEnabled: boolean };
  vendor: VendorRecord;
}

const sessionStatement = preparedStatement((db) =>
  db
    .select({
      session: { id: sessions.id, lastSeenAt: sessions.lastSeenAt, expiresAt: sessions.expiresAt },
      person: { id: managers.id, role: managers.role, isEnabled: managers.enabled },
      vendor: vendorColumns,
    })
    .from(sessions)
    .innerJoin(managers, and(eq(managers.vendorId, sessions.vendorId), eq(managers.id, sessions.managerId)))
    .innerJoin(vendors, eq(vendors.id, sessions.vendorId))
    .leftJoin(parentJoin.table, parentJoin.on)
    .where(eq(sessions.hash, sql.placeholder("hash"))),
);

/** Sessions that expired. */
export const expiredSessions: DueRows = {
  table: sessions,
  isDue: (at) => sql`${sessions.expiresAt} <= ${at}`,
};

/** Queries for the sessions of people in the console. */
export class SessionRepository {
  constructor(private readonly db: Handle) {}

  /** Finds the session of a token by its hash. The vendor is not known before: the query names none. */
  async find(hash: Buffer): Promise<FoundSession | undefined> {
    const [found] = await sessionStatement(this.db, { hash });
    return found;
  }

  async add(vendorId: number, values: Omit<typeof sessions.$inferInsert, "id" | "vendorId">): Promise<void> {
    await this.db.insert(sessions).values({ vendorId, ...values });
  }

  /** Saves that a session was used, unless a later use was saved meanwhile. */
  async saveUse(vendorId: number, id: number, at: Date): Promise<void> {
    await this.db
      .update(sessions)
      .set({ lastSeenAt: at })
      .where(and(eq(sessions.vendorId, vendorId), eq(sessions.id, id), lte(sessions.lastSeenAt, at)));
  }

  async remove(vendorId: number, id: number): Promise<void> {
    await this.db.delete(sessions).where(and(eq(sessions.vendorId, vendorId), eq(sessions.id, id)));
  }

  /** Deletes expired sessions of a vendor, at most `limit`. @returns how many. */
  async removeExpired(vendorId: number, now: Date, limit: number): Promise<number> {
    const expired = this.db
      .select({ id: sessions.id })
      .from(sessions)
      .where(dueRowsOf(expiredSessions, vendorId, timestamp(now)))
      .orderBy(sessions.expiresAt, sessions.id)
      .limit(limit);
    const removed = await this.db
      .delete(sessions)
      .where(and(eq(sessions.vendorId, vendorId), sql`${sessions.id} in ${expired}`))
      .returning({ id: sessions.id });
    return removed.length;
  }

  /** Deletes the sessions of a person, except for one. */
  async removeOthers(vendorId: number, managerId: number, keptId: number): Promise<void> {
    await this.db
      .delete(sessions)
      .where(and(eq(sessions.vendorId, vendorId), eq(sessions.managerId, managerId), ne(sessions.id, keptId)));
  }

  /** Deletes all sessions of a person. */
  async removeAll(vendorId: number, managerId: number): Promise<void> {
    await this.db.delete(sessions).where(and(eq(sessions.vendorId, vendorId), eq(sessions.managerId, managerId)));
  }

  /** Deletes a person's sessions that expired by `at`, or were last used by `idleSince`. */
  async removeEnded(vendorId: number, managerId: number, { at, idleSince }: { at: Date; idleSince: Date }) {
    await this.db
      .delete(sessions)
      .where(
        and(
          eq(sessions.vendorId, vendorId),
          eq(sessions.managerId, managerId),
          or(lte(sessions.expiresAt, at), lte(sessions.lastSeenAt, idleSince)),
        ),
      );
  }
}
