import { createHash } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { EventService } from "../../events/event.service.ts";
import { isPasswordOf } from "../../kernel/secrets/password-hash.ts";
import { conflict, denied } from "../../kernel/refusals.ts";
import type { SecretVault } from "../../kernel/secrets/secret-vault.ts";
import type { PersonRecord, PersonRepository } from "./person.repository.ts";
import type { SessionRepository } from "./session.repository.ts";
import type { SecondFactorRecord, SecondFactorRepository } from "./second-factor.repository.ts";

/** The settings that every authenticator app knows. */
const TOTP_SETTINGS = { algorithm: "SHA1", digits: 6, period: 30 } as const;

/** Steps before and after the current one whose codes are accepted: clocks of phones differ. */
const WINDOW = 1;

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

/** A person of a vendor, with the session of the request. */
export interface FactorOwner {
  sessionId: number;
  personId: number;
  vendor: { id: number; name: string };
}

/** Whether a person's second factor is on, and how many recovery codes are left. */
export interface SecondFactorState {
  isOn: boolean;
  recoveryCodesLeft: number;
}

/** A secret as an authenticator app takes it: as text, and as the address in a QR code. */
export interface OfferedSecret {
  secret: string;
  uri: string;
}

const codeRefused = () => denied("SIGN_IN_CODE_REFUSED", "The code is wrong, or it was used already.");
const encryptionContextOf = (vendorId: number, personId: number) => `second_factors.secret ${vendorId} ${personId}`;
const hashRecoveryCode = (code: string): string =>
  createHash("sha256")
    .update(code.toUpperCase().replace(/[^A-Z2-7]/g, ""))
    .digest("hex");

/** Switches the second factors of people on and off, and checks their codes: those of an app (TOTP), and recovery codes. */
export class SecondFactorService {
  constructor(
    private readonly deps: {
      secondFactorRepository: SecondFactorRepository;
      personRepository: PersonRepository;
      sessionRepository: SessionRepository;
      events: EventService;
      vault: SecretVault;
      realNow: Date;
    },
  ) {}

  async stateOf(vendorId: number, personId: number): Promise<SecondFactorState> {
    const factor = await this.findConfirmed(vendorId, personId);
    return { isOn: factor !== undefined, recoveryCodesLeft: factor?.recoveryHashes.length ?? 0 };
  }

  /**
   * Offers a secret to a person who repeats the password. It counts after a code of it was sent.
   * @throws a Refusal SIGN_IN_REFUSED, SECOND_FACTOR_ON, SECRETS_KEY_MISSING.
   */
  async start({ personId, vendor }: FactorOwner, password: string): Promise<OfferedSecret> {
    const { secondFactorRepository, vault, realNow } = this.deps;
    const person = await this.findPerson(vendor.id, personId);
    if (!(await isPasswordOf(person?.passwordHash, password)) || !person)
      throw denied("SIGN_IN_REFUSED", "The password is wrong.");
    const secret = new Secret({ size: SECRET_BYTES });
    const encrypted = vault.encrypt(secret.base32, encryptionContextOf(vendor.id, personId));
    if (!(await secondFactorRepository.saveUnconfirmed(vendor.id, personId, encrypted, realNow)))
      throw conflict("SECOND_FACTOR_ON", "The second factor is on. Switch it off with a code first.");
    const label = `${vendor.name} (${person.username})`;
    return { secret: secret.base32, uri: new TOTP({ ...TOTP_SETTINGS, issuer: "Recoup", label, secret }).toString() };
  }

  /**
   * Switches the factor on with a code of the offered secret, and ends the person's other sessions, which began without it. @returns the recovery codes, which are not stored.
   * @throws a Refusal SIGN_IN_CODE_REFUSED, SECOND_FACTOR_ON.
   */
  async confirm({ sessionId, personId, vendor }: FactorOwner, code: string): Promise<string[]> {
    const { secondFactorRepository, sessionRepository, realNow } = this.deps;
    const factor = await secondFactorRepository.find(vendor.id, personId);
    if (factor?.confirmedAt) throw conflict("SECOND_FACTOR_ON", "The second factor is on already.");
    if (!factor || !(await this.acceptAppCode(factor, code))) throw codeRefused();
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    await secondFactorRepository.confirm(vendor.id, personId, codes.map(hashRecoveryCode), realNow);
    await sessionRepository.removeOthers(vendor.id, personId, sessionId);
    await this.recordChange(vendor.id, personId, "confirmSecondFactor", { from: "OFF", to: "ON" });
    return codes;
  }

  /** Switches the factor off with a code. @throws a Refusal SIGN_IN_CODE_REFUSED. */
  async switchOff({ personId, vendor }: FactorOwner, code: string): Promise<void> {
    if (!(await this.accept(vendor.id, personId, code))) throw codeRefused();
    await this.deps.secondFactorRepository.remove(vendor.id, personId);
    await this.recordChange(vendor.id, personId, "removeSecondFactor", { from: "ON", to: "OFF" });
  }

  /** Whether a person's code is right: one of the app, or a recovery code. It is used up. */
  async accept(vendorId: number, personId: number, code: string): Promise<boolean> {
    const factor = await this.findConfirmed(vendorId, personId);
    if (!factor) return false;
    if (await this.acceptAppCode(factor, code)) return true;
    return this.deps.secondFactorRepository.useRecoveryCode(vendorId, personId, hashRecoveryCode(code));
  }

  /** Encrypts again, with the first key, the secrets that an older key encrypted. @returns the number of secrets. */
  async reencryptSecrets(): Promise<number> {
    const { secondFactorRepository, vault } = this.deps;
    const outdated = (await secondFactorRepository.allEncrypted()).filter(
      ({ secret }) => !vault.isEncryptedWithCurrentKey(secret),
    );
    for (const { vendorId, managerId, secret } of outdated) {
      const context = encryptionContextOf(vendorId, managerId);
      await secondFactorRepository.saveSecret(
        vendorId,
        managerId,
        vault.encrypt(vault.decrypt(secret, context), context),
      );
    }
    return outdated.length;
  }

  private async acceptAppCode({ vendorId, managerId, secret }: SecondFactorRecord, code: string): Promise<boolean> {
    const token = code.replace(/\s/g, "");
    if (!/^\d{6}$/.test(token)) return false;
    const { vault, realNow, secondFactorRepository } = this.deps;
    const timestamp = realNow.getTime();
    const base32 = vault.decrypt(secret, encryptionContextOf(vendorId, managerId));
    const totp = new TOTP({ ...TOTP_SETTINGS, secret: Secret.fromBase32(base32) });
    const delta = totp.validate({ token, timestamp, window: WINDOW });
    return delta !== null && secondFactorRepository.useStep(vendorId, managerId, totp.counter({ timestamp }) + delta);
  }

  private async findConfirmed(vendorId: number, personId: number): Promise<SecondFactorRecord | undefined> {
    const factor = await this.deps.secondFactorRepository.find(vendorId, personId);
    return factor?.confirmedAt ? factor : undefined;
  }

  private async findPerson(vendorId: number, personId: number): Promise<PersonRecord | undefined> {
    const [person] = await this.deps.personRepository.byIds(vendorId, [personId]);
    return person;
  }

  private recordChange(vendorId: number, personId: number, trigger: string, facts: { from: string; to: string }) {
    return this.deps.events.recordModuleEvents(vendorId, {
      ...{ type: "PERSON_SECOND_FACTOR_CHANGED", subject: "PERSON", subjectId: personId, trigger, facts },
      ...{ actor: "MANAGER", authorKind: "PERSON", authorId: personId, statusBefore: "ACTIVE", statusAfter: "ACTIVE" },
    });
  }
}

/** A code such as ABCD-EFGH-IJKL-MNOP, of 80 random bits. */
const newRecoveryCode = (): string => (new Secret({ size: RECOVERY_BYTES }).base32.match(/.{4}/g) ?? []).join("-");
