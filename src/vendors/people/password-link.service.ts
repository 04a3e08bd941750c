import { createHash, randomUUID } from "node:crypto";
import type { PasswordLinkPurpose } from "../../../schema/vocabulary.ts";
import type { EventService } from "../../events/event.service.ts";
import { newTokenText } from "../../kernel/cell-numbers.ts";
import { hashPassword, NO_PASSWORD } from "../../kernel/secrets/password-hash.ts";
import { denied, overLimit } from "../../kernel/refusals.ts";
import type { DuePasswordLink, PasswordLinkRepository } from "./password-link.repository.ts";
import type { PersonRepository } from "./person.repository.ts";
import type { SessionRepository } from "./session.repository.ts";
import type { SignInRepository } from "./sign-in.repository.ts";

const MINUTE_MS = 60_000;

/** A link to set a new password can be used for this time. */
const RESET_LIFETIME_MS = 60 * MINUTE_MS;

/** The link of a new person can be used for this time. */
const INVITATION_LIFETIME_MS = 7 * 24 * 60 * MINUTE_MS;

/** After this time another worker may repeat an attempt whose worker died. It is longer than an attempt can take. */
const LEASE_MS = 3 * MINUTE_MS;

/** The last attempt follows the first after about a quarter of an hour. */
const MAX_ATTEMPTS = 5;

/** Accounts of one e-mail address that get a mail. */
const MAX_ACCOUNTS = 8;

const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();

/** The mail of a link, with the address that only the mail may contain. */
export interface ClaimedPasswordLink extends DuePasswordLink {
  url: string;
}

/** The console's page of a link. */
const PAGES: Readonly<Record<PasswordLinkPurpose, string>> = { RESET: "password", INVITATION: "invitation" };

/** Makes links to set a new password, and sets it. A link is used once, and a newer one replaces it. */
export class PasswordLinkService {
  constructor(
    private readonly deps: {
      passwordLinkRepository: PasswordLinkRepository;
      personRepository: PersonRepository;
      sessionRepository: SessionRepository;
      signInRepository: SignInRepository;
      events: EventService;
      realNow: Date;
      publicAddress: () => string;
    },
  ) {}

  /** Queues a mail with a link for each account of an e-mail address. */
  async request(email: string): Promise<void> {
    const { signInRepository, passwordLinkRepository, realNow: now } = this.deps;
    const accounts = await signInRepository.candidates(email, undefined, MAX_ACCOUNTS);
    // An invitation is renewed by those who invite, not by this.
    for (const { id, vendor } of accounts.filter(({ passwordHash }) => passwordHash !== NO_PASSWORD))
      await passwordLinkRepository.replace(vendor.id, id, {
        purpose: "RESET",
        uuid: randomUUID(),
        createdAt: now,
        expiresAt: new Date(now.getTime() + RESET_LIFETIME_MS),
        sendAt: now,
      });
  }

  /** Makes a link for a new person, which nobody mails. @returns its token, which is not stored. */
  async createForNewPerson(vendorId: number, personId: number): Promise<string> {
    const { passwordLinkRepository, realNow: now } = this.deps;
    const token = newTokenText(vendorId);
    const uuid = randomUUID();
    const expiresAt = new Date(now.getTime() + INVITATION_LIFETIME_MS);
    await passwordLinkRepository.replace(vendorId, personId, {
      ...{ purpose: "INVITATION", uuid, hash: hashToken(token), createdAt: now, expiresAt, sendAt: null },
    });
    return token;
  }

  /**
   * Queues a mail with an invitation, in place of the one before.
   * @throws a Refusal TOO_MANY_REQUESTS within a minute after the last one.
   */
  async invite(vendorId: number, personId: number): Promise<void> {
    const { passwordLinkRepository, realNow: now } = this.deps;
    const last = (await passwordLinkRepository.invitationsOf(vendorId, [personId])).get(personId);
    const waitMs = last ? last.createdAt.getTime() + MINUTE_MS - now.getTime() : 0;
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000);
      throw overLimit("TOO_MANY_REQUESTS", `The person was just invited; wait ${seconds} seconds.`, seconds);
    }
    const expiresAt = new Date(now.getTime() + INVITATION_LIFETIME_MS);
    await passwordLinkRepository.replace(vendorId, personId, {
      ...{ purpose: "INVITATION", uuid: randomUUID(), createdAt: now, expiresAt, sendAt: now },
    });
  }

  /** Makes a person's link unusable. */
  withdraw(vendorId: number, personId: number): Promise<void> {
    return this.deps.passwordLinkRepository.withdraw(vendorId, personId);
  }

  /** Claims a mail that is due, with a lease. Undefined if none is due, or the gateway's address is unknown. */
  async claimDue(vendorId: number): Promise<ClaimedPasswordLink | undefined> {
    const { passwordLinkRepository, publicAddress, realNow: now } = this.deps;
    const address = publicAddress();
    if (address === "") return undefined;
    const link = await passwordLinkRepository.lockDue(vendorId, now);
    if (!link) return undefined;
    const token = newTokenText(vendorId);
    const attempts = link.attempts + 1;
    const sendAt = new Date(now.getTime() + LEASE_MS);
    await passwordLinkRepository.change(vendorId, link, { hash: hashToken(token), sendAt, attempts });
    // Browsers send no fragment: the token appears in no log and no referrer.
    return { ...link, attempts, url: `${address}/${PAGES[link.purpose]}#${token}` };
  }

  /** Records that a mail was sent, or when it is tried again; the last failed attempt is the end. */
  async recordAttempt(vendorId: number, link: ClaimedPasswordLink, isRepeatable: boolean): Promise<void> {
    const delay = MINUTE_MS * 2 ** (link.attempts - 1);
    const sendAt = isRepeatable && link.attempts < MAX_ATTEMPTS ? new Date(this.deps.realNow.getTime() + delay) : null;
    await this.deps.passwordLinkRepository.change(vendorId, link, { sendAt });
  }

  /**
   * Sets the password of a link's person, and ends all of the person's sessions.
   * @throws a Refusal PASSWORD_LINK_INVALID if the link was used or replaced, or has expired.
   */
  async setPassword(token: string, password: string): Promise<void> {
    const { passwordLinkRepository, personRepository, sessionRepository, realNow: now } = this.deps;
    const hash = hashToken(token);
    const person = await passwordLinkRepository.findPerson(hash, now);
    const passwordHash = person && (await hashPassword(password));
    if (
      !person ||
      passwordHash === undefined ||
      !(await passwordLinkRepository.useUp(person.vendorId, person.managerId, hash))
    )
      throw denied("PASSWORD_LINK_INVALID", "The link was used, has expired, or was replaced by a newer one.");
    await personRepository.change(person.vendorId, person.managerId, { passwordHash, emailVerified: true });
    await sessionRepository.removeAll(person.vendorId, person.managerId);
    const isFirst = person.passwordHash === NO_PASSWORD;
    await this.deps.events.recordModuleEvents(person.vendorId, {
      ...{ subject: "PERSON", subjectId: person.managerId, actor: "MANAGER", statusAfter: "ACTIVE" },
      ...{ authorKind: "PERSON", authorId: person.managerId },
      ...(isFirst
        ? { type: "PERSON_JOINED", trigger: "acceptInvitation", statusBefore: "INVITED" }
        : { type: "PERSON_PASSWORD_CHANGED", trigger: "setPassword", statusBefore: "ACTIVE" }),
    });
  }
}
