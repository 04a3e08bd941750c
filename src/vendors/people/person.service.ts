import { randomUUID } from "node:crypto";
import type { EventType, PersonRole, PersonState } from "../../../schema/vocabulary.ts";
import type { EventService } from "../../events/event.service.ts";
import { NO_PASSWORD } from "../../kernel/secrets/password-hash.ts";
import { conflict, denied, invalidField, notFound } from "../../kernel/refusals.ts";
import type { Caller } from "./caller.ts";
import { isWithin, rolePermissions } from "./mutation.permissions.ts";
import type { PasswordLinkService } from "./password-link.service.ts";
import type { PersonRecord, PersonRepository } from "./person.repository.ts";
import { personStateOf } from "./person.state.ts";
import type { SecondFactorRepository } from "./second-factor.repository.ts";
import type { SessionRepository } from "./session.repository.ts";

/** Names a person of a vendor. */
export type PersonKey = { id: number } | { email: string };

/** More people of a vendor are refused. */
const MAX_PEOPLE = 200;

/** A sign-in accepts no longer address. */
const MAX_EMAIL_LENGTH = 255;

/** Invites people to a vendor, changes their roles and removes them. A vendor with an owner keeps at least one. */
export class PersonService {
  constructor(
    private readonly deps: {
      personRepository: PersonRepository;
      sessionRepository: SessionRepository;
      secondFactorRepository: SecondFactorRepository;
      passwordLinks: PasswordLinkService;
      events: EventService;
      now: Date;
    },
  ) {}

  /**
   * Adds a person who has no password, also one who was removed or did not accept yet. @returns the person, and the token
   * of the link to set the password.
   * @throws a Refusal PERSON_EXISTS if the person has a password.
   */
  async add(vendorId: number, email: string, role: PersonRole): Promise<{ person: PersonRecord; token: string }> {
    const people = await this.deps.personRepository.lockAll(vendorId);
    const known = people.find(hasAddress(email));
    if (known && personStateOf(known) === "ACTIVE") throw personExists();
    const person = await this.save(vendorId, { email, role }, known);
    return { person, token: await this.deps.passwordLinks.createForNewPerson(vendorId, person.id) };
  }

  /**
   * Invites a person, who gets a mail with a link to set a password.
   * @throws a Refusal PERSON_EXISTS, TOO_MANY_PEOPLE, TOO_MANY_REQUESTS within a minute after the last invitation, or
   * PERMISSION_DENIED for a role with more permissions than the caller.
   */
  async invite(vendorId: number, email: string, role: PersonRole, caller: Caller): Promise<PersonRecord> {
    if (email.length > MAX_EMAIL_LENGTH)
      throw invalidField("email", `must have at most ${MAX_EMAIL_LENGTH} characters.`);
    const all = await this.deps.personRepository.lockAll(vendorId);
    const people = all.filter(({ enabled }) => enabled);
    requireGrantable(role, people, caller);
    if (people.some(hasAddress(email))) throw personExists();
    if (people.length >= MAX_PEOPLE)
      throw conflict("TOO_MANY_PEOPLE", `The vendor has ${MAX_PEOPLE} people; remove one who is not needed.`);
    const person = await this.save(vendorId, { email, role }, all.find(hasAddress(email)));
    // Also for a person who was removed: invitations by turns with removals must not fill a mailbox.
    await this.deps.passwordLinks.invite(vendorId, person.id);
    return person;
  }

  /**
   * Sends the invitation again, with a new link.
   * @throws a Refusal PERSON_NOT_FOUND, INVITATION_ACCEPTED, TOO_MANY_REQUESTS.
   */
  async resendInvitation(vendorId: number, id: number, caller: Caller): Promise<PersonRecord> {
    const { person } = await this.lock(vendorId, { id }, caller);
    if (personStateOf(person) !== "INVITED")
      throw conflict("INVITATION_ACCEPTED", "The person has accepted the invitation already.");
    await this.deps.passwordLinks.invite(vendorId, id);
    return person;
  }

  /**
   * Changes the role of a person. Sessions go on, and follow the new role at once.
   * @throws a Refusal PERSON_NOT_FOUND, PERMISSION_DENIED, or LAST_OWNER if the vendor would have no owner.
   */
  async changeRole(vendorId: number, key: PersonKey, role: PersonRole, caller: Caller): Promise<PersonRecord> {
    const { person, people } = await this.lock(vendorId, key, caller);
    requireGrantable(role, people, caller);
    if (role === person.role) return person;
    requireOtherOwner(person, people);
    const changed = await this.deps.personRepository.change(vendorId, person.id, { role });
    const state = personStateOf(person);
    await this.recordChange(vendorId, person.id, {
      ...{ type: "PERSON_ROLE_CHANGED", trigger: "changePersonRole", statusBefore: state, statusAfter: state },
      facts: { from: person.role, to: role },
    });
    return changed;
  }

  /**
   * Switches the second factor of a person off, who lost the phone. A person without one is returned as it is.
   * @throws a Refusal PERSON_NOT_FOUND, or PERMISSION_DENIED if the person may do more than the caller.
   */
  async resetSecondFactor(vendorId: number, id: number, caller: Caller): Promise<PersonRecord> {
    const { person, people } = await this.lock(vendorId, { id }, caller);
    requireGrantable(person.role, people, caller);
    const state = personStateOf(person);
    if (await this.deps.secondFactorRepository.remove(vendorId, id))
      await this.recordChange(vendorId, id, {
        ...{
          type: "PERSON_SECOND_FACTOR_CHANGED",
          trigger: "resetSecondFactor",
          statusBefore: state,
          statusAfter: state,
        },
        facts: { from: "ON", to: "OFF" },
      });
    return person;
  }

  /**
   * Removes a person: the sessions and links end, and the password is forgotten. The record stays for the history.
   * @throws a Refusal PERSON_NOT_FOUND, or LAST_OWNER if the vendor would have no owner.
   */
  async remove(vendorId: number, key: PersonKey, caller: Caller): Promise<PersonRecord> {
    const { personRepository, sessionRepository, secondFactorRepository, passwordLinks } = this.deps;
    const { person, people } = await this.lock(vendorId, key, caller);
    requireOtherOwner(person, people);
    await sessionRepository.removeAll(vendorId, person.id);
    await passwordLinks.withdraw(vendorId, person.id);
    await secondFactorRepository.remove(vendorId, person.id);
    await this.recordChange(vendorId, person.id, {
      ...{ type: "PERSON_REMOVED", trigger: "removePerson", facts: {} },
      ...{ statusBefore: personStateOf(person), statusAfter: "REMOVED" },
    });
    return personRepository.change(vendorId, person.id, { enabled: false, passwordHash: NO_PASSWORD });
  }

  /** Saves an invited person: a new one, or one that the vendor knows. */
  private async save(
    vendorId: number,
    { email, role }: { email: string; role: PersonRole },
    known: PersonRecord | undefined,
  ): Promise<PersonRecord> {
    const { personRepository, now } = this.deps;
    const values = { role, passwordHash: NO_PASSWORD, emailVerified: false };
    const person = known
      ? await personRepository.change(vendorId, known.id, { ...values, enabled: true })
      : await personRepository.add(vendorId, { ...values, uuid: randomUUID(), username: email, createdAt: now });
    if (!person) throw personExists();
    await this.recordChange(vendorId, person.id, {
      ...{ type: "PERSON_INVITED", trigger: "invitePerson", facts: { to: role } },
      ...{ statusBefore: known ? personStateOf(known) : null, statusAfter: "INVITED" },
    });
    return person;
  }

  /** Locks the vendor's people, so that of two owners who lose the role at once one keeps it. */
  private async lock(
    vendorId: number,
    key: PersonKey,
    caller: Caller,
  ): Promise<{ person: PersonRecord; people: PersonRecord[] }> {
    const people = (await this.deps.personRepository.lockAll(vendorId)).filter(({ enabled }) => enabled);
    requireAdmin(people, caller);
    const person = people.find("id" in key ? ({ id }) => id === key.id : hasAddress(key.email));
    if (person) return { person, people };
    const name = "id" in key ? "id" : "e-mail address";
    throw notFound("PERSON_NOT_FOUND", `The vendor has no person with this ${name}.`);
  }

  private recordChange(
    vendorId: number,
    subjectId: number,
    change: {
      type: EventType;
      trigger: string;
      statusBefore: PersonState | null;
      statusAfter: PersonState;
      facts: object;
    },
  ): Promise<void> {
    return this.deps.events.recordModuleEvents(vendorId, {
      ...{ subject: "PERSON", subjectId, actor: "MANAGER" },
      ...change,
      facts: { ...change.facts },
    });
  }
}

const personExists = () => conflict("PERSON_EXISTS", "The vendor has a person with this e-mail address.");

const hasAddress =
  (email: string) =>
  ({ username }: PersonRecord): boolean =>
    username.toLowerCase() === email.toLowerCase();

/** What the caller may do now: the role of a person can have changed since the request was let in. */
function currentPermissionsOf(people: readonly PersonRecord[], { author, permissions }: Caller) {
  if (author.kind !== "PERSON") return permissions;
  const role = people.find(({ id }) => id === author.id)?.role;
  return role && rolePermissions[role];
}

/** @throws a Refusal PERMISSION_DENIED if the caller may not change people any more. */
function requireAdmin(people: readonly PersonRecord[], caller: Caller): void {
  if (!currentPermissionsOf(people, caller)?.areas.includes("ADMIN"))
    throw denied("PERMISSION_DENIED", "Changes of people need the permission ADMIN, which the caller does not have.");
}

/** @throws a Refusal PERMISSION_DENIED if a role may do what the caller cannot. */
function requireGrantable(role: PersonRole, people: readonly PersonRecord[], caller: Caller): void {
  requireAdmin(people, caller);
  const permissions = currentPermissionsOf(people, caller);
  if (!permissions || !isWithin(rolePermissions[role], permissions))
    throw denied("PERMISSION_DENIED", `The role ${role} has more permissions than the caller, who cannot give it.`);
}

/** @throws a Refusal LAST_OWNER if a person is the last owner, or the last of those who have accepted. */
function requireOtherOwner(person: PersonRecord, people: readonly PersonRecord[]): void {
  if (person.role !== "OWNER") return;
  const others = people.filter(({ id, role }) => role === "OWNER" && id !== person.id);
  const remaining =
    personStateOf(person) === "ACTIVE" ? others.filter((other) => personStateOf(other) === "ACTIVE") : others;
  if (remaining.length === 0)
    throw conflict("LAST_OWNER", "The vendor would have no owner. Give another person the role OWNER first.");
}
