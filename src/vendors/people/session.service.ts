import { createHash } from "node:crypto";
import type { PersonRole } from "../../../schema/vocabulary.ts";
import { newTokenText } from "../../kernel/cell-numbers.ts";
import { denied } from "../../kernel/refusals.ts";
import type { VendorRecord } from "../vendor.repository.ts";
import type { FoundSession, SessionRepository } from "./session.repository.ts";

const MINUTE_MS = 60_000;

/** A session that is not used for this time ends. */
const IDLE_LIMIT_MS = 60 * MINUTE_MS;

/** A session ends after this time, however often it is used. */
export const SESSION_LIFETIME_MS = 12 * 60 * MINUTE_MS;

/** A use is saved at most once in this time. */
const USE_INTERVAL_MS = MINUTE_MS;

/** No token of ours is longer. */
const MAX_TOKEN_LENGTH = 128;

const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();

/** The person and the vendor that a session acts for. */
export interface SessionOwner {
  sessionId: number;
  personId: number;
  role: PersonRole;
  vendor: VendorRecord;
}

const sessionEnded = () => denied("SESSION_ENDED", "The session has ended. Sign in again.");

/** Starts, checks and ends the sessions of people in the console. Its times are real ones. */
export class SessionService {
  constructor(
    private readonly deps: {
      sessionRepository: SessionRepository;
      realNow: Date;
    },
  ) {}

  /** Starts a session and returns its token, which is not stored. The person's sessions that have ended are deleted. */
  async start(vendorId: number, personId: number): Promise<string> {
    const { sessionRepository, realNow: now } = this.deps;
    const token = newTokenText(vendorId);
    const idleSince = new Date(now.getTime() - IDLE_LIMIT_MS);
    await sessionRepository.removeEnded(vendorId, personId, { at: now, idleSince });
    await sessionRepository.add(vendorId, {
      managerId: personId,
      hash: hashToken(token),
      createdAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + SESSION_LIFETIME_MS),
    });
    return token;
  }

  /**
   * Finds the owner of a session, and saves that it was used.
   * @throws a Refusal SESSION_ENDED if there is no such session, it expired, or its person or vendor is disabled.
   */
  async authenticate(token: string): Promise<SessionOwner> {
    const { sessionRepository, realNow: now } = this.deps;
    const found = await this.find(token);
    if (!found || !this.isActive(found)) throw sessionEnded();
    const { session, person, vendor } = found;
    if (now.getTime() - session.lastSeenAt.getTime() >= USE_INTERVAL_MS)
      await sessionRepository.saveUse(vendor.id, session.id, now);
    return { sessionId: session.id, personId: person.id, role: person.role, vendor };
  }

  /** Deletes expired sessions of a vendor. @returns how many. */
  removeExpired(vendorId: number, limit: number): Promise<number> {
    return this.deps.sessionRepository.removeExpired(vendorId, this.deps.realNow, limit);
  }

  /** Ends the session of a token, if there is one. */
  async end(token: string): Promise<void> {
    const found = await this.find(token);
    if (found) await this.deps.sessionRepository.remove(found.vendor.id, found.session.id);
  }

  private async find(token: string): Promise<FoundSession | undefined> {
    return token.length > MAX_TOKEN_LENGTH ? undefined : this.deps.sessionRepository.find(hashToken(token));
  }

  private isActive({ session, person, vendor }: FoundSession): boolean {
    const now = this.deps.realNow.getTime();
    return (
      now < session.expiresAt.getTime() &&
      now - session.lastSeenAt.getTime() < IDLE_LIMIT_MS &&
      person.isEnabled &&
      vendor.enabled
    );
  }
}
