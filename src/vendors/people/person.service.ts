import { randomUUID } from "node:crypto";
import type { PersonRole } from "../../../schema/vocabulary.ts";
import { NO_PASSWORD } from "../../kernel/password-hash.ts";
import { conflict, notFound } from "../../kernel/refusals.ts";
import type { PasswordLinkService } from "./password-link.service.ts";
import type { PersonRecord, PersonRepository } from "./person.repository.ts";
import type { SessionRepository } from "./session.repository.ts";

/** Adds people to a vendor, changes their roles and removes them. A vendor with an owner keeps at least one. */
export class PersonService {
  constructor(
    private readonly deps: {
      personRepository: PersonRepository;
      sessionRepository: SessionRepository;
      passwordLinks: PasswordLinkService;
      now: Date;
    },
  ) {}

  /**
   * Adds a person, or one who was removed again, without a password. @returns the person, and the token of the link to set it.
   * @throws a Refusal PERSON_EXISTS if the address has an account that is enabled.
   */
  async add(vendorId: number, email: string, role: PersonRole): Promise<{ person: PersonRecord; token: string }> {
    const { personRepository, passwordLinks, now } = this.deps;
    const values = { role, passwordHash: NO_PASSWORD, emailVerified: false };
    const person =
      (await personRepository.add(vendorId, { ...values, uuid: randomUUID(), username: email, createdAt: now })) ??
      (await this.restore(vendorId, email, values));
    return { person, token: await passwordLinks.createForNewPerson(vendorId, person.id) };
  }

  /**
   * Changes the role of a person. Sessions go on, and follow the new role at once.
   * @throws a Refusal PERSON_NOT_FOUND, or LAST_OWNER if the vendor would have no owner.
   */
  async changeRole(vendorId: number, email: string, role: PersonRole): Promise<PersonRecord> {
    const person = await this.lock(vendorId, email, role);
    return this.deps.personRepository.change(vendorId, person.id, { role });
  }

  /**
   * Removes a person: the sessions and links end, and the password is forgotten. The record stays for the history.
   * @throws a Refusal PERSON_NOT_FOUND, or LAST_OWNER if the vendor would have no owner.
   */
  async remove(vendorId: number, email: string): Promise<PersonRecord> {
    const { personRepository, sessionRepository, passwordLinks } = this.deps;
    const { id } = await this.lock(vendorId, email, undefined);
    await sessionRepository.removeAll(vendorId, id);
    await passwordLinks.withdraw(vendorId, id);
    return personRepository.change(vendorId, id, { enabled: false, passwordHash: NO_PASSWORD });
  }

  private async restore(
    vendorId: number,
    email: string,
    values: { role: PersonRole; passwordHash: string; emailVerified: boolean },
  ): Promise<PersonRecord> {
    const { personRepository } = this.deps;
    const person = (await personRepository.lockAll(vendorId)).find(hasAddress(email));
    if (!person || person.enabled) throw conflict("PERSON_EXISTS", "The vendor has a person with this e-mail address.");
    return personRepository.change(vendorId, person.id, { ...values, enabled: true });
  }

  /** Locks the vendor's people, so that of two owners who lose the role at once one keeps it. */
  private async lock(vendorId: number, email: string, roleAfter: PersonRole | undefined): Promise<PersonRecord> {
    const people = (await this.deps.personRepository.lockAll(vendorId)).filter(({ enabled }) => enabled);
    const person = people.find(hasAddress(email));
    if (!person) throw notFound("PERSON_NOT_FOUND", "The vendor has no person with this e-mail address.");
    const owners = people.filter(({ role }) => role === "OWNER");
    if (roleAfter !== "OWNER" && owners.length === 1 && owners.includes(person))
      throw conflict("LAST_OWNER", "The vendor would have no owner. Give another person the role OWNER first.");
    return person;
  }
}

const hasAddress =
  (email: string) =>
  ({ username }: PersonRecord): boolean =>
    username.toLowerCase() === email.toLowerCase();
