import { isPasswordOf } from "../../kernel/secrets/password-hash.ts";
import type { SecondFactorService } from "./second-factor.service.ts";
import type { SessionService } from "./session.service.ts";
import type { SignInCandidate, SignInRepository } from "./sign-in.repository.ts";

/** The e-mail address and the password of a person; the vendor only if the address has accounts at several. */
export interface Credentials {
  email: string;
  password: string;
  vendorUuid: string | undefined;
  /** A code of the second factor; undefined if none was sent. */
  code: string | undefined;
}

/** A vendor that a person can choose. */
export interface VendorChoice {
  uuid: string;
  name: string;
}

export type SignInResult =
  | { outcome: "SIGNED_IN"; token: string }
  /** The address and the password open accounts at several vendors. */
  | { outcome: "VENDOR_NEEDED"; vendors: readonly VendorChoice[] }
  /** The password is right, and the second factor is on. */
  | { outcome: "CODE_NEEDED" }
  | { outcome: "CODE_REFUSED" }
  | { outcome: "REFUSED" };

/** Accounts of one e-mail address whose passwords are compared: each comparison costs as much as the first. */
const MAX_CANDIDATES = 8;

/**
 * Compares passwords. An unknown address costs the same comparison as a known one, so that the time of an answer does
 * not tell which addresses have accounts.
 */
export class SignInService {
  constructor(
    private readonly deps: {
      signInRepository: SignInRepository;
      sessions: SessionService;
      secondFactors: SecondFactorService;
    },
  ) {}

  /** Whether an e-mail address has an account here. */
  async hasAccount(email: string): Promise<boolean> {
    return (await this.deps.signInRepository.candidates(email, undefined, 1)).length > 0;
  }

  /** Signs a person in. An address may have accounts at several vendors: with one password for all, a vendor is needed. */
  async signIn({ email, password, vendorUuid, code }: Credentials): Promise<SignInResult> {
    const candidates = await this.deps.signInRepository.candidates(email, vendorUuid, MAX_CANDIDATES);
    if (candidates.length === 0) await isPasswordOf(undefined, password);
    const matching: SignInCandidate[] = [];
    for (const candidate of candidates)
      if (await isPasswordOf(candidate.passwordHash, password)) matching.push(candidate);
    const [person, ...others] = matching;
    if (!person) return { outcome: "REFUSED" };
    if (others.length > 0)
      return { outcome: "VENDOR_NEEDED", vendors: matching.map(({ vendor: { uuid, name } }) => ({ uuid, name })) };
    const { sessions, secondFactors } = this.deps;
    if ((await secondFactors.stateOf(person.vendor.id, person.id)).isOn) {
      if (code === undefined) return { outcome: "CODE_NEEDED" };
      if (!(await secondFactors.accept(person.vendor.id, person.id, code))) return { outcome: "CODE_REFUSED" };
    }
    return { outcome: "SIGNED_IN", token: await sessions.start(person.vendor.id, person.id) };
  }
}
