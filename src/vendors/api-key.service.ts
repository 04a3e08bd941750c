import { createHash, randomBytes } from "node:crypto";
import type { KeyScope } from "../../schema/vocabulary.ts";
import type { EventService } from "../events/event.service.ts";
import { notFound } from "../kernel/refusals.ts";
import type { ApiKeyRecord, ApiKeyRepository } from "./api-key.repository.ts";

/** 256 random bits cannot be guessed, so an unsalted SHA-256 hash is safe to store. */
const TOKEN_BYTES = 32;

/** The hash under which a token is stored and looked up. */
export const hashToken = (token: string): Buffer => createHash("sha256").update(token).digest();

/** Generates a token, which is shown once: `recoup_live_…`, or `recoup_payment_live_…` for a payment key. */
export const generateToken = (kind: "secret" | "payment", sandbox: boolean): string =>
  `recoup_${kind === "payment" ? "payment_" : ""}${sandbox ? "test" : "live"}_${randomBytes(TOKEN_BYTES).toString("base64url")}`;

/** What a key may be used for, and until when. Defaults to everything, without an end. */
interface KeyLimits {
  scopes?: KeyScope[];
  expiresAt?: Date | null;
}

/** Creates and revokes the Secret-Tokens of vendors. */
export class ApiKeyService {
  constructor(
    private readonly deps: {
      apiKeyRepository: ApiKeyRepository;
      events: EventService;
      now: Date;
    },
  ) {}

  /** Creates a key. The token is only in the result and is not stored. */
  async create(
    vendorId: number,
    name: string,
    sandbox: boolean,
    limits?: KeyLimits,
  ): Promise<{ key: ApiKeyRecord; token: string }> {
    const token = generateToken("secret", sandbox);
    return { key: await this.createWithToken(vendorId, name, token, limits), token };
  }

  /** Creates a key with a given token, such as the demo's token from the environment. */
  async createWithToken(vendorId: number, name: string, token: string, limits: KeyLimits = {}): Promise<ApiKeyRecord> {
    const key = await this.deps.apiKeyRepository.add(vendorId, {
      name,
      hash: hashToken(token),
      ending: token.slice(-4),
      createdAt: this.deps.now,
      ...limits,
    });
    await this.deps.events.recordModuleEvents(vendorId, {
      ...{ type: "KEY_CREATED", subject: "KEY", subjectId: key.id, trigger: "createKey", actor: "MANAGER" },
      ...{ statusBefore: null, statusAfter: "ACTIVE", facts: { keyName: name } },
    });
    return key;
  }

  /** @throws a Refusal NOT_FOUND if the vendor has no such valid key. */
  async revoke(vendorId: number, keyId: number): Promise<ApiKeyRecord> {
    const revoked = await this.deps.apiKeyRepository.revoke(vendorId, keyId, this.deps.now);
    if (!revoked) throw notFound("NOT_FOUND", `The vendor has no valid key ${keyId}.`);
    await this.deps.events.recordModuleEvents(vendorId, {
      ...{ type: "KEY_REVOKED", subject: "KEY", subjectId: keyId, trigger: "revokeKey", actor: "MANAGER" },
      ...{ statusBefore: "ACTIVE", statusAfter: "REVOKED", facts: { keyName: revoked.name } },
    });
    return revoked;
  }
}
