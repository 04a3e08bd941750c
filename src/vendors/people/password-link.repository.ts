import { and, eq, gt, sql } from "drizzle-orm";
import { managers, passwordLinks, vendors } from "../../../schema/tables/index.ts";
import type { PasswordLinkPurpose } from "../../../schema/vocabulary.ts";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";
import { dueRowsOf, timestamp, type DueRows } from "../../database/due-rows.ts";

/** A link whose mail is to be sent, with its recipient. */
export interface DuePasswordLink {
  id: number;
  uuid: string;
  purpose: PasswordLinkPurpose;
  attempts: number;
  recipient: string;
}

/** Links whose mail is due. */
export const duePasswordLinks: DueRows = {
  table: passwordLinks,
  isDue: (at) => sql`${passwordLinks.sendAt} <= ${at}`,
};

/** Queries for links by which people set a new password. */
export class PasswordLinkRepository {
  constructor(private readonly db: Handle) {}

  /** Makes a new link for a person, in place of the one before. */
  async replace(
    vendorId: number,
    managerId: number,
    values: Omit<typeof passwordLinks.$inferInsert, "id" | "vendorId" | "managerId">,
  ): Promise<void> {
    const link = { hash: null, ...values, attempts: 0 };
    await this.db
      .insert(passwordLinks)
      .values({ vendorId, managerId, ...link })
      .onConflictDoUpdate({ target: [passwordLinks.vendorId, passwordLinks.managerId], set: link });
  }

  /** Locks a link whose mail is due. Rows that another worker has locked are skipped. */
  async lockDue(vendorId: number, now: Date): Promise<DuePasswordLink | undefined> {
    const [due] = await this.db
      .select({
        id: passwordLinks.id,
        uuid: passwordLinks.uuid,
        purpose: passwordLinks.purpose,
        attempts: passwordLinks.attempts,
        recipient: managers.username,
      })
      .from(passwordLinks)
      .innerJoin(managers, and(eq(managers.vendorId, vendorId), eq(managers.id, passwordLinks.managerId)))
      .where(dueRowsOf(duePasswordLinks, vendorId, timestamp(now)))
      .orderBy(passwordLinks.sendAt)
      .limit(1)
      .for("no key update", { of: passwordLinks, skipLocked: true });
    return due;
  }

  /** Changes a link, unless a newer request replaced it. */
  async change(
    vendorId: number,
    { id, uuid }: { id: number; uuid: string },
    values: Partial<Pick<typeof passwordLinks.$inferInsert, "hash" | "sendAt" | "attempts">>,
  ): Promise<void> {
    await this.db
      .update(passwordLinks)
      .set(values)
      .where(and(eq(passwordLinks.vendorId, vendorId), eq(passwordLinks.id, id), eq(passwordLinks.uuid, uuid)));
  }

  /** The times of the invitations of people, by person. */
  async invitationsOf(
    vendorId: number,
    managerIds: readonly number[],
  ): Promise<Map<number, { createdAt: Date; expiresAt: Date }>> {
    const rows = await this.db
      .select({
        managerId: passwordLinks.managerId,
        createdAt: passwordLinks.createdAt,
        expiresAt: passwordLinks.expiresAt,
      })
      .from(passwordLinks)
      .where(
        and(
          eq(passwordLinks.vendorId, vendorId),
          idIsOneOf(passwordLinks.managerId, managerIds),
          eq(passwordLinks.purpose, "INVITATION"),
        ),
      );
    return new Map(rows.map(({ managerId, ...times }) => [managerId, times]));
  }

  /** Finds the person of a link by its token's hash, if it has not expired. The vendor is not known before. */
  async findPerson(
    hash: Buffer,
    now: Date,
  ): Promise<{ vendorId: number; managerId: number; passwordHash: string } | undefined> {
    const [found] = await this.db
      .select({
        vendorId: passwordLinks.vendorId,
        managerId: passwordLinks.managerId,
        passwordHash: managers.passwordHash,
      })
      .from(passwordLinks)
      .innerJoin(managers, and(eq(managers.vendorId, passwordLinks.vendorId), eq(managers.id, passwordLinks.managerId)))
      .innerJoin(vendors, eq(vendors.id, passwordLinks.vendorId))
      .where(
        and(
          eq(passwordLinks.hash, hash),
          gt(passwordLinks.expiresAt, now),
          eq(managers.enabled, true),
          eq(vendors.enabled, true),
        ),
      );
    return found;
  }

  /** Makes a person's link unusable, and sends no mail with it. */
  async withdraw(vendorId: number, managerId: number): Promise<void> {
    await this.db
      .update(passwordLinks)
      .set({ hash: null, sendAt: null })
      .where(and(eq(passwordLinks.vendorId, vendorId), eq(passwordLinks.managerId, managerId)));
  }

  /** Uses a link up. @returns whether this caller was the one that used it. */
  async useUp(vendorId: number, managerId: number, hash: Buffer): Promise<boolean> {
    const used = await this.db
      .update(passwordLinks)
      .set({ hash: null, sendAt: null })
      .where(
        and(eq(passwordLinks.vendorId, vendorId), eq(passwordLinks.managerId, managerId), eq(passwordLinks.hash, hash)),
      )
      .returning({ id: passwordLinks.id });
    return used.length > 0;
  }
}
