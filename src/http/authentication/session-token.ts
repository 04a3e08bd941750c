import type { FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../kernel/clock.ts";
import { runAsParty } from "../../kernel/scheduling/current-party.ts";
import { denied } from "../../kernel/refusals.ts";
import type { SecretVault } from "../../kernel/secrets/secret-vault.ts";
import type { ApiKeyRepository } from "../../vendors/keys/api-key.repository.ts";
import { decodeSessionToken, type SessionTokenContent } from "../../vendors/keys/session-token.codec.ts";
import type { VendorRecord } from "../../vendors/vendor.repository.ts";
import type { AdmissionControl } from "../limits/admission.ts";
import { shareWithBoundOrigin } from "../cross-origin.ts";
import { vendorDisabled, type TokenAuthenticator } from "./secret-token.ts";

/** The vendor, the session and the slot that a request of a page needs before it is processed. */
export interface AdmittedSession {
  vendor: VendorRecord;
  session: SessionTokenContent;
  /** Gives the place back. */
  releaseSlot: () => void;
}

const tokenInvalid = () =>
  denied("SESSION_TOKEN_INVALID", "The Session-Token is unknown, has expired, or its key has ended.");

const originRefused = () =>
  denied(
    "SESSION_ORIGIN_REFUSED",
    "A Session-Token is accepted from pages of the origin that it was created for only.",
  );

/** Knows for which key and vendor a page's Session-Token acts. */
export class SessionTokenAuthenticator {
  constructor(
    private readonly deps: {
      keys: ApiKeyRepository;
      tokens: TokenAuthenticator;
      vault: SecretVault;
      clock: Clock;
      admission: AdmissionControl;
    },
  ) {}

  /**
   * Authenticates a page by its token, admits it to its vendor's share of the work, and lets its origin read the answer.
   * @throws a Refusal of kind denied, or excess if the vendor has too many requests in progress.
   */
  async authenticateAndAdmit(
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
    rows: number,
  ): Promise<AdmittedSession> {
    const { vault, clock, admission } = this.deps;
    const session = decodeSessionToken(token, vault);
    if (!session) throw tokenInvalid();
    if (request.headers.origin !== session.origin) throw originRefused();
    // Refusals that follow are for this page to read: it needs another token, or has to wait.
    shareWithBoundOrigin(request, reply, session.origin);
    if (session.expiresAt <= clock.now()) throw tokenInvalid();
    const releaseSlot = await admission.admit(session.vendorId, rows);
    try {
      const vendor = await runAsParty({ kind: "API", id: session.vendorId }, () => this.findVendor(session));
      return { vendor, session, releaseSlot };
    } catch (error) {
      releaseSlot();
      throw error;
    }
  }

  private async findVendor({ vendorId, keyId }: SessionTokenContent): Promise<VendorRecord> {
    const { keys, tokens, clock } = this.deps;
    const key = await keys.findActiveById(vendorId, keyId);
    if (!key || (key.expiresAt && key.expiresAt <= clock.now())) throw tokenInvalid();
    if (!key.vendor.enabled) throw vendorDisabled();
    tokens.noteUse(vendorId, keyId);
    return key.vendor;
  }
}
